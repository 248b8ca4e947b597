import type { JournalEntry } from '../protocol/journal-entry.js';
import type { OUIActionRequest, OUIError } from '../protocol/events.js';
import * as LIMITS from '../protocol/limits.js';
import { isPureRead } from '../protocol/manifest.js';
import { GRANT_ELSEWHERE_REASON, NOT_ACCEPTING_REASON } from '../protocol/receipt-reasons.js';
import type { Answers } from './answers.js';
import type { Approvals, Decided } from './approvals.js';
import { report } from './call-report.js';
import type { EngineContext } from './context.js';
import type { Execution } from './execution.js';
import { isOwn, type LedgerEntry } from './ledger.js';
import type { OwnActions } from './own-actions.js';
import { grantElsewhere, idInUse, notAccepting, rateLimited, unknownOutcome } from './engine-errors.js';
import { findAction, type Mount } from './registry.js';
import { findTarget, hasPatterns, stoppedFor, validate, type Target } from './target.js';

const TIMER_PREFIX = 'validate:';

/**
 * The order of checks (PROTOCOL.md §2, steps 2 to 9). Each request passes them once; steps 4 to 6 are asked again
 * when its turn in the queue comes.
 */
export class Admission {
  readonly #context: EngineContext;
  readonly #answers: Answers;
  readonly #approvals: Approvals;
  readonly #execution: Execution;
  readonly #own: OwnActions;

  constructor(
    context: EngineContext,
    answers: Answers,
    approvals: Approvals,
    execution: Execution,
    own: OwnActions,
  ) {
    this.#context = context;
    this.#answers = answers;
    this.#approvals = approvals;
    this.#execution = execution;
    this.#own = own;
  }

  /** Steps 2 and 3: a repeat never runs; the page's gate decides about requests from agents. */
  receive(request: OUIActionRequest, origin: JournalEntry['origin'], takesReceipt = true): void {
    const { config, ledger, peer, at } = this.#context;
    const known = ledger.get(request.requestId);
    if (known && origin === 'agent' && known.origin !== 'agent') {
      this.#answers.receipt(request.requestId);
      this.#answers.refuse(request.requestId, idInUse(request.requestId));
      return;
    }
    if (known) {
      this.#answers.repeat(known);
      return;
    }
    const entry: LedgerEntry = {
      requestId: request.requestId,
      origin,
      // No parameters at all are an empty object: `{}` is a valid input schema.
      request: request.params === undefined ? { ...request, params: {} } : request,
      receivedAt: at.now,
      stage: 'gate',
      deadlineAt: at.now + config.actionMs,
      waits: origin !== 'agent' || peer.speaks('approval'),
      losses: 0,
      acknowledged: false,
      ...(!takesReceipt && peer.speaks('receipt') && { noReceipt: true }),
    };
    const unknown = origin === 'agent' && !isOwn(entry) && this.#mayHaveRun(entry);
    this.#context.remember(entry);
    if (unknown) {
      // As any repeat of a request that ran, whatever the page's gate would say now.
      this.#answers.receipt(entry.requestId);
      this.#answers.fail(entry, unknownOutcome(request.actionId));
    } else {
      this.ask(entry);
    }
  }

