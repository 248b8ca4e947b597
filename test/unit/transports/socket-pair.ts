import type { SocketLike, SocketListener } from '../../../src/transports/socket-like.js';

/** One end of a Socket.IO-shaped connection in memory: what `socket.io-client` and `socket.io` have in common. */
export class FakeSocket implements SocketLike {
  connected = false;
  readonly emitted: { readonly event: string; readonly args: readonly unknown[] }[] = [];
  /** What was called of it, besides `on`, `off` and `emit`. */
  readonly calls: string[] = [];
  peer: FakeSocket | undefined;
  readonly #listeners = new Map<string, SocketListener[]>();

  on(event: string, listener: SocketListener): this {
    this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), listener]);
    return this;
  }

  off(event: string, listener: SocketListener): this {
    this.#listeners.set(event, (this.#listeners.get(event) ?? []).filter((each) => each !== listener));
    return this;
  }

  /** As on a real one, arguments are copied and arrive later; an acknowledgment callback answers the other end. */
  emit(event: string, ...args: unknown[]): this {
    this.emitted.push({ event, args });
    const { peer } = this;
    if (!this.connected || !peer) return this;
    const callback = args.at(-1);
    const copied = args.filter((arg) => typeof arg !== 'function').map(copy);
    queueMicrotask(() => {
      if (!this.connected || this.peer !== peer) return;
      if (typeof callback !== 'function') return peer.hear(event, ...copied);
      peer.hear(event, ...copied, (...said: unknown[]) => {
        queueMicrotask(() => {
          if (this.peer === peer && this.connected) (callback as SocketListener)(...said.map(copy));
        });
      });
    });
    return this;
  }

  connect(): this {
    this.calls.push('connect');
    return this;
  }

  disconnect(): this {
    this.calls.push('disconnect');
    return this;
  }

  /** Calls the listeners, as the library does when something arrived. */
  hear(event: string, ...args: unknown[]): void {
    for (const listener of [...(this.#listeners.get(event) ?? [])]) listener(...args);
  }

  /** Names with a listener, with their number. */
  listening(): { readonly [event: string]: number } {
    const counts = [...this.#listeners].map(([event, listeners]) => [event, listeners.length] as const);
    return Object.fromEntries(counts.filter(([, count]) => count > 0));
  }
}

/** A server's socket exists while its client is connected; the client's goes on over connections. */
export interface SocketPair {
  readonly client: FakeSocket;
  /** Connects the client. @returns the server's new socket for it. */
  connect(): FakeSocket;
  disconnect(reason?: string): void;
}

export function createSocketPair(): SocketPair {
  const client = new FakeSocket();
  return {
    client,
    connect() {
      const server = new FakeSocket();
      // A server's socket cannot connect.
      Object.defineProperty(server, 'connect', { value: undefined });
      server.connected = client.connected = true;
      server.peer = client;
      client.peer = server;
      client.hear('connect');
      return server;
    },
    disconnect(reason = 'transport close') {
      const server = client.peer;
      if (!server) return;
      server.connected = client.connected = false;
      server.peer = client.peer = undefined;
      client.hear('disconnect', reason);
      server.hear('disconnect', reason);
    },
  };
}

function copy(value: unknown): unknown {
  return value === undefined ? null : JSON.parse(JSON.stringify(value));
}
