import * as ERROR_CODES from '../protocol/error-codes.js';
import type { OUIError } from '../protocol/events.js';
import { requiresApproval, type OUIAction } from '../protocol/manifest.js';
import { argsHash } from '../rules/args-hash.js';
import type { EngineContext } from './context.js';
import { Grants } from './grants.js';
import type { LedgerEntry } from './ledger.js';
import { approvalRequired, deniedByUser, leftAlone, notApproved } from './engine-errors.js';
import { ofAgent, OpenQuestions } from './open-questions.js';
import { askedKey, shownText } from './question.js';
import type { Mount } from './registry.js';

/** `admitted`: go on. `asking`: the user decides first. Otherwise the error that ends the request. */
export type ApprovalVerdict = 'admitted' | 'asking' | OUIError;

type Decision = 'granted' | 'denied' | 'dismissed';

/** A request that waited for its user, and what becomes of it. */
export interface Decided {
  readonly entry: LedgerEntry;
  readonly verdict: 'admitted' | OUIError;
}

/**
 * Who confirms, and whether they have (PROTOCOL.md §5).
 * The page asks its user. An agent that knows `x-oui:approval` waits; a v1 agent is told `APPROVAL_REQUIRED`
 * and asks again, when the user's answer is there. That answer is kept with the request that was asked about.
 */
export class Approvals {
  readonly grants: Grants;
  readonly #context: EngineContext;
  /** What v1 agents asked for, by surface, action and parameters: the request with the question. */
  readonly #asked = new Map<string, LedgerEntry>();
  readonly #questions: OpenQuestions;

  constructor(context: EngineContext) {
    this.#context = context;
    this.grants = new Grants(context);
    this.#questions = new OpenQuestions(context);
  }

  /** Decides about a request at its receipt, and again at its turn: its action or its grant may have changed. */
  check(entry: LedgerEntry, mount: Mount, action: OUIAction): ApprovalVerdict {
    if (!requiresApproval(action)) {
      delete entry.grant;
      return 'admitted';
    }
    if (entry.approved === undefined) return this.#decide(entry, mount, action);
    if (entry.approved === shownText(entry, mount, action)) return 'admitted';
    // The yes was to another action. The page keeps each answer by request: it must ask anew.
    delete entry.approved;
    this.#context.touch(entry);
    this.#context.emit({ kind: 'close-question', requestId: entry.requestId });
    return this.#decide(entry, mount, action);
  }

