import { createPageWiring } from './page-wiring.js';

/** For the package's modules: the worker script lies beside them in `dist/`, and bundlers find it by this expression. */
export const packageWiring = createPageWiring({
  workerUrl: () => new URL('../../oui.worker.js', import.meta.url),
  loadEngine: () => import('./engine.js'),
});
