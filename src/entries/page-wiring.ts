import type { EngineHostFactory } from '../protocol/ports.js';
import { bringsConnection } from '../surface/link/own-transport.js';
import type { AttachmentsModule } from '../surface/requests/attachments.js';
import type { RuntimeWiring } from '../surface/runtime.js';
import { createWorkerHostFactory } from '../../worker/worker-host.js';

/** What `engine.ts` exports. */
export type EngineModule = typeof import('./engine.js');

/** Where a build of the library finds its other files. */
export interface LibraryPlaces {
  /** The worker script. */
  workerUrl(): URL;
  /** The engine, when no worker can start. */
  loadEngine(): Promise<EngineModule>;
  /** What opens attachments. */
  loadAttachments(): Promise<AttachmentsModule>;
}

/**
 * The engine in a worker, unless there are none or `worker: false`; else, and when that fails, in the page. By default
 * in the page too where frames go through the page anyway, on a connection that it brings itself: a worker would get each
 * of them from here and send it back.
 */
export function createPageWiring(places: LibraryPlaces): RuntimeWiring {
  return {
    loadAttachments: () => places.loadAttachments(),
    hosts({ url, insecureUrl: insecure, token, socket, transport, worker = !bringsConnection({ socket, transport }) }) {
      const inProcess: EngineHostFactory = {
        kind: 'in-process',
        async open(events) {
          const engine = await places.loadEngine();
          const createTransport = () =>
            url === undefined ? undefined : engine.createWebSocketTransport(url, { insecure, token });
          const { createIdbStore: createStore } = engine;
          return engine.createInProcessHostFactory({ engine, createTransport, createStore }).open(events);
        },
      };
      if (worker === false || typeof Worker === 'undefined') return [inProcess];
      const workerUrl = worker === true ? places.workerUrl() : worker;
      return [createWorkerHostFactory({ workerUrl, socketUrl: url, insecure, token }), inProcess];
    },
  };
}
