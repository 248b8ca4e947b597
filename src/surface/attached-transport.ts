import { Outbox } from '../engine/outbox.js';
import type { EngineEffect } from '../protocol/engine-messages.js';
import type { Release, Transport, TransportState } from '../protocol/ports.js';
import { WARNINGS, warnOnce } from '../protocol/warn-once.js';
import { messageOf } from './outcome.js';
import type { PageTimers } from './page-timers.js';

export interface AttachedTransportEvents {
  state(state: TransportState, reason?: string): void;
  message(message: unknown): void;
}

/** A connection that the page owns: frames go through this thread in both directions. */
export class AttachedTransport {
  readonly #transport: Transport;
  readonly #outbox: Outbox;
  readonly #releases: Release[];
  /** Whoever connects it disconnects it. */
  readonly #connectedHere: boolean;
  #connected = false;

  constructor(transport: Transport, timers: PageTimers, events: AttachedTransportEvents) {
    this.#transport = transport;
    this.#outbox = new Outbox(transport, (ms, callback) => timers.set(ms, callback));
    const onState = (state: TransportState, reason?: string): void => {
      this.#connected = state === 'connected';
      if (!this.#connected) this.#outbox.clear();
      events.state(state, reason);
    };
    this.#releases = [transport.onEvent((message) => events.message(message)), transport.onState(onState)];
    this.#connectedHere = transport.state === 'disconnected';
    if (!this.#connectedHere) onState(transport.state);
    else this.#guard(() => void transport.connect().catch((error) => onState('disconnected', messageOf(error))));
  }

  get connected(): boolean {
    return this.#connected;
  }

  send({ type, payload, slot }: Extract<EngineEffect, { kind: 'send' }>): void {
    if (this.#connected) this.#guard(() => this.#outbox.send(type, payload, slot));
  }

  reconnect(reason: string): void {
    this.#guard(() => this.#transport.reconnect?.(reason));
  }

  release(): void {
    for (const release of this.#releases) release();
    this.#outbox.clear();
    if (this.#connectedHere) this.#guard(() => this.#transport.disconnect());
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
