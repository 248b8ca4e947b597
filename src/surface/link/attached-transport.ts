import { Outbox } from '../../engine/outbox.js';
import type { EffectOf, EngineInput } from '../../protocol/engine-messages.js';
import type { JsonText } from '../../protocol/json.js';
import { messageOf } from '../../protocol/error-message.js';
import type { Release, Transport, TransportState } from '../../protocol/ports.js';
import { warnOnce } from '../../protocol/warn-once.js';
import * as WARNINGS from '../../protocol/warning-codes.js';
import type { PageTimers } from '../clock/page-timers.js';

export interface AttachedTransportEvents {
  state(state: TransportState, reason?: string): void;
  message(message: unknown): void;
  /** A frame was handed to the transport. */
  sent(type: string, payload: JsonText): void;
  /** A number that no connection of the page had before. */
  nextConnection(): number;
}

/**
 * A connection that the page owns: frames go through this thread in both directions.
 *
 * Between the engine and this thread lies a queue, and the page may change transports meanwhile. What the engine said
 * to one peer must not reach another: connections have numbers, and each frame names the one that it is for.
 */
export class AttachedTransport {
  readonly #transport: Transport;
  readonly #events: AttachedTransportEvents;
  readonly #outbox: Outbox;
  readonly #releases: Release[];
  /** Whoever connects it disconnects it. */
  readonly #connectedHere: boolean;
  /** Of the connection that stands. */
  #connection: number | undefined;
  /** No engine has said anything over it yet, so none is known to have heard that here is another peer. */
  #fresh: boolean;
  #released = false;

  /** `first`: the page spoke over no other before, so whatever is still to be said is for this peer. */
  constructor(transport: Transport, timers: PageTimers, first: boolean, events: AttachedTransportEvents) {
    this.#transport = transport;
    this.#fresh = !first;
    this.#events = events;
    this.#outbox = new Outbox(transport, (ms, callback) => timers.set(ms, callback), (type, payload) => {
      events.sent(type, payload);
    });
    this.#connectedHere = transport.state === 'disconnected';
    this.#releases = [
      transport.onEvent((message) => events.message(message)),
      transport.onState((state, reason) => this.#onState(state, reason)),
    ];
  }

  /** Begins: takes the transport as it is, and connects it when it is not. Events may come before this returns. */
  open(): void {
    if (!this.#connectedHere) return this.#onState(this.#transport.state);
    this.#guard(() => {
      void this.#transport.connect().catch((error) => this.#onState('disconnected', messageOf(error)));
    });
  }

  /** The connection as an engine is told of it; `undefined` while there is none. */
  connected(): EngineInput | undefined {
    if (this.#connection === undefined) return undefined;
    const { maxFrameBytes, acknowledges } = this.#transport;
    return {
      kind: 'connected',
      connection: this.#connection,
      ...(this.#fresh && { fresh: true }),
      ...(maxFrameBytes !== undefined && { frameBytes: maxFrameBytes }),
      ...(acknowledges && { acknowledges }),
    };
  }

  send({ type, payload, slot, connection }: EffectOf<'send'>): void {
    if (this.#connection === undefined || connection !== this.#connection) return;
    this.#fresh = false;
    this.#guard(() => this.#outbox.send(type, payload, slot));
  }

  reconnect(reason: string): void {
    this.#guard(() => this.#transport.reconnect?.(reason));
  }

  /** The document is being left: a connection that was opened here is closed. `open` opens it again. */
  leave(): void {
    this.#connection = undefined;
    this.#outbox.clear();
    if (this.#connectedHere) this.#guard(() => this.#transport.disconnect());
  }

  release(): void {
    if (this.#released) return;
    this.#released = true;
    this.#connection = undefined;
    for (const release of this.#releases) release();
    this.#outbox.clear();
    if (this.#connectedHere) this.#guard(() => this.#transport.disconnect());
  }

  #onState(state: TransportState, reason?: string): void {
    if (this.#released) return;
    if (state !== 'connected') {
      this.#connection = undefined;
      this.#outbox.clear();
    } else this.#connection ??= this.#events.nextConnection();
    this.#events.state(state, reason);
  }

  /** A transport that throws must not stop the effects that come after. */
  #guard(call: () => void): void {
    try {
      call();
    } catch (error) {
      warnOnce(WARNINGS.CALLBACK_THREW, `The attached transport threw: ${messageOf(error)}.`, 'transport');
    }
  }
}
