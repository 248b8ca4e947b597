import { EXTENSION, type OUIApprovalNotice, type OUIError } from '../protocol/events.js';
import * as LIMITS from '../protocol/limits.js';
import { requiresApproval, type OUIAction } from '../protocol/manifest.js';
import { report } from './call-report.js';
import type { EngineContext } from './context.js';
import {
  actionNotFound, leftAlone, outdatedQuestion, surfaceGone, switchedOff, tooManyQuestions,
} from './engine-errors.js';
import type { LedgerEntry } from './ledger.js';
import { questionOf, shownText } from './question.js';
import { Refusals } from './refusals.js';
import { findAction, type Mount } from './registry.js';
import { validate, type Target } from './target.js';

const TIMER_PREFIX = 'approval:';
const timerKey = (requestId: string): string => TIMER_PREFIX + requestId;

/** The questions to the user that are open, their timers, and the clocks that stand for them. */
export class OpenQuestions {
  readonly #context: EngineContext;
  /** What the user has said to agents lately. */
  readonly refusals = new Refusals();

  constructor(context: EngineContext) {
    this.#context = context;
  }

  /**
   * Opens a question, or its next round, unless the user is being asked enough already: a flood of dialogs is no
   * consent. What agents ask for and what the page asks for itself never stand in each other's way.
   */
  open(entry: LedgerEntry, mount: Mount, action: OUIAction): OUIError | undefined {
    const { at, config } = this.#context;
    const restMs = ofAgent(entry) ? this.refusals.restMs(at.now) : 0;
    if (restMs > 0) return leftAlone(action.id, restMs);
    const open = this.pending().filter((other) => other !== entry && ofAgent(other) === ofAgent(entry)).length;
    if (open >= LIMITS.openQuestions) return tooManyQuestions(action.id, open);
    const asks = (entry.asks ?? 0) + 1;
    if (asks > LIMITS.asksOfOneRequest) return outdatedQuestion(action.id);
    entry.asks = asks;
    const expiresAt = at.wall + config.approvalMs;
    entry.question = { expiresAt, state: 'pending', shown: shownText(entry, mount, action) };
    this.#context.touch(entry);
    return undefined;
  }

  /** Requests that the user is being asked about, or was when a v1 agent got its answer. */
  pending(): LedgerEntry[] {
    return this.#context.ledger.all().filter(({ question }) => question?.state === 'pending');
  }

  /** Hands the open question to the page. */
  ask(entry: LedgerEntry, mount: Mount, action: OUIAction): void {
    const { requestId, question, asks = 0 } = entry;
    this.#context.setTimer(timerKey(requestId), question!.expiresAt - this.#context.at.wall);
    report(this.#context, entry, 'asking');
    this.#context.emit({ kind: 'ask-user', round: asks, approval: questionOf(entry, mount, action) });
  }

  /** The request waits for its user from now on: its clock stands, and an agent is told. */
  wait(entry: LedgerEntry): void {
    entry.askingSince = this.#context.at.now;
    this.notify(entry, 'pending');
  }

  /**
   * Asks anew when the open question shows what is no longer so. It never ends in a run without a yes, not even when
   * the action needs none any more. @returns why the question, which is open still, must go.
   */
  renew(entry: LedgerEntry): OUIError | undefined {
    const target = this.#targetNow(entry);
    if ('code' in target) return target;
    const { mount, action } = target;
    const waits = entry.stage === 'approval';
    if (waits) {
      entry.action = action;
      entry.mountId = mount.mountId;
    }
    if (entry.question!.shown === shownText(entry, mount, action)) return undefined;
    if (!requiresApproval(action)) return outdatedQuestion(action.id);
    const refusal = this.open(entry, mount, action);
    if (refusal) return refusal;
    this.#context.emit({ kind: 'close-question', requestId: entry.requestId });
    if (waits) {
      this.resumeClock(entry);
      this.wait(entry);
    }
    this.ask(entry, mount, action);
    return undefined;
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

  /** It was answered, or goes. */
  clearTimer({ requestId }: LedgerEntry): void {
    this.#context.clearTimer(timerKey(requestId));
  }

  isTimer(key: string): boolean {
    return key.startsWith(TIMER_PREFIX);
  }

  /** The request whose timer has this key. */
  requestOf(key: string): string {
    return key.slice(TIMER_PREFIX.length);
  }

  /** The question goes, or what was answered to it: no answer to it counts any more. */
  withdraw(entry: LedgerEntry): void {
    if (!entry.question) return;
    const isOpen = entry.question.state === 'pending';
    delete entry.question;
    this.#context.touch(entry);
    if (!isOpen) return;
    this.clearTimer(entry);
    this.#context.emit({ kind: 'close-question', requestId: entry.requestId });
    if (entry.stage !== 'approval') return;
    this.notify(entry, 'expired');
    this.resumeClock(entry);
  }

  /** Tells an agent that waits how its request stands. */
  notify(entry: LedgerEntry, state: OUIApprovalNotice['state']): void {
    if (entry.origin !== 'agent' || !this.#context.peer.speaks('approval')) return;
    const expiresAt = state === 'pending' ? entry.question!.expiresAt : this.#context.at.wall;
    const notice: OUIApprovalNotice = { requestId: entry.requestId, argsHash: entry.argsHash!, expiresAt, state };
    this.#context.send(EXTENSION.approval, JSON.stringify(notice));
  }

  /** The time of the request stood while the user was being asked. */
  resumeClock(entry: LedgerEntry): void {
    if (entry.askingSince === undefined) return;
    entry.deadlineAt += this.#context.at.now - entry.askingSince;
    delete entry.askingSince;
  }
}

/**
 * What a handler asks for by `execute` counts as its caller's, which is most often an agent. What the page does for its
 * user, the user asked for themselves.
 */
export function ofAgent({ origin }: LedgerEntry): boolean {
  return origin !== 'local';
}
