import { createDriver } from '../src/engine/driver.js';
import type { Release, Validator } from '../src/protocol/ports.js';
import * as WARNINGS from '../src/protocol/warning-codes.js';
import { setHostTimer } from '../src/protocol/timer.js';
import { createWebSocketTransport } from '../src/transports/websocket.js';
import { createCompiledValidator } from '../src/validation/compiled.js';
import type { SchemaCompiler } from '../src/validation/compiled.js';
import { createInterpretedValidator } from '../src/validation/interpreted.js';
import { createIdbStore } from './idb-store.js';
import { extrasFor } from './late-extras.js';
import { createTokenQuestions } from './token-questions.js';
import type { EngineWorkerControl, EngineWorkerOptions, TimerCommand, ToPage, ToWorker } from './port-messages.js';

/** The worker's side of an engine: what a page calls, and the engine behind it. */
export function createEngineControl(): EngineWorkerControl {
  let started = false;
  let busyNoted = false;
  return {
    async start(options, port) {
      if (started) throw new Error('This worker runs an engine already. Start another worker for another engine.');
      started = true;
      const locked = options.lockName !== undefined && (await holdLock(options.lockName));
      serveEngine(options, port, () => {
        if (busyNoted) return;
        busyNoted = true;
        // At once, not with the batch: should the frame's schema hang this thread, the batch would never leave.
        port.postMessage({ busy: true } satisfies ToPage);
      });
      return { locked };
    },
    ping() {
      busyNoted = false;
    },
  };
}

function serveEngine(options: EngineWorkerOptions, port: MessagePort, noteBusy: () => void): void {
  let outgoing: { effects: NonNullable<ToPage['effects']>[number][]; fired: number[] } | undefined;
  const queue = (): NonNullable<typeof outgoing> => {
    if (outgoing === undefined) {
      outgoing = { effects: [], fired: [] };
      queueMicrotask(flush);
    }
    return outgoing;
  };
  const flush = (): void => {
    if (outgoing === undefined) return;
    const message: ToPage = outgoing;
    outgoing = undefined;
    port.postMessage(message);
  };

  const tokens = createTokenQuestions((id) => port.postMessage({ asksForToken: id } satisfies ToPage));
  const token = options.asksForToken === true ? tokens.ask : undefined;
  const transport =
    options.url === undefined
      ? undefined
      : createWebSocketTransport(options.url, { insecure: options.insecure, token });
  // Before the driver's own listener, which does the work.
  transport?.onEvent(noteBusy);
  const warn = (code: string, message: string): void => void queue().effects.push({ kind: 'warn', code, message });
  const driver = createDriver({
    moment: () => ({ now: performance.timeOrigin + performance.now(), wall: Date.now() }),
    setTimer: setHostTimer,
    validator: createValidator(options, warn),
    transport,
    store: createIdbStore(),
    late: {
      before: (input) => extrasFor(input, options.extrasUrl),
      failed: (reason) => port.postMessage({ unfit: reason } satisfies ToPage),
      // One input that the engine cannot take must not cost those that came with it.
      faulted: ({ kind }, error) => {
        warn(WARNINGS.ENGINE_FAULT, `The engine failed on an input of kind "${kind}": ${String(error)}`);
      },
    },
    toPage: (effects) => void queue().effects.push(...effects),
  });

  const pageTimers = createPageTimers((id) => void queue().fired.push(id));
  port.onmessage = ({ data }: MessageEvent<ToWorker>): void => {
    for (const command of data.timers ?? []) pageTimers(command);
    driver.post(data.inputs ?? []);
    if (data.token) tokens.answer(data.token);
    if (data.stop === true) {
      driver.close();
      port.close();
    }
  };
}

function createValidator({ compilerUrl }: EngineWorkerOptions, warn: (code: string, message: string) => void): Validator {
  if (compilerUrl === undefined) return createInterpretedValidator();
  return createCompiledValidator({ load: () => import(/* @vite-ignore */ compilerUrl) as Promise<SchemaCompiler>, warn });
}

/** Runs the page's timers: a worker's are on time in a hidden tab too. */
function createPageTimers(fire: (id: number) => void): (command: TimerCommand) => void {
  const timers = new Map<number, Release>();
  return ({ id, ms }) => {
    timers.get(id)?.();
    timers.delete(id);
    if (ms === undefined) return;
    const due = (): void => {
      timers.delete(id);
      fire(id);
    };
    timers.set(id, setHostTimer(ms, due));
  };
}

/** Takes a Web Lock for the life of this worker. The browser releases it when the worker dies, however it dies. */
function holdLock(name: string): Promise<boolean> {
  const locks = globalThis.navigator?.locks as LockManager | undefined;
  if (locks === undefined) return Promise.resolve(false);
  return new Promise((resolve) => {
    const held = (): Promise<never> => {
      resolve(true);
      return new Promise(() => undefined);
    };
    // Refused in documents without storage, such as sandboxed frames.
    locks.request(name, held).catch(() => resolve(false));
  });
}