  #decide(entry: LedgerEntry, mount: Mount, action: OUIAction): ApprovalVerdict {
    const { config } = this.#context;
    // It stands and falls with the approval that it brings: its host has asked, and the page does not ask again.
    if (entry.request.approval) return hash(entry) ?? this.grants.check(entry, action) ?? 'admitted';
    // Only an agent can have asked; the page's own calls have nobody who did.
    const agentAsked = config.confirmBy === 'agent' && entry.origin === 'agent';
    if (agentAsked && action.effect !== 'transaction') return 'admitted';
    const refusal = hash(entry);
    if (refusal) return refusal;
    if (config.confirmBy === 'grant' || !config.canAsk) return approvalRequired(action.id, entry.argsHash!);
    return entry.waits ? this.#askAndWait(entry, mount, action) : this.#askForV1(entry, mount, action);
  }

  /**
   * The user's answer to the question that was asked as the `round`th about this request; one to an earlier question
   * was to something else. @returns what becomes of the requests that wait for it.
   */
  onDecided(requestId: string, round: number, decision: Decision): readonly Decided[] {
    const entry = this.#context.ledger.get(requestId);
    if (!entry || entry.question?.state !== 'pending' || (entry.asks ?? 0) !== round) return [];
    this.#questions.clearTimer(entry);
    this.#context.touch(entry);
    const left = this.#count(entry, decision);
    if (entry.stage !== 'approval') {
      // Kept for the next equal request of a v1 agent.
      if (decision === 'dismissed') delete entry.question;
      else entry.question.state = decision;
      return left;
    }
    const { shown } = entry.question;
    delete entry.question;
    this.#questions.resumeClock(entry);
    const { actionId } = entry.request;
    if (decision === 'granted') {
      entry.approved = shown;
      this.#questions.notify(entry, 'granted');
      return [{ entry, verdict: 'admitted' }];
    }
    this.#questions.notify(entry, decision === 'denied' ? 'denied' : 'expired');
    const verdict = decision === 'denied' ? deniedByUser(actionId) : notApproved(actionId, entry.argsHash!);
    return [{ entry, verdict }, ...left];
  }

  /**
   * The manifest of a surface, or which of its mounts serves, may have changed, or it is gone. What shows something else
   * by now is asked anew. @returns what becomes of requests that cannot be.
   */
  redefined(surfaceId: string): readonly Decided[] {
    const pending = this.#questions.pending().filter(({ request }) => request.surfaceId === surfaceId);
    const ended = pending.flatMap((entry) => {
      const verdict = this.#questions.renew(entry);
      if (verdict) this.withdraw(entry);
      return verdict ? [{ entry, verdict }] : [];
    });
    // What comes and goes under its question, request after request, holds the user as well.
    const left = ended.some(({ entry }) => ofAgent(entry)) ? this.#tookBack() : [];
    // A v1 agent has its answer.
    return [...ended.filter(({ entry }) => entry.stage === 'approval'), ...left];
  }

  /**
   * The agent takes a request back that waits for the user.
   * @returns the others that do, when the user is to be left alone.
   */
  takenBack(entry: LedgerEntry): readonly Decided[] {
    return entry.stage === 'approval' ? this.#tookBack(entry) : [];
  }

  /** The user lets agents act again, by a word of their own: they may be asked again. */
  resumed(): void {
    this.#questions.refusals.reset();
  }

  isTimer(key: string): boolean {
    return this.#questions.isTimer(key);
  }

  /** The user took too long. */
  onTimer(key: string): readonly Decided[] {
    const requestId = this.#questions.requestOf(key);
    this.#context.emit({ kind: 'close-question', requestId });
    return this.onDecided(requestId, this.#context.ledger.get(requestId)?.asks ?? 0, 'dismissed');
  }

  /** Nobody waits for an answer any more, or uses the one that is there. A v1 agent's next request is asked about. */
  withdraw(entry: LedgerEntry): void {
    for (const [key, asked] of this.#asked) if (asked === entry) this.#asked.delete(key);
    this.#questions.withdraw(entry);
  }

  /** Withdraws what v1 agents asked for: about one surface, or at all. */
  withdrawAsked(surfaceId?: string): void {
    for (const entry of this.#asked.values()) {
      if (surfaceId === undefined || entry.request.surfaceId === surfaceId) this.withdraw(entry);
    }
  }

  /**
   * Takes over a question of an earlier engine. The page asks each only once and keeps the answer for whoever asks; what
   * has changed meanwhile it asks anew. @returns the error that ends the request, when it cannot.
   */
  restore(entry: LedgerEntry, mount: Mount, action: OUIAction): OUIError | undefined {
    if (!entry.question || entry.argsHash === undefined) return undefined;
    if (entry.stage === 'answered') this.#asked.set(askedKey(mount, action, entry.argsHash), entry);
    if (entry.question.state !== 'pending') return undefined;
    if (entry.question.shown === shownText(entry, mount, action)) {
      this.#questions.ask(entry, mount, action);
      return undefined;
    }
    const error = this.#questions.renew(entry);
    if (error) this.withdraw(entry);
    return error;
  }

  #askAndWait(entry: LedgerEntry, mount: Mount, action: OUIAction): ApprovalVerdict {
    const refusal = this.#questions.open(entry, mount, action);
    if (refusal) return refusal;
    entry.stage = 'approval';
    this.#questions.wait(entry);
    this.#questions.ask(entry, mount, action);
    return 'asking';
  }

  #askForV1(entry: LedgerEntry, mount: Mount, action: OUIAction): ApprovalVerdict {
    const key = askedKey(mount, action, entry.argsHash!);
    const asked = this.#asked.get(key);
    const earlier = asked?.question;
    if (asked && earlier && earlier.expiresAt > this.#context.at.wall) {
      const outdated = earlier.shown !== shownText(entry, mount, action);
      // A no stands, whatever the action has become: asked once more is once too often.
      if (earlier.state === 'denied') return deniedByUser(action.id);
      if (earlier.state === 'pending' && !outdated) {
        return approvalRequired(action.id, entry.argsHash!, earlier.expiresAt);
      }
      // A yes admits one request, to the action that was shown.
      this.withdraw(asked);
      if (!outdated) {
        entry.approved = earlier.shown;
        return 'admitted';
      }
    }
    for (const [earlierKey, { question }] of this.#asked) {
      if (!question || question.expiresAt <= this.#context.at.wall) this.#asked.delete(earlierKey);
    }
    const refusal = this.#questions.open(entry, mount, action);
    if (refusal) return refusal;
    this.#asked.set(key, entry);
    this.#questions.ask(entry, mount, action);
    return approvalRequired(action.id, entry.argsHash!, entry.question!.expiresAt);
  }

  /** Counts what the user says to agents. @returns the other requests that wait for them, when they want to be left alone. */
  #count(entry: LedgerEntry, decision: Decision): readonly Decided[] {
    const { at } = this.#context;
    if (!ofAgent(entry)) return [];
    if (decision === 'granted') this.#questions.refusals.reset();
    // Who was away has turned nothing down.
    const ofTheUser = decision !== 'granted' && entry.question!.expiresAt > at.wall;
    return ofTheUser && this.#questions.refusals.refused(at.now) ? this.#leaveAlone(entry) : [];
  }

  /** A question of an agent's went before the user had answered. @returns as `#count`. */
  #tookBack(entry?: LedgerEntry): readonly Decided[] {
    return this.#questions.refusals.takenBack(this.#context.at.now) ? this.#leaveAlone(entry) : [];
  }

  /** A rest begins, with this request. @returns the other requests that wait for the user. */
  #leaveAlone(entry?: LedgerEntry): readonly Decided[] {
    const { at } = this.#context;
    const others = this.#questions.pending().filter((other) => other !== entry && ofAgent(other));
    return others.flatMap((other) => {
      this.withdraw(other);
      const verdict = leftAlone(other.request.actionId, this.#questions.refusals.restMs(at.now));
      return other.stage === 'approval' ? [{ entry: other, verdict }] : [];
    });
  }
}

/** Sees to the hash of the parameters. @returns the error that ends the request, when they have none. */
function hash(entry: LedgerEntry): OUIError | undefined {
  try {
    entry.argsHash ??= argsHash(entry.request.params);
    return undefined;
  } catch (error) {
    const { message } = error as Error;
    const errors = [{ path: '', keyword: 'i-json', message }];
    return { code: ERROR_CODES.VALIDATION_ERROR, message, details: { ran: false, errors } };
  }
}
