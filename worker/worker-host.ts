import { transfer, wrap } from 'comlink';
import type { EngineInput } from '../src/protocol/engine-messages.js';
import { messageOf } from '../src/protocol/error-message.js';
import * as LIMITS from '../src/protocol/limits.js';
import type { EngineHost, EngineHostEvents, EngineHostFactory } from '../src/protocol/engine-host.js';
import { copyForWorker } from './copy-for-worker.js';
import { withDeadline } from './deadline.js';
import { startHeartbeat } from './heartbeat.js';
import { createHostTimers } from './host-timers.js';
import type { EngineWorkerControl, EngineWorkerOptions } from './port-messages.js';
import type { TimerCommand, TokenAnswer, ToPage, ToWorker } from './port-messages.js';
import { describeSource, spawnWorker } from './spawn-worker.js';
import type { WorkerSource } from './spawn-worker.js';

export interface WorkerHostOptions {
  /**
   * The worker script's address on this page's own origin, relative to the document; or a function that makes the
   * worker. A script that wraps ours must import it statically: what arrives before it listens is lost.
   */
  readonly workerUrl: WorkerSource;
  /** The agent runtime's address, for a worker that owns the connection. Without it, frames pass through the page. */
  readonly socketUrl?: string | undefined;
  /** Allows `ws:` to hosts other than this machine. Default false. */
  readonly insecure?: boolean | undefined;
  /** Gives the token for each attempt of the worker's to connect. It runs here, on the page. */
  readonly token?: (() => string | Promise<string>) | undefined;
  /**
   * Address of `oui.extras.js`, relative to the document: the part of the engine that some surfaces need. Default:
   * beside the worker script; none for a function, and for a script at a `blob:` or `data:` address. A worker that needs it and cannot load it is lost, and the engine goes on in the page.
   */
  readonly extrasUrl?: string | URL | undefined;
  /** Address of `oui.compiler.js`, relative to the document: schemas are then compiled. Default: interpreted. */
  readonly compilerUrl?: string | URL | undefined;
  /** How long the worker may take to start, ms. Default 3 s. */
  readonly readyMs?: number | undefined;
  /** How long a worker that owes something may be silent, ms. Default 10 s. */
  readonly silenceMs?: number | undefined;
}

const SILENCE_MS = 10_000;
/** From the last message until the worker is ended: time for its connection to send what is queued and to close. */
const FAREWELL_MS = 1_000;

/**
 * Runs engines in Web Workers.
 *
 * `open` rejects, and leaves no worker behind, when the worker cannot be made, reports an error before it is ready, or
 * does not answer in time: a policy that blocks a worker mostly just keeps it silent. Afterwards `lost` is called when
 * the worker dies, or hangs for 10 s with work to do; it has been terminated by then. An error that the worker does not
 * catch reaches the page's own error handlers, as any worker's does.
 */
export function createWorkerHostFactory(options: WorkerHostOptions): EngineHostFactory {
  return { kind: 'worker', open: (events) => openWorkerHost(options, events) };
}

async function openWorkerHost(options: WorkerHostOptions, events: EngineHostEvents): Promise<EngineHost> {
  const name = describeSource(options.workerUrl);
  let worker: Worker | undefined;
  const starting = new AbortController();
  const { port1: port, port2: farPort } = new MessageChannel();
  try {
    worker = spawnWorker(options.workerUrl);
    const control = wrap<EngineWorkerControl>(worker);
    const lockName = pageLocks() && `oui-engine-${crypto.randomUUID()}`;
    const start: EngineWorkerOptions = {
      url: options.socketUrl,
      insecure: options.insecure,
      asksForToken: options.token !== undefined,
      extrasUrl: extrasUrl(options),
      compilerUrl: options.compilerUrl && new URL(options.compilerUrl, document.baseURI).href,
      lockName,
    };
    const readyMs = options.readyMs ?? LIMITS.workerReadyMs;
    const { locked } = await withDeadline(
      Promise.race([control.start(start, transfer(farPort, [farPort])), firstFailure(worker, name, starting.signal)]),
      readyMs,
      `${name} was not ready within ${readyMs} ms; a content security policy may forbid it, or it is another script`,
    );
    return runHost({
      worker,
      port,
      events,
      ping: () => control.ping(),
      token: options.token,
      lockName: locked ? lockName : undefined,
      silenceMs: options.silenceMs ?? SILENCE_MS,
    });
  } catch (error) {
    worker?.terminate();
    port.close();
    throw error instanceof Error ? error : new Error(String(error));
  } finally {
    starting.abort();
  }
}

