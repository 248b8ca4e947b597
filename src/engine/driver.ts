import { KEPT_INPUTS, type EngineEffect, type EngineInput } from '../protocol/engine-messages.js';
import { messageOf } from '../protocol/error-message.js';
import * as LIMITS from '../protocol/limits.js';
import type { Moment, Release, Store, Transport, Validator } from '../protocol/ports.js';
import { inspectedFrame, inspectedMessage } from '../rules/inspected-frame.js';
import { Engine } from './engine.js';
import { lastInputs, type HeldInput } from './held-inputs.js';
import { Outbox } from './outbox.js';

/** What an engine host lends its engine. */
export interface DriverPorts {
  moment(): Moment;
  /** However long the wait; `setHostTimer` puts a very long one together from several. */
  setTimer(ms: number, callback: () => void): Release;
  readonly validator: Validator;
  /** The connection that this host owns. Without one, frames go to the page and come from it. */
  readonly transport?: Transport | undefined;
  /** Where what is too long for the page's journal is kept. Without one it is not. */
  readonly store?: Store | undefined;
  /** Parts of the engine's code that are loaded when they are first needed. Default: all of it is there. */
  readonly late?: LateParts | undefined;
  /** Effects for the page, in order. */
  toPage(effects: readonly EngineEffect[]): void;
}

/** Code of the engine's that comes later than the rest. */
export interface LateParts {
  /** What must have come before this input can be taken, if anything. Nothing overtakes the input. */
  before(input: EngineInput): Promise<void> | undefined;
  /** It has not come: the engine cannot go on. Nothing is taken any more. */
  failed(reason: string): void;
  /** A step over an input threw. Those behind it are taken all the same. */
  faulted(input: EngineInput, error: unknown): void;
}

/** An engine with a clock, timers and perhaps a connection. */
export interface Driver {
  /** Takes inputs in order. The first must be `configure`; the connection is opened then. */
  post(inputs: readonly EngineInput[]): void;
  /** Answers what is still held, stops every timer and closes the connection. Idempotent. */
  close(): void;
}

