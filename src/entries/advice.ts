/** What looks surfaces over for their authors. Loaded after the first mount, where an author looks at the console. */
export { manifestAdvice } from '../validation/manifest-advice.js';
