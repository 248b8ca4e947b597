/** `oui-elements/compat/transport`: the names and the behaviour of `oui-spec/transport`. */
export { createDirectTransportPair } from '../compat/direct-pair.js';
export { createWebSocketTransport } from '../compat/socket-transport.js';
export type {
  OUIAcknowledgment,
  OUIActionHandler,
  OUIObservationHandler,
  OUIResultHandler,
  OUITransport,
  OUITransportConfig,
} from '../compat/transport-types.js';
export type { SocketLike } from '../transports/socket-like.js';
