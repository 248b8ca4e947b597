import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { Server } from 'socket.io';
import type { Socket as ServerSocket } from 'socket.io';
import { io } from 'socket.io-client';
import { WebSocket } from 'ws';
import { createAcceptedWebSocketTransport } from '../../src/transports/accepted-websocket.js';
import { createDirectTransportPair } from '../../src/transports/direct.js';
import { createPostMessageTransport } from '../../src/transports/post-message.js';
import { createSocketTransport } from '../../src/transports/socket-io.js';
import { createWebSocketTransport } from '../../src/transports/websocket.js';
import { FakeWindow } from '../unit/transports/fake-window.js';
import { startLoopbackServer } from '../unit/transports/loopback-server.js';
import { createSocketPair } from '../unit/transports/socket-pair.js';
import type { FakeSocket } from '../unit/transports/socket-pair.js';
import type { Binding } from './binding.js';
import { BORROWED, OWN_OBJECTS, OWN_TEXT } from './transport-suite.js';

/** Every binding that Node has, each between two ends in this process. */
export const NODE_BINDINGS: readonly Binding[] = [
  {
    name: 'direct pair',
    traits: OWN_TEXT,
    agentLasts: true,
    make() {
      const { page, agent } = createDirectTransportPair();
      return Promise.resolve({
        page,
        agent: () => agent.connect().then(() => agent),
        cut() {
          agent.disconnect();
          void agent.connect();
        },
        leftovers: () => [],
        close: () => Promise.resolve([page, agent].forEach((end) => end.disconnect())),
      });
    },
  },
  {
    name: 'WebSocket',
    traits: OWN_TEXT,
    agentLasts: false,
    async make(setTimer) {
      const server = await startLoopbackServer();
      const page = createWebSocketTransport(server.url, { WebSocket, ...(setTimer && { setTimer }) });
      let accepted: WebSocket | undefined;
      return {
        page,
        agent: async () => createAcceptedWebSocketTransport((accepted = await server.accept())),
        cut: () => accepted?.terminate(),
        leftovers: () => [...server.clients].map(() => 'a connection'),
        async settled() {
          if (accepted && accepted.readyState !== WebSocket.CLOSED) await once(accepted, 'close');
        },
        async close() {
          page.disconnect();
          await server.close();
        },
      };
    },
  },
  {
    name: 'Socket.IO, official',
    traits: BORROWED,
    agentLasts: false,
    async make() {
      const http = createServer().listen(0, '127.0.0.1');
      await once(http, 'listening');
      const server = new Server(http, { transports: ['websocket'] });
      const client = io(`http://127.0.0.1:${(http.address() as AddressInfo).port}`, {
        autoConnect: false, transports: ['websocket'], reconnectionDelay: 10, forceNew: true,
      });
      const before = client.listenersAny().length;
      const page = createSocketTransport(client, { extensions: ['x-app:note'] });
      let socket: ServerSocket | undefined;
      const arrived: ServerSocket[] = [];
      const waiting: ((socket: ServerSocket) => void)[] = [];
      server.on('connection', (next) => {
        const wait = waiting.shift();
        if (wait) wait(next);
        else arrived.push(next);
      });
      const names = ['connect', 'disconnect', 'oui:dispatch', 'oui:x-oui:hello', 'oui:x-oui:pong'];
      return {
        page,
        async agent() {
          if (!socket?.connected) {
            client.connect();
            socket = arrived.shift() ?? (await new Promise<ServerSocket>((resolve) => waiting.push(resolve)));
          }
          return createSocketTransport(socket, { side: 'agent' });
        },
        async cut() {
          const gone = once(socket!, 'disconnect');
          socket!.conn.close();
          await gone;
        },
        leftovers: () => names.flatMap((name) => client.listeners(name).map(() => `a listener of ${name}`)),
        async close() {
          if (client.listenersAny().length !== before) throw new Error('It listens to more than it must.');
          client.close();
          await server.close();
        },
      };
    },
  },
  {
    name: 'Socket.IO-shaped',
    traits: BORROWED,
    agentLasts: false,
    make() {
      const pair = createSocketPair();
      const page = createSocketTransport(pair.client, { extensions: ['x-app:note'] });
      let socket: FakeSocket | undefined;
      return Promise.resolve({
        page,
        agent() {
          if (!socket?.connected) socket = pair.connect();
          return Promise.resolve(createSocketTransport(socket, { side: 'agent' }));
        },
        cut: () => pair.disconnect(),
        leftovers: () => [pair.client, socket!].flatMap((end) => Object.keys(end.listening())),
        close: () => Promise.resolve(pair.disconnect()),
      });
    },
  },
  {
    name: 'MessagePort',
    traits: OWN_OBJECTS,
    agentLasts: true,
    make(setTimer) {
      const { port1, port2 } = new MessageChannel();
      const page = createPostMessageTransport(port1, { ...(setTimer && { setTimer }) });
      const agent = createPostMessageTransport(port2, { side: 'agent' });
      return Promise.resolve({
        page,
        agent: () => agent.connect().then(() => agent),
        cut: () => page.reconnect!('cut by the test'),
        leftovers: () => [],
        close() {
          for (const end of [page, agent]) end.disconnect();
          port1.close();
          return Promise.resolve();
        },
      });
    },
  },
  {
    name: 'window postMessage',
    traits: OWN_OBJECTS,
    agentLasts: true,
    make(setTimer) {
      const host = new FakeWindow('https://host.example');
      const frame = new FakeWindow('https://plugin.example');
      const timer = setTimer && { setTimer };
      const page = createPostMessageTransport(host.as(frame), {
        targetOrigin: host.origin, receiver: frame, ...timer,
      });
      const agent = createPostMessageTransport(frame.as(host), {
        side: 'agent', targetOrigin: frame.origin, receiver: host, ...timer,
      });
      return Promise.resolve({
        page,
        agent: () => agent.connect().then(() => agent),
        cut: () => page.reconnect!('cut by the test'),
        leftovers: () => [host, frame].flatMap(({ listeners }) => [...listeners].map(() => 'a listener')),
        close: () => Promise.resolve([page, agent].forEach((end) => end.disconnect())),
      });
    },
  },
];
