import { Server } from 'socket.io';

/**
 * A server that knows `oui-spec`'s wire and nothing of this project, on the official Socket.IO server. It keeps what a
 * page announces, sends requests, and takes results. Pages connect to `/`, and name a room; the test connects to
 * `/agent` with the same room, asks for calls, and is told of everything that the page said.
 */
class V1Server {
  /** @type {import('socket.io').Socket | undefined} */
  #page;
  /** @type {Map<string, unknown>} */
  #surfaces = new Map();
  /** @type {{ [surfaceId: string]: { [observationId: string]: unknown } }} */
  #observations = {};
  /** @type {Set<string>} */
  #names = new Set();
  /** @type {Map<string, (result: any) => void>} */
  #pending = new Map();
  #connections = 0;
  #requests = 0;
  /** @type {Set<() => void>} */
  #changed = new Set();

  /** @param {import('socket.io').Socket} socket */
  page(socket) {
    this.#page = socket;
    this.#connections += 1;
    this.#surfaces.clear();
    this.#observations = {};
    socket.on('oui:surface:register', ({ surface }) => this.#surfaces.set(surface.id, surface));
    socket.on('oui:surface:deregister', ({ surfaceId }) => this.#surfaces.delete(surfaceId));
    socket.on('oui:observation', ({ surfaceId, observationId, value }) => {
      this.#observations[surfaceId] = { ...this.#observations[surfaceId], [observationId]: value };
    });
    socket.on('oui:action:result', (result, acknowledge) => {
      acknowledge({ ok: true });
      this.#pending.get(result.requestId)?.(result);
    });
    socket.onAny((name) => {
      this.#names.add(name);
      // After the listeners above.
      setImmediate(() => this.#tell());
    });
    this.#tell();
  }

  /** @param {import('socket.io').Socket} socket */
  agent(socket) {
    const tell = () => void socket.emit('state', this.#state());
    this.#changed.add(tell);
    socket.on('disconnect', () => this.#changed.delete(tell));
    socket.on('call', (request, answer) => {
      const requestId = `req_${++this.#requests}`;
      /** @type {unknown[]} */
      const results = [];
      /** @type {unknown} */
      let receipt;
      this.#pending.set(requestId, (result) => {
        results.push(result);
        if (result.interim !== true) answer({ receipt, results });
      });
      this.#page?.emit('oui:dispatch', { requestId, timestamp: Date.now(), ...request }, (/** @type {unknown} */ said) => {
        receipt = said;
      });
    });
    // The connection breaks; the client makes another by itself.
    socket.on('break', () => this.#page?.conn.close());
    tell();
  }

  #tell() {
    for (const tell of this.#changed) tell();
  }

  #state() {
    const surfaces = [...this.#surfaces.keys()];
    return { surfaces, observations: this.#observations, names: [...this.#names].sort(), connections: this.#connections };
  }
}

/** @returns {import('@web/dev-server-core').Plugin} */
export function socketIoPlugin() {
  /** @type {Server | undefined} */
  let io;
  return {
    name: 'socket-io',
    serverStart({ server }) {
      io = new Server(/** @type {import('node:http').Server} */ (server), { path: '/__socket.io__', serveClient: false });
      /** @type {Map<string, V1Server>} */
      const rooms = new Map();
      const roomOf = (/** @type {import('socket.io').Socket} */ socket) => {
        const { room } = /** @type {{ room: string }} */ (socket.handshake.auth);
        const known = rooms.get(room) ?? new V1Server();
        rooms.set(room, known);
        return known;
      };
      io.on('connection', (socket) => roomOf(socket).page(socket));
      io.of('/agent').on('connection', (socket) => roomOf(socket).agent(socket));
    },
    async serverStop() {
      await io?.close();
    },
  };
}
