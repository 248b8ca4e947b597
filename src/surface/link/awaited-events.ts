import type { Release, Transport } from '../../protocol/ports.js';

/**
 * Events of the application's own that open jobs wait for, on bindings that have names for events: a socket says
 * nothing of an event that nobody listens to. Each is listened to once, however many jobs wait for it.
 */
export class AwaitedEvents {
  readonly #hear: (event: string, payload: unknown) => void;
  readonly #awaited = new Map<string, { jobs: number; release: Release }>();
  #transport: Transport | null = null;

  constructor(hear: (event: string, payload: unknown) => void) {
    this.#hear = hear;
  }

  /** The transport to listen to from now on, if there is one. */
  use(transport: Transport | null): void {
    this.#transport = transport;
    for (const [event, awaited] of this.#awaited) {
      awaited.release();
      awaited.release = this.#listen(event);
    }
  }

  /** A transport that was disconnected has forgotten what it was to listen to. */
  listenAgain(): void {
    this.use(this.#transport);
  }

  await(event: string): Release {
    const awaited = this.#awaited.get(event) ?? { jobs: 0, release: this.#listen(event) };
    awaited.jobs += 1;
    this.#awaited.set(event, awaited);
    let waiting = true;
    return () => {
      if (!waiting) return;
      waiting = false;
      awaited.jobs -= 1;
      if (awaited.jobs > 0) return;
      this.#awaited.delete(event);
      awaited.release();
    };
  }

  #listen(event: string): Release {
    return this.#transport?.listen?.(event, (payload) => this.#hear(event, payload)) ?? (() => undefined);
  }
}
