import { createAcceptedWebSocketTransport } from '../../src/transports/accepted-websocket.js';
import { createWebSocketTransport } from '../../src/transports/websocket.js';
createAcceptedWebSocketTransport(new WebSocket('')); createWebSocketTransport('', { WebSocket });
