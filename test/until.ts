import { vi } from 'vitest';

/** Far beyond what any of it takes: a busy machine must turn no test red. A test that hangs ends with it. */
const AT_MOST_MS = 60_000;

/** Waits until `look` throws no more, and gives what it returns: for what comes over sockets, ports and processes. */
export function until<T>(look: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(look, { timeout: AT_MOST_MS, interval: 10 });
}
