import type { Release } from './ports.js';

/** Every host has these two. */
declare function setTimeout(callback: () => void, ms: number): unknown;
declare function clearTimeout(timer: unknown): void;

/** Starts a timer. Injectable, so that tests need not wait. */
export type SetTimer = (ms: number, callback: () => void) => Release;

/** `setTimeout` takes a longer wait for none at all, and calls back at once. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * Marks what a timer of the library calls, so that whoever listens to the page's timers can leave ours out. A symbol
 * of the page's: bundles that a page loads one by one have copies of this module.
 */
export const OWN_TIMER: unique symbol = Symbol.for('oui-elements.timer');

/** The timer of this thread. A wait longer than `setTimeout` can hold is put together from several. */
export const setHostTimer: SetTimer = (ms, callback) => {
  let left = ms;
  let timer: unknown;
  const wait = (): void => {
    const step = Math.min(left, LONGEST_MS);
    left -= step;
    timer = setTimeout(fired, step);
  };
  const fired = Object.assign(() => (left > 0 ? wait() : callback()), { [OWN_TIMER]: true });
  wait();
  return () => clearTimeout(timer);
};
