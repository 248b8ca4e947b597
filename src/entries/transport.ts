/** `oui-elements/transport`: what carries the protocol between a page and an agent. */
export { createAcceptedWebSocketTransport } from '../transports/accepted-websocket.js';
export type { AcceptedWebSocketOptions } from '../transports/accepted-websocket.js';
export { createDirectTransportPair } from '../transports/direct.js';
export type { DirectTransportPair } from '../transports/direct.js';
export { createPostMessageTransport } from '../transports/post-message.js';
export type { PostMessageTransportOptions } from '../transports/post-message.js';
export type { MessageTarget } from '../transports/message-target.js';
export { createSocketTransport } from '../transports/socket-io.js';
export type { SocketTransportOptions } from '../transports/socket-io.js';
export type { SocketLike } from '../transports/socket-like.js';
export { createWebSocketTransport } from '../transports/websocket.js';
export type { WebSocketTransportOptions } from '../transports/websocket.js';
export { pageToken, selectProtocol } from '../transports/token-protocol.js';
export type { TokenProvider } from '../transports/token-provider.js';
export type { Transport, TransportState } from '../protocol/ports.js';
