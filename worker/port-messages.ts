import type { EngineEffect, EngineInput } from '../src/protocol/engine-messages.js';

/**
 * What crosses between a page and the worker that runs its engine.
 *
 * Two channels. Control (`EngineWorkerControl`) goes by comlink over the worker's own port. Everything else goes over
 * one transferred port; inputs and effects in at most one message per tick each way. The types below are all of it.
 */

/** What a worker needs to run an engine. */
export interface EngineWorkerOptions {
  /** The agent runtime's address. With it the worker owns the connection; without it frames pass through the page. */
  readonly url?: string | undefined;
  /** Allows `ws:` to hosts other than this machine. */
  readonly insecure?: boolean | undefined;
  /** The page has a token provider: it is asked for a token at each attempt to connect. */
  readonly asksForToken?: boolean | undefined;
  /** Address of the part of the engine that some surfaces need (`oui.extras.js`). */
  readonly extrasUrl?: string | undefined;
  /** Address of the compiler of schemas (`oui.compiler.js`). Without it schemas are interpreted. */
  readonly compilerUrl?: string | undefined;
  /** A Web Lock for the worker to hold as long as it lives. */
  readonly lockName?: string | undefined;
}

/** The calls that a page makes on its worker. Each can hang for ever when the worker dies: put a deadline on it. */
export interface EngineWorkerControl {
  /**
   * Starts the engine. The answer is the worker's sign that it is ready.
   *
   * @param port For `ToWorker` and `ToPage`.
   * @returns Whether the lock is held.
   * @throws {Error} when called twice: a worker runs one engine in its life.
   */
  start(options: EngineWorkerOptions, port: MessagePort): Promise<{ readonly locked: boolean }>;
  /** Answers, which a worker that hangs in a loop cannot. */
  ping(): void;
}

/** A timer of the page's: set with `ms`, cleared without. */
export interface TimerCommand {
  readonly id: number;
  readonly ms?: number;
}

/** Answers one `asksForToken`. */
export type TokenAnswer =
  | { readonly id: number; readonly token: string }
  | { readonly id: number; readonly failed: string };

export interface ToWorker {
  readonly inputs?: readonly EngineInput[];
  readonly timers?: readonly TimerCommand[];
  /** What the page's token provider gave, or why it gave none. */
  readonly token?: TokenAnswer;
  /** The last message: send what is queued, close the connection, take no more. */
  readonly stop?: true;
}

export interface ToPage {
  readonly effects?: readonly EngineEffect[];
  /** Timers of the page's that are due. */
  readonly fired?: readonly number[];
  /** The worker wants to connect: the page's token provider is to be asked, and the answer names this number. */
  readonly asksForToken?: number;
  /** The engine cannot go on, and neither could another worker's: why. */
  readonly unfit?: string;
  /** The worker is about to work on a frame of the agent's. Sent once between two pings. */
  readonly busy?: true;
}
