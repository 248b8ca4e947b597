import { createPageWiring } from './page-wiring.js';

/** For the package's modules: the worker script lies in `dist/` too, and bundlers find it by this expression. */
export const packageWiring = createPageWiring({
  workerUrl: () => new URL('../../oui.worker.js', import.meta.url),
  loadEngine: () => import('./engine.js'),
});
