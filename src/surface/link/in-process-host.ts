import type { createDriver } from '../../engine/driver.js';
import type { EngineEffect, EngineInput } from '../../protocol/engine-messages.js';
import { messageOf } from '../../protocol/error-message.js';
import type { Moment, Store, Transport, Validator } from '../../protocol/ports.js';
import type { EngineHostFactory } from '../../protocol/engine-host.js';
import { pageClock, type PageClock } from '../clock/clock.js';

/** The engine's code. */
export interface InProcessEngine {
  readonly createDriver: typeof createDriver;
  readonly createInterpretedValidator: () => Validator;
}

export interface InProcessHostOptions {
  readonly engine: InProcessEngine;
  /** What checks params and results. Default: the interpreter of the engine's code. */
  createValidator?(): Validator;
  /** The connection that the engine owns. Default: none; frames go through the page's own transport. */
  createTransport?(): Transport | undefined;
  /** Where outcomes lie that are too long for the page's journal. Default: they are not kept beyond the document. */
  createStore?(): Store;
  /** Default: the page's. */
  readonly clock?: Pick<PageClock, 'now' | 'setTimer'>;
  /** Default: that clock's and the system's time. */
  moment?(): Moment;
}

/**
 * Runs the engine in this thread: in Node, and in a page where no worker can start. As with a worker, what one side
 * tells the other in one task arrives together, a microtask later, and never within the call.
 */
export function createInProcessHostFactory(options: InProcessHostOptions): EngineHostFactory {
  const { createDriver, createInterpretedValidator } = options.engine;
  const { clock = pageClock } = options;
  const moment = options.moment ?? (() => ({ now: clock.now(), wall: Date.now() }));
  return {
    kind: 'in-process',
    async open(events) {
      let closed = false;
      const fail = (error: unknown): void => {
        if (closed) return;
        close();
        events.lost(messageOf(error));
      };
      const toPage = batched<EngineEffect>((effects) => {
        if (!closed) events.effects(effects);
      });
      const toEngine = batched<EngineInput>((inputs) => {
        try {
          if (!closed) driver.post(inputs);
        } catch (error) {
          fail(error);
        }
      });
      const driver = createDriver({
        moment,
        setTimer: (ms, callback) =>
          clock.setTimer(ms, () => {
            try {
              callback();
            } catch (error) {
              fail(error);
            }
          }),
        validator: (options.createValidator ?? createInterpretedValidator)(),
        transport: options.createTransport?.(),
        store: options.createStore?.(),
        toPage,
      });
      const close = (): void => {
        closed = true;
        driver.close();
      };
      return { kind: 'in-process', post: toEngine, setTimer: (ms, callback) => clock.setTimer(ms, callback), close };
    },
  };
}

/** Collects what comes within one task and hands it on together. */
function batched<T>(deliver: (items: readonly T[]) => void): (items: readonly T[]) => void {
  let batch: T[] = [];
  return (items) => {
    if (items.length === 0) return;
    if (batch.length === 0) {
      queueMicrotask(() => {
        const ready = batch;
        batch = [];
        deliver(ready);
      });
    }
    batch.push(...items);
  };
}
