import type { Release } from '../../../src/protocol/ports.js';
import type { PageClock } from '../../../src/surface/clock/clock.js';

/** Lets everything run that is queued: promises and what follows from them. */
export const idle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A page clock that moves only by hand. */
export class HandClock implements PageClock {
  time = 1_000_000;
  /** Whether the page is visible. */
  visible = true;
  frames: (() => void)[] = [];
  timers: { due: number; callback: () => void }[] = [];

  now(): number {
    return this.time;
  }

  setTimer(ms: number, callback: () => void): Release {
    const timer = { due: this.time + ms, callback };
    this.timers.push(timer);
    return () => void (this.timers = this.timers.filter((each) => each !== timer));
  }

  hasFrames(): boolean {
    return this.visible;
  }

  frame(callback: () => void): Release {
    this.frames.push(callback);
    return () => void (this.frames = this.frames.filter((each) => each !== callback));
  }

  idle(callback: () => void): Release {
    callback();
    return () => {};
  }

  /** One animation frame. */
  async paint(): Promise<void> {
    const frames = this.frames;
    this.frames = [];
    for (const frame of frames) frame();
    await idle();
  }

  /** Moves on, stopping at each timer that is due. */
  async advance(ms: number): Promise<void> {
    const end = this.time + ms;
    await idle();
    for (;;) {
      const next = this.timers.filter(({ due }) => due <= end).sort((a, b) => a.due - b.due)[0];
      if (!next) break;
      this.time = Math.max(this.time, next.due);
      this.timers = this.timers.filter((each) => each !== next);
      next.callback();
      await idle();
    }
    this.time = end;
    await idle();
  }
}
