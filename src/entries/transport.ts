/** `oui-elements/transport`: what carries the protocol between a page and an agent. */
export { createAcceptedWebSocketTransport } from '../transports/accepted-websocket.js';
export type { AcceptedWebSocketOptions } from '../transports/accepted-websocket.js';
export { createDirectTransportPair } from '../transports/direct.js';
export type { DirectTransportPair } from '../transports/direct.js';
export { createWebSocketTransport } from '../transports/websocket.js';
export type { WebSocketTransportOptions } from '../transports/websocket.js';
export type { Transport, TransportState } from '../protocol/ports.js';
