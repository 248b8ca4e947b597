/** The compiler of schemas, for who asks for `validator: 'compiled'`. Loaded then, and only then. */
export { compileTest } from '../validation/compile-test.js';
