import type { Release } from './ports.js';

/** Every host has these two. */
declare function setTimeout(callback: () => void, ms: number): unknown;
declare function clearTimeout(timer: unknown): void;

/** Starts a timer. Injectable, so that tests need not wait. */
export type SetTimer = (ms: number, callback: () => void) => Release;

/** `setTimeout` takes a longer wait for none at all, and calls back at once. */
const LONGEST_MS = 2 ** 31 - 1;

let settingOwnTimer = false;

/** Whether the `setTimeout` of this moment is the library's own, for those who listen to the page's. */
export const isSettingOwnTimer = (): boolean => settingOwnTimer;

/** The timer of this thread. A wait longer than `setTimeout` can hold is put together from several. */
export const setHostTimer: SetTimer = (ms, callback) => {
  let left = ms;
  let timer: unknown;
  const wait = (): void => {
    const step = Math.min(left, LONGEST_MS);
    left -= step;
    settingOwnTimer = true;
    try {
      timer = setTimeout(left > 0 ? wait : callback, step);
    } finally {
      settingOwnTimer = false;
    }
  };
  wait();
  return () => clearTimeout(timer);
};