/** Runs an engine on real time: carries out what can be done beside it, and hands the page the rest. */
export function createDriver(ports: DriverPorts): Driver {
  const { transport, store } = ports;
  let watchesFrames = false;
  const outbox = transport && new Outbox(transport, ports.setTimer, (type, payload) => {
    if (!watchesFrames) return;
    ports.toPage([{ kind: 'frame', frame: inspectedFrame('out', type, payload, ports.moment().wall) }]);
  });
  const timers = new Map<string, Release>();
  const releases: Release[] = [];
  const pending = new Set<Release>();
  let engine: Engine | undefined;
  let closed = false;
  /** Inputs behind one that waits, in order. */
  let held: HeldInput[] | undefined;
  /** The runtime ended while inputs were held: nothing waits any more. */
  let ending = false;

  const carryOut = (effect: EngineEffect, forPage: EngineEffect[]): void => {
    switch (effect.kind) {
      case 'set-timer': {
        const { key } = effect;
        timers.get(key)?.();
        timers.set(key, ports.setTimer(effect.ms, () => {
          timers.delete(key);
          post([{ kind: 'timer', key }]);
        }));
        return;
      }
      case 'clear-timer':
        timers.get(effect.key)?.();
        timers.delete(effect.key);
        return;
      case 'send':
        if (outbox) outbox.send(effect.type, effect.payload, effect.slot);
        else forPage.push(effect);
        return;
      case 'reconnect':
        if (transport) transport.reconnect?.(effect.reason);
        else forPage.push(effect);
        return;
      case 'store':
        return void store?.put(effect.key, effect.text, effect.until);
      case 'store-delete':
        return void store?.delete(effect.key);
      case 'load': {
        const { requestId } = effect;
        return inTime(store?.get(effect.key), undefined, (data) => {
          post([{ kind: 'loaded', requestId, ...(data === undefined ? {} : { data }) }]);
        });
      }
      case 'claim': {
        const { requestId } = effect;
        // A store that is silent may hold another tab's claim.
        return inTime(store?.claim(effect.key, effect.text, effect.until), store === undefined, (ok) => {
          post([{ kind: 'claimed', requestId, ok }]);
        });
      }
      case 'clear-store':
        return inTime(store?.clear(), store === undefined, (ok) => ports.toPage([{ kind: 'store-cleared', ok }]));
      default:
        forPage.push(effect);
    }
  };

  /** What the store answers, or `late` when it does not in time. */
  const inTime = <T>(answer: Promise<T> | undefined, late: T, then: (answer: T) => void): void => {
    let waiting = true;
    const end = (value: T): void => {
      if (!waiting) return;
      waiting = false;
      cancel();
      pending.delete(cancel);
      if (!closed) then(value);
    };
    const cancel = ports.setTimer(answer === undefined ? 0 : LIMITS.storeMs, () => end(late));
    pending.add(cancel);
    void answer?.then(end);
  };

  const hold = (inputs: readonly EngineInput[], fromPage: boolean): void => {
    held?.push(...inputs.map((input) => ({ input, fromPage })));
    if (inputs.some(({ kind }) => kind === 'dispose')) endWithout();
  };

  /** The runtime has ended while a part was on its way, and may be gone before it comes: all that is held is answered now. */
  const endWithout = (): void => {
    const waiting = held ?? [];
    held = undefined;
    ending = true;
    post(lastInputs(waiting));
  };

  /** Holds this input and all that come, until what they need is there. */
  const wait = (needed: Promise<void>, inputs: readonly EngineInput[], fromPage: boolean): void => {
    held = [];
    hold(inputs, fromPage);
    needed.then(
      () => {
        const waiting = held ?? [];
        held = undefined;
        for (const { input, fromPage } of waiting) post([input], fromPage);
      },
      (error: unknown) => {
        if (!closed && !ending) ports.late?.failed(messageOf(error));
      },
    );
  };

  const post = (inputs: readonly EngineInput[], fromPage = false): void => {
    if (held) return hold(inputs, fromPage);
    const forPage: EngineEffect[] = [];
    let taken = 0;
    try {
      for (const [index, input] of inputs.entries()) {
        if (closed) return;
        const needed = ending ? undefined : ports.late?.before(input);
        if (needed) return wait(needed, inputs.slice(index), fromPage);
        try {
          if (input.kind === 'configure' && !engine) {
            engine = new Engine(input.config, ports.validator, ports.moment());
            // Opened after the inputs that came along: the first registrations are then complete.
            if (transport) void Promise.resolve().then(connect);
          }
          if (input.kind === 'watch-frames') watchesFrames = input.on;
          if (fromPage && KEPT_INPUTS.has(input.kind)) taken += 1;
          for (const effect of engine?.step(input, ports.moment()) ?? []) carryOut(effect, forPage);
        } catch (error) {
          if (!ports.late) throw error;
          ports.late.faulted(input, error);
        }
      }
    } finally {
      // Also when a step threw: what the steps before it came to has happened.
      if (taken > 0) forPage.push({ kind: 'taken', count: taken });
      if (forPage.length > 0) ports.toPage(forPage);
    }
  };

  const connect = (): void => {
    if (!transport || closed) return;
    const { maxFrameBytes, acknowledges } = transport;
    const connected: EngineInput = {
      kind: 'connected',
      ...(maxFrameBytes === undefined ? {} : { frameBytes: maxFrameBytes }),
      ...(acknowledges && { acknowledges }),
    };
    releases.push(
      transport.onEvent((message) => {
        if (watchesFrames) ports.toPage([{ kind: 'frame', frame: inspectedMessage(message, ports.moment().wall) }]);
        post([{ kind: 'message', message }]);
      }),
      transport.onState((state, reason) => {
        if (state !== 'connecting') {
          outbox?.clear();
          post([state === 'connected' ? connected : { kind: 'disconnected', reason: reason ?? 'closed' }]);
        }
        ports.toPage([{ kind: 'connection', state, ...(reason === undefined ? {} : { reason }) }]);
      }),
    );
    transport.connect().catch((error: unknown) => {
      if (closed) return;
      const reason = messageOf(error);
      ports.toPage([{ kind: 'connection', state: 'disconnected', reason }]);
    });
  };

  return {
    post: (inputs) => post(inputs, true),
    close() {
      if (closed) return;
      if (held) endWithout();
      closed = true;
      for (const release of [...releases, ...timers.values(), ...pending]) release();
      timers.clear();
      outbox?.clear();
      transport?.disconnect();
    },
  };
}
