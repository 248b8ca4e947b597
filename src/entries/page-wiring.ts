import type { EngineHostFactory } from '../protocol/engine-host.js';
import type { AdviceModule } from '../surface/definition/advice.js';
import { bringsConnection } from '../surface/link/own-transport.js';
import type { AttachmentsModule } from '../surface/requests/attachments.js';
import type { RuntimeWiring } from '../surface/runtime.js';
import type { SurfaceRuntimeOptions } from '../surface/runtime-options.js';
import { spawnBlobWorker } from '../../worker/spawn-worker.js';
import type { WorkerSource } from '../../worker/spawn-worker.js';
import { createWorkerHostFactory } from '../../worker/worker-host.js';

/** What `compiler.ts` exports. */
export type CompilerModule = typeof import('./compiler.js');

/** What `engine.ts` exports. */
export type EngineModule = typeof import('./engine.js');

/** Where a build of the library finds its other files. */
export interface LibraryPlaces {
  /** The worker script. */
  workerUrl(): URL;
  /** The part of the engine that some surfaces need, for a worker. */
  extrasUrl(): URL;
  /** The engine, when no worker can start. */
  loadEngine(): Promise<EngineModule>;
  /** What opens attachments. */
  loadAttachments(): Promise<AttachmentsModule>;
  /** The compiler of schemas: for the engine in the page, and its address for a worker. */
  loadCompiler(): Promise<CompilerModule>;
  compilerUrl(): URL;
  /** Which validator a runtime has that names none. */
  readonly validator: NonNullable<SurfaceRuntimeOptions['validator']>;
  /** What looks surfaces over for their authors. */
  loadAdvice(): Promise<AdviceModule>;
}

/**
 * The engine in a worker, unless there are none or `worker: false`; else, and when that fails, in the page. By default
 * in the page too where frames go through the page anyway, on a connection that it brings itself: a worker would get each
 * of them from here and send it back.
 */
export function createPageWiring(places: LibraryPlaces): RuntimeWiring {
  return {
    loadAdvice: () => places.loadAdvice(),
    loadAttachments: () => places.loadAttachments(),
    hosts(options) {
      const { url, insecureUrl: insecure, token, worker, validator = places.validator } = options;
      const compiled = validator === 'compiled';
      const inProcess: EngineHostFactory = {
        kind: 'in-process',
        async open(events) {
          const engine = await places.loadEngine();
          const createTransport = () =>
            url === undefined ? undefined : engine.createWebSocketTransport(url, { insecure, token });
          const { createIdbStore: createStore } = engine;
          const createValidator = compiled
            ? () => engine.createCompiledValidator({ load: places.loadCompiler })
            : engine.createInterpretedValidator;
          const options = { engine, createTransport, createStore, createValidator };
          return engine.createInProcessHostFactory(options).open(events);
        },
      };
      const script = worker ?? !bringsConnection(options);
      if (script === false || typeof Worker === 'undefined') return [inProcess];
      const workerUrl = workerSource(script, places.workerUrl());
      const compilerUrl = compiled ? places.compilerUrl() : undefined;
      const extrasUrl = places.extrasUrl();
      return [createWorkerHostFactory({ workerUrl, socketUrl: url, insecure, token, extrasUrl, compilerUrl }), inProcess];
    },
  };
}

function workerSource(script: true | string | URL, beside: URL): WorkerSource {
  if (script === 'blob') return () => spawnBlobWorker(beside);
  return script === true ? beside : script;
}
