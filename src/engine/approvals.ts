import * as ERROR_CODES from '../protocol/error-codes.js';
import type { OUIError } from '../protocol/events.js';
import * as LIMITS from '../protocol/limits.js';
import { requiresApproval, type OUIAction } from '../protocol/manifest.js';
import { argsHash } from '../rules/args-hash.js';
import type { EngineContext } from './context.js';
import { Grants } from './grants.js';
import type { LedgerEntry } from './ledger.js';
import {
  actionNotFound, approvalRequired, deniedByUser, leftAlone, notApproved, outdatedQuestion, surfaceGone, switchedOff,
} from './engine-errors.js';
import { ofAgent, OpenQuestions } from './open-questions.js';
import { askedKey, shownText } from './question.js';
import { findAction, type Mount } from './registry.js';
import { validate, type Target } from './target.js';

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
      // Its turn asks anew about an action that has changed: the agent goes on waiting.
      if (!this.#isOutdated(entry, shown)) this.#questions.notify(entry, 'granted');
      return [{ entry, verdict: 'admitted' }];
    }
    this.#questions.notify(entry, decision === 'denied' ? 'denied' : 'expired');
    const verdict = decision === 'denied' ? deniedByUser(actionId) : notApproved(actionId, entry.argsHash!);
    return [{ entry, verdict }, ...left];
  }

  /**
   * The manifest of a surface, or which of its mounts serves, may have changed. What shows something else by now is
   * asked anew. @returns what becomes of requests that cannot be.
   */
  redefined(surfaceId: string): readonly Decided[] {
    const pending = this.#questions.pending().filter(({ request }) => request.surfaceId === surfaceId);
    return pending.flatMap((entry) => {
      const error = this.#renew(entry);
      if (!error) return [];
      this.#questions.withdraw(entry);
      // What goes on changing, request after request, holds the user as well.
      const left = (entry.asks ?? 0) < LIMITS.asksOfOneRequest ? [] : this.takenBack(entry);
      return [{ entry, verdict: error }, ...left];
    });
  }

  /**
   * The agent takes a request back that waits for the user.
   * @returns the others that do, when the user is to be left alone.
   */
  takenBack(entry: LedgerEntry): readonly Decided[] {
    const { at } = this.#context;
    return entry.stage === 'approval' && this.#questions.refusals.takenBack(at.now) ? this.#leaveAlone(entry) : [];
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

  /** A request that waits for its user ends otherwise: the question goes away. */
  withdraw(entry: LedgerEntry): void {
    this.#questions.withdraw(entry);
  }

  /** Nobody waits for what v1 agents asked for any more: about one surface, or at all. */
  withdrawQuestions(surfaceId?: string): void {
    for (const [key, entry] of this.#asked) {
      if (surfaceId !== undefined && entry.request.surfaceId !== surfaceId) continue;
      this.#asked.delete(key);
      this.#questions.withdraw(entry);
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
    if (entry.question.shown !== shownText(entry, mount, action)) return this.#renew(entry);
    this.#questions.ask(entry, mount, action);
    return undefined;
  }

  #askAndWait(entry: LedgerEntry, mount: Mount, action: OUIAction): ApprovalVerdict {
    const refusal = this.#questions.open(entry, mount, action);
    if (refusal) return refusal;
    entry.stage = 'approval';
    entry.askingSince = this.#context.at.now;
    this.#questions.notify(entry, 'pending');
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
      this.#forgetAsked(asked);
      delete asked.question;
      this.#context.touch(asked);
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

  /**
   * Asks anew when the open question shows what is no longer so. It never ends in a run without a yes, not even when
   * the action needs none any more. @returns the error that ends a request that waits, when there is nothing to ask.
   */
  #renew(entry: LedgerEntry): OUIError | undefined {
    const target = this.#targetNow(entry);
    const waits = entry.stage === 'approval';
    if ('code' in target) {
      if (waits) return target;
      this.#forgetAsked(entry);
      return undefined;
    }
    const { mount, action } = target;
    if (waits) {
      entry.action = action;
      entry.mountId = mount.mountId;
    }
    if (entry.question!.shown === shownText(entry, mount, action)) return undefined;
    if (!waits) {
      this.#forgetAsked(entry);
      if (requiresApproval(action)) this.#askForV1(entry, mount, action);
      return undefined;
    }
    if (!requiresApproval(action)) return outdatedQuestion(action.id);
    this.#questions.close(entry);
    this.#questions.resumeClock(entry);
    const verdict = this.#askAndWait(entry, mount, action);
    return verdict === 'asking' || verdict === 'admitted' ? undefined : verdict;
  }

  /** What the request is for by now. An action that is not enabled may be so again at its turn. */
  #targetNow(entry: LedgerEntry): Target | OUIError {
    const { registry } = this.#context;
    const { surfaceId, actionId } = entry.request;
    const mount = registry.offered(surfaceId);
    if (!mount) return surfaceGone(surfaceId);
    const action = findAction(mount.surface, actionId);
    if (!action) return actionNotFound(mount.surface, actionId);
    if (registry.isActionOff(surfaceId, actionId)) return switchedOff(surfaceId, actionId);
    return validate(this.#context, entry, { mount, action }) ?? { mount, action };
  }

  /** A v1 agent's: its next request is asked about as any other. */
  #forgetAsked(entry: LedgerEntry): void {
    for (const [key, asked] of this.#asked) if (asked === entry) this.#asked.delete(key);
    this.#questions.withdraw(entry);
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

  /** A rest begins with this request. @returns the other requests that wait for the user. */
  #leaveAlone(entry: LedgerEntry): readonly Decided[] {
    const { at } = this.#context;
    const others = this.#questions.pending().filter((other) => other !== entry && ofAgent(other));
    return others.flatMap((other) => {
      const waits = other.stage === 'approval';
      if (waits) this.#questions.withdraw(other);
      else this.#forgetAsked(other);
      const verdict = leftAlone(other.request.actionId, this.#questions.refusals.restMs(at.now));
      return waits ? [{ entry: other, verdict }] : [];
    });
  }

  /** Whether the user would have to be asked about something else by now. */
  #isOutdated(entry: LedgerEntry, shown: string): boolean {
    const { surfaceId, actionId } = entry.request;
    const mount = this.#context.registry.offered(surfaceId);
    const action = mount && findAction(mount.surface, actionId);
    return action !== undefined && requiresApproval(action) && shown !== shownText(entry, mount!, action);
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
