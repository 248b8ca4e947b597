import type { JournalEntry } from '../protocol/engine-messages.js';
import type { OUIActionRequest, OUIError } from '../protocol/events.js';
import type { OUIAction } from '../protocol/manifest.js';
import { report, type Answers } from './answers.js';
import type { Approvals } from './approvals.js';
import type { EngineContext } from './context.js';
import type { Execution } from './execution.js';
import type { LedgerEntry } from './ledger.js';
import { brokenSchema, invalidParams, notAccepting, NOT_ACCEPTING_REASON, rateLimited } from './refusals.js';
import type { Mount } from './registry.js';
import { findTarget } from './target.js';

/**
 * The order of checks (PROTOCOL.md §2, steps 2 to 9). Each request passes them once; steps 4 to 6 are asked again
 * when its turn in the queue comes.
 */
export class Admission {
  readonly #context: EngineContext;
  readonly #answers: Answers;
  readonly #approvals: Approvals;
  readonly #execution: Execution;

  constructor(context: EngineContext, answers: Answers, approvals: Approvals, execution: Execution) {
    this.#context = context;
    this.#answers = answers;
    this.#approvals = approvals;
    this.#execution = execution;
  }

  /** Steps 2 and 3: a repeat never runs; the page's gate decides about requests from agents. */
  receive(request: OUIActionRequest, origin: JournalEntry['origin'], receivedAt = this.#context.at.now): void {
    const { config, ledger } = this.#context;
    const known = ledger.get(request.requestId);
    if (known) {
      this.#answers.repeat(known);
      return;
    }
    const entry: LedgerEntry = {
      requestId: request.requestId,
      origin,
      // No parameters at all are an empty object: `{}` is a valid input schema.
      request: request.params === undefined ? { ...request, params: {} } : request,
      receivedAt,
      stage: 'gate',
      deadlineAt: receivedAt + config.actionMs,
      unsent: [],
      acknowledged: false,
    };
    for (const requestId of ledger.add(entry)) this.#context.emit({ kind: 'forget', requestId });
    this.#execution.startClock(entry);
    if (origin === 'agent' && config.hasGate) {
      this.#context.touch(entry);
      this.#context.emit({ kind: 'ask-gate', request: entry.request });
    } else {
      this.#admit(entry);
    }
  }

  /** The page's gate has answered. A refused request leaves no trace: it may be sent again when the turn is right. */
  onGate(requestId: string, open: boolean): void {
    const entry = this.#context.ledger.get(requestId);
    if (!entry || entry.stage !== 'gate') return;
    if (open) {
      this.#admit(entry);
      return;
    }
    if (this.#context.peer.speaks('receipt')) this.#answers.receipt(requestId, NOT_ACCEPTING_REASON);
    else this.#answers.fail(entry, notAccepting());
    this.#execution.close(entry);
    this.#context.ledger.delete(requestId);
    this.#context.emit({ kind: 'forget', requestId });
  }

  /** The user has answered, or did not in time. */
  afterApproval(decided: ReturnType<Approvals['onDecided']>): void {
    if (!decided) return;
    if (decided.verdict === 'admitted') this.#execution.enqueue(decided.entry);
    else this.#refuse(decided.entry, decided.verdict);
  }

  /** Steps 4 to 9. */
  #admit(entry: LedgerEntry): void {
    if (entry.origin === 'agent') this.#answers.receipt(entry.requestId);
    report(this.#context, entry, 'received', { params: entry.request.params });
    const target = findTarget(this.#context, entry);
    if ('code' in target) {
      this.#refuse(entry, target);
      return;
    }
    const { mount, action } = target;
    entry.action = action;
    entry.mountId = mount.mountId;
    const refusal = this.#limitRate(mount) ?? this.#validate(entry, mount, action);
    if (refusal) {
      this.#refuse(entry, refusal);
      return;
    }
    const verdict = this.#approvals.check(entry, mount, action);
    if (verdict === 'admitted') this.#execution.enqueue(entry);
    else if (verdict !== 'asking') this.#refuse(entry, verdict);
  }

  #limitRate(mount: Mount): OUIError | undefined {
    const retryAfterMs = this.#context.rate.take(mount.surface.id, this.#context.at.now);
    return retryAfterMs > 0 ? rateLimited(mount.surface.id, retryAfterMs) : undefined;
  }

  #validate(entry: LedgerEntry, mount: Mount, action: OUIAction): OUIError | undefined {
    let errors;
    try {
      errors = this.#context.registry.schemaOf(mount, action, 'input')(entry.request.params);
    } catch (error) {
      return brokenSchema(action.id, (error as Error).message);
    }
    return errors.length > 0 ? invalidParams(action.id, errors) : undefined;
  }

  #refuse(entry: LedgerEntry, error: OUIError): void {
    this.#answers.fail(entry, error);
    this.#execution.close(entry);
  }
}
