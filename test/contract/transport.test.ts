import { WebSocket } from 'ws';
import { createAcceptedWebSocketTransport } from '../../src/transports/accepted-websocket.js';
import { createDirectTransportPair } from '../../src/transports/direct.js';
import { createWebSocketTransport } from '../../src/transports/websocket.js';
import { startLoopbackServer } from '../unit/transports/loopback-server.js';
import { describeTransport } from './transport-suite.js';

describeTransport('direct pair', () => {
  const { page, agent } = createDirectTransportPair();
  return Promise.resolve({
    page,
    async agent() {
      await agent.connect();
      return agent;
    },
    close() {
      page.disconnect();
      agent.disconnect();
      return Promise.resolve();
    },
  });
});

describeTransport('WebSocket', async () => {
  const server = await startLoopbackServer();
  const page = createWebSocketTransport(server.url, { WebSocket });
  return {
    page,
    agent: async () => createAcceptedWebSocketTransport(await server.accept()),
    async close() {
      page.disconnect();
      await server.close();
    },
  };
});
