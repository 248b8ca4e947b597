import type { SettleMode } from '../protocol/engine-messages.js';
import { isPureRead } from '../protocol/manifest.js';
import type { EngineContext } from './context.js';
import type { LedgerEntry } from './ledger.js';

const TIMER_PREFIX = 'deadline:';

/** The time of each request (PROTOCOL.md §2, its one deadline), with the part of it that is kept for settling. */
export class RequestClock {
  readonly #context: EngineContext;

  constructor(context: EngineContext) {
    this.#context = context;
  }

  /** Sets its timer to what is due next, in place of an earlier one. */
  start(entry: LedgerEntry): void {
    const at = this.nextAt(entry);
    if (at === undefined) this.stop(entry);
    else this.#context.setTimer(TIMER_PREFIX + entry.requestId, at - this.#context.at.now);
  }

  stop({ requestId }: LedgerEntry): void {
    this.#context.clearTimer(TIMER_PREFIX + requestId);
  }

  /** The id of the request whose timer has this key; undefined for timers of others. */
  requestOf(key: string): string | undefined {
    return key.startsWith(TIMER_PREFIX) ? key.slice(TIMER_PREFIX.length) : undefined;
  }

  /** When something is due; never, while a job has no end of its own. What has ended is settled by the page. */
  nextAt(entry: LedgerEntry): number | undefined {
    if (entry.interimHash !== undefined) return entry.stage === 'running' ? entry.jobUntil : undefined;
    if (entry.stage === 'settling') return entry.deadlineAt;
    return entry.acknowledgeBy ?? this.due(entry);
  }

  /** When its handler must have ended, so that settling has its time. Monotonic, ms. */
  due(entry: LedgerEntry): number {
    const { actionMs, settleTimeoutMs } = this.#context.config;
    const settleMs = this.settleMode(entry) === 'none' ? 0 : Math.min(settleTimeoutMs, actionMs / 2);
    return entry.deadlineAt - settleMs;
  }

  settleMode({ action, mountId, origin }: LedgerEntry): SettleMode {
    // A nested action's caller settles for both.
    if (!action || origin === 'nested') return 'none';
    if (isPureRead(action)) return this.#context.policy.readsSettle ? 'quiet' : 'none';
    const mount = mountId === undefined ? undefined : this.#context.registry.byMount(mountId);
    return mount?.policies[action.id]?.settle ?? 'quiet';
  }
}
