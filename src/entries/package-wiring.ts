import { createPageWiring } from './page-wiring.js';
import type { EngineModule } from './page-wiring.js';

/** For the package's modules: the worker script lies in `dist/` too, and bundlers find it by this expression. */
export const packageWiring = createPageWiring({
  workerUrl: () => new URL('../../oui.worker.js', import.meta.url),
  extrasUrl: () => new URL('../../oui.extras.js', import.meta.url),
  loadEngine,
  loadAttachments: () => import('../surface/requests/open-attachments.js'),
  loadCompiler: () => import('./compiler.js'),
  compilerUrl: () => new URL('../../oui.compiler.js', import.meta.url),
  // Most strict sites forbid eval; Node has no such policies, and serves more requests.
  validator: typeof document === 'undefined' ? 'compiled' : 'interpreted',
  loadAdvice: () => import('./advice.js'),
});

/** Node before version 22 has no WebSocket of its own; `ws` speaks the same. */
async function loadEngine(): Promise<EngineModule> {
  const engine = await import('./engine.js');
  if (typeof WebSocket !== 'undefined') return engine;
  // A variable keeps bundlers from taking the package into pages, which never get here.
  const node = 'ws';
  const { WebSocket: NodeWebSocket } = (await import(/* @vite-ignore */ node)) as { WebSocket: typeof WebSocket };
  return {
    ...engine,
    createWebSocketTransport: (url, options) =>
      engine.createWebSocketTransport(url, { ...options, WebSocket: NodeWebSocket }),
  };
}
