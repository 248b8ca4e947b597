import type { AgentCallResult, ConfirmRequest } from '../agent/agent-types.js';
import type { OUIActionResult, OUIApprovalNotice } from '../protocol/events.js';

/** How long the outcome of a call that nobody waited for any more is kept, in ms. */
export const KEEP_OUTCOME_MS = 10 * 60_000;
/** How many calls are remembered; the oldest outcome goes first. */
const MAX_REMEMBERED = 200;

/** A question of the agent's side to the user of the client that calls. */
export interface ClientQuestion {
  readonly request: ConfirmRequest;
  /** It is asked as the answer to the call that waits for it, not by a request of its own. */
  readonly later: boolean;
  /** Only `true` is a yes; `null` is no answer. The first answer counts. */
  answer(verdict: boolean | null): void;
}

/** A call on its way to a page. */
export interface PendingCall {
  readonly outcome: Promise<AgentCallResult>;
  /** The newest acknowledgment and approval notice, as far as they came. */
  acknowledgment?: OUIActionResult;
  approval?: OUIApprovalNotice;
  /** The question that the client's user has not answered yet. */
  question?: ClientQuestion;
  /** Hears of acknowledgment, approval and progress while somebody waits. */
  report: (message: string) => void;
  /** Called when `question` is there to be answered later. */
  asking: () => void;
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
