import type { Release } from '../protocol/ports.js';

/** Starts a timer. Injectable, so that tests need not wait. */
export type SetTimer = (ms: number, callback: () => void) => Release;

/** The timer of this thread. */
export const setHostTimer: SetTimer = (ms, callback) => {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
};
