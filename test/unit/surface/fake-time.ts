import { afterEach, beforeEach, vi } from 'vitest';
import { resetWarnings } from '../../../src/protocol/warn-once.js';

/** For each test of a file: time that passes when it is told to, and a console whose warnings can be looked at. */
export function fakeTimeOfEachTest(): void {
  beforeEach(() => {
    vi.useFakeTimers();
    resetWarnings();
    vi.spyOn(console, 'warn').mockImplementation(() => {});
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
}
