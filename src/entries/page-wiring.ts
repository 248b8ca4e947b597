import type { Transport } from '../protocol/ports.js';
import { createInProcessHostFactory } from '../surface/in-process-host.js';
import type { InProcessEngine } from '../surface/in-process-host.js';
import type { RuntimeWiring } from '../surface/runtime.js';
import { createWorkerHostFactory } from '../../worker/worker-host.js';

/** What `engine.ts` exports. */
export interface EngineModule extends InProcessEngine {
  createWebSocketTransport(url: string, options: { readonly insecure?: boolean }): Transport;
}

/** Where a build of the library finds its other files. */
export interface LibraryPlaces {
  /** The worker script. */
  workerUrl(): URL;
  /** The engine, when no worker can start. */
  loadEngine(): Promise<EngineModule>;
}

/** The engine in a worker, unless there are none or `worker: false`; else, and when that fails, in the page. */
export function createPageWiring(places: LibraryPlaces): RuntimeWiring {
  return {
    hosts({ url, insecureUrl, worker = true }) {
      let engine: EngineModule | undefined;
      const insecure = insecureUrl ?? false;
      const inProcess = createInProcessHostFactory({
        load: async () => (engine = await places.loadEngine()),
        createTransport: () => (url === undefined ? undefined : engine?.createWebSocketTransport(url, { insecure })),
      });
      if (worker === false || typeof Worker === 'undefined') return [inProcess];
      const workerUrl = worker === true ? places.workerUrl() : worker;
      return [createWorkerHostFactory({ workerUrl, socketUrl: url, insecure }), inProcess];
    },
  };
}
