import * as ERROR_CODES from '../protocol/error-codes.js';
import { EXTENSION, type OUIApprovalNotice, type OUIError } from '../protocol/events.js';
import * as LIMITS from '../protocol/limits.js';
import { requiresApproval, type OUIAction } from '../protocol/manifest.js';
import { argsHash } from '../rules/args-hash.js';
import { fillDefaults } from '../rules/fill-defaults.js';
import { report } from './call-report.js';
import type { EngineContext } from './context.js';
import { Grants } from './grants.js';
import type { LedgerEntry } from './ledger.js';
import { approvalRequired, deniedByUser, notApproved, tooManyQuestions } from './engine-errors.js';
import { findAction, type Mount } from './registry.js';

/** `admitted`: go on. `asking`: the user decides first. Otherwise the error that ends the request. */
export type ApprovalVerdict = 'admitted' | 'asking' | OUIError;

type Decision = 'granted' | 'denied' | 'dismissed';

const TIMER_PREFIX = 'approval:';
const timerKey = (requestId: string): string => TIMER_PREFIX + requestId;

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

  constructor(context: EngineContext) {
    this.#context = context;
    this.grants = new Grants(context);
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

  /** The user's answer. @returns what becomes of the request that waits for it, if one does. */
  onDecided(requestId: string, decision: Decision): { entry: LedgerEntry; verdict: 'admitted' | OUIError } | undefined {
    this.#context.clearTimer(timerKey(requestId));
    const entry = this.#context.ledger.get(requestId);
    if (!entry || entry.question?.state !== 'pending') return undefined;
    this.#context.touch(entry);
    if (entry.stage !== 'approval') {
      // Kept for the next equal request of a v1 agent.
      if (decision === 'dismissed') delete entry.question;
      else entry.question.state = decision;
      return undefined;
    }
    const { shown } = entry.question;
    delete entry.question;
    this.#resumeClock(entry);
    const { actionId } = entry.request;
    if (decision === 'granted') {
      entry.approved = shown;
      // Its turn asks anew about an action that has changed: the agent goes on waiting.
      if (!this.#isOutdated(entry, shown)) this.#notify(entry, 'granted');
      return { entry, verdict: 'admitted' };
    }
    this.#notify(entry, decision === 'denied' ? 'denied' : 'expired');
    return { entry, verdict: decision === 'denied' ? deniedByUser(actionId) : notApproved(actionId, entry.argsHash!) };
  }

  isTimer(key: string): boolean {
    return key.startsWith(TIMER_PREFIX);
  }

  /** The user took too long. */
  onTimer(key: string): ReturnType<Approvals['onDecided']> {
    const requestId = key.slice(TIMER_PREFIX.length);
    this.#context.emit({ kind: 'close-question', requestId });
    return this.onDecided(requestId, 'dismissed');
  }

  /** A request that waits for its user ends otherwise: the question goes away. */
  withdraw(entry: LedgerEntry): void {
    if (entry.question?.state !== 'pending') return;
    this.#context.clearTimer(timerKey(entry.requestId));
    this.#context.emit({ kind: 'close-question', requestId: entry.requestId });
    delete entry.question;
    this.#context.touch(entry);
    if (entry.stage !== 'approval') return;
    this.#notify(entry, 'expired');
    this.#resumeClock(entry);
  }

  /** Nobody waits for what v1 agents asked for any more: about one surface, or at all. */
  withdrawQuestions(surfaceId?: string): void {
    for (const [key, entry] of this.#asked) {
      if (surfaceId !== undefined && entry.request.surfaceId !== surfaceId) continue;
      this.#asked.delete(key);
      this.withdraw(entry);
    }
  }

  /** Takes over a question of an earlier engine. The page asks each only once and keeps the answer for whoever asks. */
  restore(entry: LedgerEntry, mount: Mount, action: OUIAction): void {
    if (!entry.question || entry.argsHash === undefined) return;
    if (entry.stage === 'answered') this.#asked.set(askedKey(mount, action, entry.argsHash), entry);
    if (entry.question.state === 'pending') this.#ask(entry, mount, action);
  }

  #askAndWait(entry: LedgerEntry, mount: Mount, action: OUIAction): ApprovalVerdict {
    const refusal = this.#open(entry, mount, action);
    if (refusal) return refusal;
    entry.stage = 'approval';
    entry.askingSince = this.#context.at.now;
    this.#notify(entry, 'pending');
    this.#ask(entry, mount, action);
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
      this.#asked.delete(key);
      this.withdraw(asked);
      delete asked.question;
      this.#context.touch(asked);
      if (!outdated) {
        entry.approved = earlier.shown;
        return 'admitted';
      }
    }
    const refusal = this.#open(entry, mount, action);
    if (refusal) return refusal;
    this.#asked.set(key, entry);
    this.#ask(entry, mount, action);
    return approvalRequired(action.id, entry.argsHash!, entry.question!.expiresAt);
  }

  /** Opens a question, unless the user is being asked enough already: a flood of dialogs is no consent. */
  #open(entry: LedgerEntry, mount: Mount, action: OUIAction): OUIError | undefined {
    const { at, config, ledger } = this.#context;
    for (const [key, { question }] of this.#asked) {
      if (!question || question.expiresAt <= at.wall) this.#asked.delete(key);
    }
    const open = ledger.all().filter(({ question }) => question?.state === 'pending').length;
    if (open >= LIMITS.openQuestions) return tooManyQuestions(action.id, open);
    const expiresAt = at.wall + config.approvalMs;
    entry.question = { expiresAt, state: 'pending', shown: shownText(entry, mount, action) };
    this.#context.touch(entry);
    return undefined;
  }

  #ask(entry: LedgerEntry, mount: Mount, action: OUIAction): void {
    const { requestId, request, argsHash: shown, question } = entry;
    const { expiresAt } = question!;
    this.#context.setTimer(timerKey(requestId), expiresAt - this.#context.at.wall);
    report(this.#context, entry, 'asking');
    this.#context.emit({
      kind: 'ask-user',
      approval: {
        requestId,
        surfaceId: mount.surface.id,
        surfaceName: mount.surface.name,
        actionId: action.id,
        ...(action.title === undefined ? {} : { title: action.title }),
        description: action.description,
        // A copy: what the page does with it must not change what was hashed and will run.
        params: JSON.parse(JSON.stringify(request.params)),
        defaults: fillDefaults(action.input, request.params).filled,
        argsHash: shown!,
        expiresAt,
      },
    });
  }

  /** Whether the user would have to be asked about something else by now. */
  #isOutdated(entry: LedgerEntry, shown: string): boolean {
    const { surfaceId, actionId } = entry.request;
    const mount = this.#context.registry.offered(surfaceId);
    const action = mount && findAction(mount.surface, actionId);
    return action !== undefined && requiresApproval(action) && shown !== shownText(entry, mount!, action);
  }

  #notify(entry: LedgerEntry, state: OUIApprovalNotice['state']): void {
    if (entry.origin !== 'agent' || !this.#context.peer.speaks('approval')) return;
    const expiresAt = state === 'pending' ? entry.question!.expiresAt : this.#context.at.wall;
    const notice: OUIApprovalNotice = { requestId: entry.requestId, argsHash: entry.argsHash!, expiresAt, state };
    this.#context.send(EXTENSION.approval, JSON.stringify(notice));
  }

  #resumeClock(entry: LedgerEntry): void {
    if (entry.askingSince === undefined) return;
    entry.deadlineAt += this.#context.at.now - entry.askingSince;
    delete entry.askingSince;
  }
}

function askedKey(mount: Mount, action: OUIAction, hash: string): string {
  return `${mount.surface.id} ${action.id} ${hash}`;
}

/**
 * What the user decides about, as one text: the action as the question shows it, and what the page says of its effect.
 * Beside it stand the parameters, which never change.
 */
function shownText({ request }: LedgerEntry, { surface }: Mount, action: OUIAction): string {
  const { id, title, description, effect, confirm, input } = action;
  const defaults = fillDefaults(input, request.params).filled;
  return JSON.stringify([surface.id, surface.name, id, title, description, effect, confirm, defaults]);
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
