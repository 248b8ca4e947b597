import type { EffectOf, EngineInput } from '../../protocol/engine-messages.js';
import type { JsonText } from '../../protocol/json.js';
import type { Release, Transport, TransportState } from '../../protocol/ports.js';
import { AttachedTransport } from './attached-transport.js';
import { AwaitedEvents } from './awaited-events.js';
import type { PageTimers } from '../clock/page-timers.js';

export interface PageConnectionPorts {
  post(inputs: readonly EngineInput[]): void;
  /** What came over the connection that has ended is of no use to a later engine. */
  dropMessages(): void;
  /** Told after the engine: a listener of the page's may attach another transport. */
  changed(state: TransportState, reason: string | undefined): void;
  /** Hears of each frame that this thread sends or gets. */
  readonly frames: { sent(type: string, payload: JsonText): void; heard(message: unknown): void };
  /** An event of the application's own, which a job waits for. */
  hear(event: string, payload: unknown): void;
}

/** The runtime's connection: the engine's own, or a transport that the page brings. */
export class PageConnection {
  readonly #timers: PageTimers;
  readonly #ports: PageConnectionPorts;
  readonly #awaited: AwaitedEvents;
  #attached: AttachedTransport | null = null;
  /** Calls of `attach`, and connections of attached transports, so far. */
  #attachments = 0;
  #connections = 0;
  #state: TransportState = 'disconnected';

  constructor(timers: PageTimers, ports: PageConnectionPorts) {
    this.#timers = timers;
    this.#ports = ports;
    this.#awaited = new AwaitedEvents((event, payload) => ports.hear(event, payload));
  }

  get state(): TransportState {
    return this.#state;
  }

  get isAttached(): boolean {
    return this.#attached !== null;
  }

  /** Speaks over this transport from now on. `goesOn`: asked after the present one was let go of. */
  attach(transport: Transport | null, goesOn: () => boolean): void {
    const attachment = ++this.#attachments;
    this.release('the page let go of the transport');
    // A listener that just heard of it may have attached another, or have ended the runtime.
    if (!transport || attachment !== this.#attachments || !goesOn()) return;
    this.#attached = new AttachedTransport(transport, this.#timers, attachment === 1, {
      state: (state, reason) => this.#transportChanged(state, reason),
      sent: (type, payload) => this.#ports.frames.sent(type, payload),
      message: (message) => {
        this.#ports.frames.heard(message);
        this.#ports.post([{ kind: 'message', message }]);
      },
      nextConnection: () => ++this.#connections,
    });
    this.#awaited.use(transport);
    this.#attached.open();
  }

  /** Listens for an event of the application's own, on this transport and those that come after it. */
  awaitEvent(event: string): Release {
    return this.#awaited.await(event);
  }

  /** The connection as a new engine is told of it; empty when the engine owns it, or there is none. */
  replay(): EngineInput[] {
    const connected = this.#attached?.connected();
    return connected ? [connected] : [];
  }

  send(frame: EffectOf<'send'>): void {
    this.#attached?.send(frame);
  }

  reconnect(reason: string): void {
    this.#attached?.reconnect(reason);
  }

  /** The state of the engine's own connection, or of the one that ended. */
  set(state: TransportState, reason?: string): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#ports.changed(state, reason);
  }

  /** The document is being left. */
  leave(): void {
    this.#attached?.leave();
    this.set('disconnected', 'the page was left');
  }

  /** It is there again. */
  comeBack(): void {
    this.#awaited.listenAgain();
    this.#attached?.open();
  }

  /** Lets go of the attached transport. */
  release(reason: string): void {
    this.#attached?.release();
    this.#attached = null;
    this.#awaited.use(null);
    this.#transportChanged('disconnected', reason);
  }

  /** Of the attached transport. The engine hears first: a listener of the page's may attach another. */
  #transportChanged(state: TransportState, reason?: string): void {
    const connected = this.#attached?.connected();
    if (connected) this.#ports.post([connected]);
    else if (this.#state === 'connected') {
      this.#ports.dropMessages();
      this.#ports.post([{ kind: 'disconnected', reason: reason ?? state }]);
    }
    this.set(state, reason);
  }
}
