import type { AgentCallResult } from '../agent/agent-types.js';
import type { OUIActionResult, OUIApprovalNotice } from '../protocol/events.js';

/** How long the outcome of a call that nobody waited for any more is kept, in ms. */
export const KEEP_OUTCOME_MS = 10 * 60_000;
/** How many calls are remembered; the oldest outcome goes first. */
const MAX_REMEMBERED = 200;

/** A call on its way to a page. */
export interface PendingCall {
  readonly outcome: Promise<AgentCallResult>;
  /** The newest acknowledgment and approval notice, as far as they came. */
  acknowledgment?: OUIActionResult;
  approval?: OUIApprovalNotice;
  /** Hears of acknowledgment, approval and progress while somebody waits. */
  report: (message: string) => void;
  cancel(): void;
}

/**
 * Calls that outlived the patience of MCP clients. Such a call was answered with what was known; the same call made
 * again by the same caller takes up the old one and never starts a second. That is the one way to follow up that
 * every client has: it needs no further tool and no memory of an id. Who the same caller is, the key says.
 */
export interface PendingCalls {
  /** Leaves a call to be taken up later. */
  leave(key: string, call: PendingCall): void;
  /** Takes up the oldest call that was left under the key. */
  take(key: string): PendingCall | undefined;
  /** Forgets all of them; calls that still run go on. */
  clear(): void;
}

export function createPendingCalls(keepMs: number = KEEP_OUTCOME_MS): PendingCalls {
  const left = new Set<{ readonly key: string; readonly call: PendingCall }>();
  const timers = new Set<NodeJS.Timeout>();

  return {
    leave(key, call) {
      const entry = { key, call };
      left.add(entry);
      for (const oldest of left) {
        if (left.size <= MAX_REMEMBERED) break;
        left.delete(oldest);
      }
      void call.outcome.then(() => {
        if (!left.has(entry)) return;
        const timer = setTimeout(() => {
          timers.delete(timer);
          left.delete(entry);
        }, keepMs);
        timer.unref();
        timers.add(timer);
      });
    },

    take(key) {
      for (const entry of left) {
        if (entry.key !== key) continue;
        left.delete(entry);
        return entry.call;
      }
      return undefined;
    },

    clear() {
      left.clear();
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
}
