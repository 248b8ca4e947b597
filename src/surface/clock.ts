import type { Release } from '../protocol/ports.js';
import { setHostTimer } from '../protocol/timer.js';

/** Time as the page has it. Replaced by a hand-driven one in tests. */
export interface PageClock {
  /** Monotonic ms, comparable between a page and its workers. */
  now(): number;
  setTimer(ms: number, callback: () => void): Release;
  /** Whether animation frames come: there is a page, and it is visible. */
  hasFrames(): boolean;
  /** The next animation frame. To be asked for only while there are any; none comes once the page is hidden. */
  frame(callback: () => void): Release;
  /** When this thread has nothing else to do. Absent where the browser does not tell. */
  idle?(callback: () => void): Release;
}

/** The clock of the page, or of Node. Timers of a hidden page are late: up to a second, later up to a minute. */
export const pageClock: PageClock = {
  now: () => performance.timeOrigin + performance.now(),
  setTimer: setHostTimer,
  hasFrames: () => typeof requestAnimationFrame === 'function' && document.visibilityState !== 'hidden',
  frame(callback) {
    const id = requestAnimationFrame(callback);
    return () => cancelAnimationFrame(id);
  },
  ...(typeof requestIdleCallback === 'function' && {
    idle(callback: () => void) {
      const id = requestIdleCallback(callback);
      return () => cancelIdleCallback(id);
    },
  }),
};
