/**
 * `oui-elements/worker`: the engine in a Web Worker, for pages that put their runtime together themselves:
 * `createRuntime(options, { hosts: () => [createWorkerEngine({ workerUrl: '/oui.worker.js' })] })`.
 * The worker script itself is the file `oui-elements/dist/oui.worker.js`.
 */
export { createWorkerHostFactory as createWorkerEngine } from '../../worker/worker-host.js';
export type { WorkerHostOptions as WorkerEngineOptions } from '../../worker/worker-host.js';
export type { EngineHost, EngineHostEvents, EngineHostFactory } from '../protocol/engine-host.js';
