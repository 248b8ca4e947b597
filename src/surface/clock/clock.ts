import * as LIMITS from '../../protocol/limits.js';
import type { Release } from '../../protocol/ports.js';
import { setHostTimer } from '../../protocol/timer.js';

/** Time as the page has it. Replaced by a hand-driven one in tests. */
export interface PageClock {
  /** Monotonic ms, comparable between a page and its workers. */
  now(): number;
  setTimer(ms: number, callback: () => void): Release;
  /** Whether animation frames come: there is a page, and it is visible. */
  hasFrames(): boolean;
  /** The next animation frame. To be asked for only while there are any; none comes once the page is hidden. */
  frame(callback: () => void): Release;
  /** When this thread has nothing else to do. To be asked for only while there are frames. */
  idle(callback: () => void): Release;
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
  // Not `requestIdleCallback`: WebKit has none.
  idle(callback) {
    const { port1, port2 } = new MessageChannel();
    let quick = 0;
    let sentAt = 0;
    const ask = (): void => {
      sentAt = performance.now();
      port2.postMessage(null);
    };
    port1.onmessage = () => {
      quick = performance.now() - sentAt > LIMITS.idleMs ? 0 : quick + 1;
      // A single one may have overtaken a message of the page's: two senders have no order between them.
      if (quick < LIMITS.idleTimes) return ask();
      port1.close();
      callback();
    };
    ask();
    return () => port1.close();
  },
};
