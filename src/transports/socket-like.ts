// An application's sockets type their events and listeners in ways of their own, which no other type here fits.
// oxlint-disable-next-line typescript/no-explicit-any
type Any = any;

export type SocketListener = (...args: Any[]) => void;

/**
 * What is used of a Socket.IO socket, in a page or on a server. The application owns it: it is never connected and
 * never disconnected here.
 */
export interface SocketLike {
  /** Absent: it is taken for connected until it says otherwise. */
  readonly connected?: boolean;
  emit(event: Any, ...args: Any[]): unknown;
  on(event: Any, listener: Any): unknown;
  off(event: Any, listener: Any): unknown;
  once?(event: Any, listener: Any): unknown;
  /** Its presence tells that a lost connection may come back. A server's sockets do not have it. */
  connect?(): unknown;
  disconnect?(): unknown;
}

/** Listeners on a socket of somebody else's: those that were added here, and only those, are taken away again. */
export class OwnListeners {
  readonly #socket: SocketLike;
  readonly #own = new Set<() => void>();

  constructor(socket: SocketLike) {
    this.#socket = socket;
  }

  add(event: string, listener: SocketListener): () => void {
    // A function of its own for each: the same one may be listened with by others.
    const own: SocketListener = (...args) => listener(...(args as unknown[]));
    const release = (): void => {
      if (this.#own.delete(release)) this.#socket.off(event, own);
    };
    this.#own.add(release);
    this.#socket.on(event, own);
    return release;
  }

  clear(): void {
    for (const release of [...this.#own]) release();
  }
}
