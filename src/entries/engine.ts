/** The engine for a page in which no worker can start. Loaded then, and only then. */
export { createDriver } from '../engine/driver.js';
export { createInterpretedValidator } from '../validation/interpreted.js';
export { createWebSocketTransport } from '../transports/websocket.js';
