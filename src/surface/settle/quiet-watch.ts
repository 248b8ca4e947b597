import type { SettleEnd, SettleMoment } from '../../protocol/inspection.js';
import * as LIMITS from '../../protocol/limits.js';
import type { Release } from '../../protocol/ports.js';
import type { PageTimers } from '../clock/page-timers.js';
import type { SettleListener, SettlerParts, SettleWatch } from './settle-watch.js';
import type { ActionWork } from './track/action-work.js';

/** The page, as one watch sees it. */
export interface WatchedPage extends SettlerParts {
  /** What the open holds are called. */
  holds(): readonly string[];
}

/** An observation that changed: the same object each time. The names are for those who listen. */
export interface Changed {
  readonly surfaceId?: string;
  readonly declaration?: { readonly id: string };
}

/**
 * Waits until the page is quiet after a handler: by default for a while without anything new. A navigation that is
 * under way is no quiet: where it leaves the document, the next one is to answer.
 *
 * Where the page's work is tracked, that while begins when the work is done, and may end early: when the action has
 * shown something and the page has since been still for two frames. An action that has shown nothing yet may have set
 * going what nobody sees, so it waits for the whole while.
 */
export class QuietWatch implements SettleWatch {
  readonly #page: WatchedPage;
  readonly #restless: ReadonlySet<object>;
  readonly #signal: AbortSignal;
  readonly #ended: () => void;
  readonly #start: number;
  readonly #work: ActionWork | undefined;
  readonly #tell: SettleListener | undefined;
  /** When something happened last, on the page's clock. */
  #last: number;
  #deadline = Infinity;
  /** Whether the action has shown anything, and how often something happened or ended. */
  #shown = false;
  #happenings = 0;
  #resolve: ((settled: boolean) => void) | undefined;
  #cancelQuiet: Release = () => {};
  #cancelStill: Release | undefined;
  readonly #onAbort = (): void => this.#finish(false, 'ended');

  constructor(
    page: WatchedPage,
    restless: ReadonlySet<object>,
    signal: AbortSignal,
    ended: () => void,
    tell?: SettleListener,
  ) {
    const { clock } = page.timers;
    this.#page = page;
    this.#restless = restless;
    this.#signal = signal;
    this.#ended = ended;
    this.#tell = tell;
    this.#start = this.#last = clock.now();
    this.#work = page.work?.begin({ now: () => clock.now(), rested: () => this.rested(), tell });
    signal.addEventListener('abort', this.#onAbort);
  }

  /** Something was mounted, unmounted, changed or held. */
  happened(at: number, moment: SettleMoment): void {
    this.#tell?.(moment);
    this.#came(at);
  }

  #came(at: number): void {
    this.#last = Math.max(this.#last, at);
    // What was made before the action and is known only now does not come from it.
    if (at >= this.#start) this.#shown = true;
    this.#happenings += 1;
    this.#expectStillness();
  }

  changed(observation: Changed, at: number): void {
    const ignored = this.#restless.has(observation);
    if (this.#tell) {
      const { surfaceId = '', declaration } = observation;
      this.#tell({ kind: 'observation', surfaceId, observationId: declaration?.id ?? '', ...(ignored && { ignored }) });
    }
    if (!ignored) this.#came(at);
    // It may have changed by itself; while the handler ran it is taken for its doing.
    else if (!this.#resolve && at >= this.#start) this.#shown = true;
  }

  /** Tracked work has ended, or the last hold. */
  rested(): void {
    if (!this.#resolve) return;
    this.#last = this.#page.timers.clock.now();
    this.#happenings += 1;
    this.#expectQuiet();
    this.#expectStillness();
  }

  settled(): Promise<boolean> {
    if (this.#signal.aborted) return Promise.resolve(false);
    const { times, timers } = this.#page;
    this.#page.flush();
    this.#last = timers.clock.now();
    this.#deadline = this.#last + times.timeoutMs;
    this.#work?.returned();
    this.#tell?.({ kind: 'waiting', quietMs: times.quietMs, holds: this.#page.holds(), work: this.#work?.size ?? 0 });
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.#expectQuiet();
      this.#expectStillness();
    });
  }

  end(): void {
    this.#finish(false, 'ended');
  }

  get #busy(): boolean {
    return this.#page.holds().length > 0 || this.#work?.busy === true;
  }

  get #quietAt(): number {
    return this.#busy ? Infinity : this.#last + this.#page.times.quietMs;
  }

  /** One timer, for when quiet or the deadline is due. What happens before only makes it look again. */
  #expectQuiet(): void {
    const { timers } = this.#page;
    const wait = Math.min(this.#quietAt, this.#deadline) - timers.clock.now();
    this.#cancelQuiet();
    this.#cancelQuiet = timers.set(Math.max(0, Math.ceil(wait)), () => {
      this.#page.flush();
      // Somebody who heard of a change may have ended the request.
      if (!this.#resolve) return;
      const now = timers.clock.now();
      if (now >= this.#quietAt) this.#finish(true, 'quiet');
      else if (now >= this.#deadline) this.#finish(false, 'deadline');
      else this.#expectQuiet();
    });
  }

  /** One look at a time; the next one begins when something happens. */
  #expectStillness(): void {
    const tracked = this.#page.work?.tracked === true;
    if (!tracked || !this.#resolve || !this.#shown || this.#busy || this.#cancelStill) return;
    const before = this.#happenings;
    this.#cancelStill = afterTwoFrames(this.#page.timers, () => {
      this.#cancelStill = undefined;
      this.#page.flush();
      if (!this.#resolve || this.#busy || this.#cancelStill) return;
      if (this.#happenings === before) this.#finish(true, 'still');
      else this.#expectStillness();
    });
  }

  #finish(settled: boolean, why: SettleEnd): void {
    this.#cancelQuiet();
    this.#cancelStill?.();
    this.#work?.end();
    this.#signal.removeEventListener('abort', this.#onAbort);
    this.#ended();
    const resolve = this.#resolve;
    this.#resolve = undefined;
    if (resolve) this.#tell?.({ kind: 'end', settled, why });
    resolve?.(settled);
  }
}

/** Two frames, and nothing left to do in this thread. Hidden pages have no frames; where none come, quiet is the end. */
function afterTwoFrames(timers: PageTimers, callback: () => void): Release {
  if (!timers.clock.hasFrames()) return timers.set(LIMITS.hiddenRestMs, callback);
  let release = timers.paintedFrame(() => {
    release = timers.paintedFrame(() => {
      release = timers.clock.idle(callback);
    });
  });
  return () => release();
}
