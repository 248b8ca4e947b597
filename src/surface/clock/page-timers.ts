import type { Release } from '../../protocol/ports.js';
import type { EngineHost } from '../../protocol/engine-host.js';
import type { PageClock } from './clock.js';

interface Timer {
  readonly due: number;
  readonly fire: () => void;
  release: Release;
}

/** Without a frame by then there will be none soon: the page was hidden after it was asked for. */
const FRAME_GUARD_MS = 100;

/**
 * Timers that run on time in hidden tabs while an engine host is open, and on the page's clock otherwise.
 * Those that are set outlive the host.
 */
export class PageTimers {
  readonly clock: PageClock;
  readonly #active = new Set<Timer>();
  #host: Pick<EngineHost, 'setTimer'> | null = null;

  constructor(clock: PageClock) {
    this.clock = clock;
  }

  set(ms: number, callback: () => void): Release {
    const timer: Timer = {
      due: this.clock.now() + ms,
      fire: () => {
        this.#active.delete(timer);
        callback();
      },
      release: () => {},
    };
    this.#active.add(timer);
    this.#arm(timer);
    return () => {
      if (this.#active.delete(timer)) timer.release();
    };
  }

  /** Calls back at the next animation frame, or after 100 ms when none comes. `painted`: one came. */
  nextFrame(callback: (painted: boolean) => void): Release {
    const release = (): void => {
      cancelFrame?.();
      cancelTimer();
    };
    const fire = (painted: boolean): void => {
      release();
      callback(painted);
    };
    const cancelTimer = this.set(FRAME_GUARD_MS, () => fire(false));
    const cancelFrame = this.clock.hasFrames() ? this.clock.frame(() => fire(true)) : undefined;
    return release;
  }

  /**
   * Calls back at the next animation frame, however late, as long as the page is visible: a page too busy to be painted
   * is not at rest. Some visible pages get no frames at all, such as frames out of view: have another end for those.
   */
  paintedFrame(callback: () => void): Release {
    let release: Release = () => {};
    const wait = (): void => {
      release = this.nextFrame((painted) => (painted || !this.clock.hasFrames() ? callback() : wait()));
    };
    wait();
    return () => release();
  }

  /** Moves every timer to this host; `null`: to the page's own clock. */
  use(host: Pick<EngineHost, 'setTimer'> | null): void {
    this.#host = host;
    for (const timer of this.#active) {
      timer.release();
      this.#arm(timer);
    }
  }

  #arm(timer: Timer): void {
    const ms = Math.max(0, timer.due - this.clock.now());
    timer.release = (this.#host ?? this.clock).setTimer(ms, timer.fire);
  }
}