/** Rejects when the worker reports that it could not be loaded or run. Listens until `signal` fires. */
function firstFailure(worker: Worker, name: string, signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    // Chromium, Firefox and WebKit give no message when a policy or a missing file is the cause.
    const failed = (event: Event): void => {
      // It is told by the rejection; the page's own error handlers have nothing to do with it.
      event.preventDefault();
      const said = 'message' in event && typeof event.message === 'string' ? event.message : '';
      reject(new Error(`${name} could not be loaded or run${said === '' ? '' : `: ${said}`}`));
    };
    worker.addEventListener('error', failed, { signal });
    worker.addEventListener('messageerror', failed, { signal });
  });
}

interface StartedWorker {
  readonly worker: Worker;
  readonly port: MessagePort;
  readonly events: EngineHostEvents;
  ping(): Promise<void>;
  readonly token: WorkerHostOptions['token'];
  /** The lock that the worker holds, if it could take one. */
  readonly lockName: string | undefined;
  readonly silenceMs: number;
}

function runHost({ worker, port, events, ping, token, lockName, silenceMs }: StartedWorker): EngineHost {
  let outgoing: { inputs: EngineInput[]; timers: TimerCommand[] } | undefined;
  let ended = false;
  const lockWatch = new AbortController();

  const queue = (): NonNullable<typeof outgoing> => {
    if (outgoing === undefined) {
      outgoing = { inputs: [], timers: [] };
      queueMicrotask(() => flush());
    }
    return outgoing;
  };
  const flush = (last?: { readonly stop: true }): void => {
    if (outgoing === undefined && last === undefined) return;
    const message: ToWorker = { ...outgoing, ...last };
    outgoing = undefined;
    copyForWorker(message, (copyable) => port.postMessage(copyable));
    heartbeat.expect();
  };

  const timers = createHostTimers((command) => {
    if (!ended) queue().timers.push(command);
  });
  const end = (): void => {
    ended = true;
    heartbeat.stop();
    lockWatch.abort();
    port.onmessage = null;
  };
  const lose = (reason: string, why?: 'hung' | 'unfit'): void => {
    if (ended) return;
    end();
    outgoing = undefined;
    worker.terminate();
    port.close();
    timers.close();
    events.lost(reason, why);
  };

  const heartbeat = startHeartbeat({
    ping,
    setTimer(ms, callback) {
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    },
    silenceMs,
    always: lockName === undefined,
    dead: () => lose(`the worker has not answered for ${silenceMs} ms`, 'hung'),
  });
  if (lockName !== undefined) {
    // Granted when its holder, the worker, is gone.
    const granted = (): void => lose('the worker has died');
    pageLocks()
      ?.request(lockName, { signal: lockWatch.signal }, granted)
      .catch(() => undefined);
  }
  /** What is thrown crosses to the worker as its message alone: an error of the application's may not be copyable. */
  const askForToken = async (id: number): Promise<void> => {
    const answer: TokenAnswer = await Promise.resolve()
      .then(() => token?.())
      .then(
        (given) => (typeof given === 'string' ? { id, token: given } : { id, failed: `it gave a ${typeof given}` }),
        (error: unknown) => ({ id, failed: messageOf(error) }),
      );
    if (!ended) port.postMessage({ token: answer } satisfies ToWorker);
  };
  worker.addEventListener('messageerror', () => lose('a message of the worker could not be read'));
  port.onmessageerror = () => lose('a message of the worker could not be read');
  port.onmessage = ({ data }: MessageEvent<ToPage>): void => {
    heartbeat.heard();
    if (data.unfit !== undefined) return lose(data.unfit, 'unfit');
    if (data.busy === true) heartbeat.expect();
    if (data.asksForToken !== undefined) void askForToken(data.asksForToken);
    for (const id of data.fired ?? []) timers.fire(id);
    if (!ended && data.effects !== undefined && data.effects.length > 0) events.effects(data.effects);
  };

  return {
    kind: 'worker',
    post(inputs) {
      if (!ended) queue().inputs.push(...inputs);
    },
    setTimer: (ms, callback) => timers.set(ms, callback),
    close(atOnce = false) {
      timers.close();
      if (ended) return;
      if (!atOnce) flush({ stop: true });
      end();
      if (atOnce) {
        worker.terminate();
        port.close();
        return;
      }
      // Not at once: the last results and the closing of the connection are on their way.
      setTimeout(() => {
        worker.terminate();
        port.close();
      }, FAREWELL_MS);
    },
  };
}

function extrasUrl({ extrasUrl: given, workerUrl }: WorkerHostOptions): string | undefined {
  if (given !== undefined) return new URL(given, document.baseURI).href;
  if (typeof workerUrl === 'function') return undefined;
  const script = new URL(workerUrl, document.baseURI);
  // Nothing is beside a script that was made in the page, `blob:` or `data:`.
  return URL.canParse('oui.extras.js', script) ? new URL('oui.extras.js', script).href : undefined;
}

/** Web Locks exist in secure contexts only. */
function pageLocks(): LockManager | undefined {
  return navigator.locks as LockManager | undefined;
}
