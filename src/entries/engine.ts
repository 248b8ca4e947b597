/** The engine for a page in which no worker can start, and its host. Loaded then, and only then. */
export { createDriver } from '../engine/driver.js';
export { createIdbStore } from '../../worker/idb-store.js';
export { createInProcessHostFactory } from '../surface/link/in-process-host.js';
export { createCompiledValidator } from '../validation/compiled.js';
export { createInterpretedValidator } from '../validation/interpreted.js';
export { createWebSocketTransport } from '../transports/websocket.js';