  /** Step 8 of a request whose schema has patterns: the page has been told of it, so it is validated now. */
  onTimer(key: string): void {
    const entry = this.#context.ledger.get(key.slice(TIMER_PREFIX.length));
    if (entry?.stage !== 'gate') return;
    const target = findTarget(this.#context, entry);
    if ('code' in target) this.#refuse(entry, target);
    else this.#validate(entry, target);
  }

  isTimer(key: string): boolean {
    return key.startsWith(TIMER_PREFIX);
  }

  /** Step 3. The page's own calls have no gate. */
  ask(entry: LedgerEntry): void {
    this.#execution.startClock(entry);
    // A page whose runtime has ended opens no gate any more.
    if (entry.origin === 'agent' && this.#context.config.hasGate && !this.#context.disposed) {
      this.#context.touch(entry);
      this.#context.emit({ kind: 'ask-gate', request: entry.request });
    } else {
      this.#admit(entry);
    }
  }

  /** The page's gate has answered. */
  onGate(requestId: string, open: boolean): void {
    const entry = this.#context.ledger.get(requestId);
    if (!entry || entry.stage !== 'gate') return;
    if (open) {
      this.#admit(entry);
      return;
    }
    this.#turnAway(entry, NOT_ACCEPTING_REASON, notAccepting());
  }

  /** The user has answered, or did not in time. */
  afterApproval(decided: readonly Decided[]): void {
    for (const { entry, verdict } of decided) {
      if (verdict === 'admitted') this.#execution.enqueue(entry);
      else this.#refuse(entry, verdict);
    }
  }

  /**
   * A request that is refused on its receipt leaves no trace: it may be sent again when the turn is right, or when the
   * page has the grant. Where there are no receipts it is answered.
   */
  #turnAway(entry: LedgerEntry, reason: string, error: OUIError): void {
    const { requestId } = entry;
    if (!this.#context.peer.speaks('receipt') || entry.noReceipt) {
      this.#refuse(entry, error);
      return;
    }
    this.#answers.receipt(requestId, reason);
    this.#execution.close(entry);
    this.#context.ledger.delete(requestId);
    this.#context.emit({ kind: 'forget', requestId });
  }

  /** Whose approval it is, then steps 4 to 7. */
  #admit(entry: LedgerEntry): void {
    if (entry.origin === 'agent' && this.#approvals.grants.isForeign(entry)) {
      this.#turnAway(entry, GRANT_ELSEWHERE_REASON, grantElsewhere(entry.request.actionId));
      return;
    }
    if (entry.origin === 'agent') this.#answers.receipt(entry.requestId);
    report(this.#context, entry, 'received', { params: entry.request.params });
    if (isOwn(entry)) {
      const stopped = stoppedFor(this.#context, entry);
      if (stopped) this.#refuse(entry, stopped);
      else this.#own.run(entry);
      return;
    }
    const target = findTarget(this.#context, entry);
    if ('code' in target) {
      this.#refuse(entry, target);
      return;
    }
    const refusal = this.#limitRate(target.mount);
    if (refusal) {
      this.#refuse(entry, refusal);
    } else if (hasPatterns(target.action.input)) {
      // A pattern can run for ever. The page must know of the request before it does: a later engine answers it then.
      this.#context.touch(entry);
      this.#context.setTimer(TIMER_PREFIX + entry.requestId, 0);
    } else {
      this.#validate(entry, target);
    }
  }

  /** Steps 8 and 9. */
  #validate(entry: LedgerEntry, target: Target): void {
    const { mount, action } = target;
    entry.action = action;
    entry.mountId = mount.mountId;
    const refusal = validate(this.#context, entry, target);
    if (refusal) {
      this.#refuse(entry, refusal);
      return;
    }
    const verdict = this.#approvals.check(entry, mount, action);
    if (verdict === 'admitted') this.#execution.enqueue(entry);
    else if (verdict !== 'asking') this.#refuse(entry, verdict);
  }

  /**
   * A resend that was first sent before this journal began, or before what has fallen out of it: nobody knows whether
   * it ran. A pure read may run again.
   */
  #mayHaveRun({ request }: LedgerEntry): boolean {
    const { peer, since, registry } = this.#context;
    const sentAt = peer.speaks('receipt') ? peer.firstSentAt(request.timestamp) : undefined;
    if (sentAt === undefined || sentAt > since + LIMITS.clockErrorMs) return false;
    const mount = registry.offered(request.surfaceId);
    const action = mount && findAction(mount.surface, request.actionId);
    return !action || !isPureRead(action);
  }

  #limitRate(mount: Mount): OUIError | undefined {
    if (!this.#context.policy.limitsRate) return undefined;
    const retryAfterMs = this.#context.rate.take(mount.surface.id, this.#context.at.now);
    return retryAfterMs > 0 ? rateLimited(mount.surface.id, retryAfterMs) : undefined;
  }

  #refuse(entry: LedgerEntry, error: OUIError): void {
    this.#answers.fail(entry, error);
    this.#execution.close(entry);
  }
}
