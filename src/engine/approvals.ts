import { ERROR_CODES } from '../protocol/error-codes.js';
import { EXTENSION, type OUIApprovalNotice, type OUIError } from '../protocol/events.js';
import { requiresApproval, type OUIAction } from '../protocol/manifest.js';
import { argsHash } from '../rules/args-hash.js';
import { fillDefaults } from '../rules/fill-defaults.js';
import { report } from './answers.js';
import type { EngineContext } from './context.js';
import type { LedgerEntry } from './ledger.js';
import type { Mount } from './registry.js';

/** `admitted`: go on. `asking`: the user decides first. Otherwise the error that ends the request. */
export type ApprovalVerdict = 'admitted' | 'asking' | OUIError;

/** What a v1 agent's user decided, kept for the next request with the same surface, action and parameters. */
interface Decision {
  state: 'pending' | 'granted' | 'denied';
  readonly expiresAt: number;
  readonly askedFor: string;
}

/**
 * Who confirms, and whether they have (PROTOCOL.md §5).
 * The page asks its user. An agent that knows `x-oui:approval` waits; a v1 agent is told `APPROVAL_REQUIRED`
 * and asks again, when the user's answer is there.
 */
export class Approvals {
  readonly #context: EngineContext;
  readonly #decisions = new Map<string, Decision>();

  constructor(context: EngineContext) {
    this.#context = context;
  }

  check(entry: LedgerEntry, mount: Mount, action: OUIAction): ApprovalVerdict {
    const { config, peer } = this.#context;
    if (!requiresApproval(action)) return 'admitted';
    if (config.confirmBy === 'agent' && action.effect !== 'transaction') return 'admitted';
    let hash: string;
    try {
      hash = argsHash(entry.request.params);
    } catch (error) {
      return { code: ERROR_CODES.VALIDATION_ERROR, message: (error as Error).message };
    }
    entry.argsHash = hash;
    if (config.confirmBy === 'grant' || !config.canAsk) return required(action, hash);
    if (entry.origin === 'agent' && !peer.speaks('approval')) return this.#askForV1(entry, mount, action, hash);
    const expiresAt = this.#context.at.wall + config.approvalMs;
    entry.stage = 'approval';
    entry.askingSince = this.#context.at.now;
    this.#context.touch(entry);
    this.#notify(entry, expiresAt, 'pending');
    this.#ask(entry, mount, action, hash, expiresAt);
    return 'asking';
  }

  /** The user's answer. @returns what becomes of the request that waits for it, if one does. */
  onDecided(
    requestId: string,
    decision: 'granted' | 'denied' | 'dismissed',
  ): { entry: LedgerEntry; verdict: 'admitted' | OUIError } | undefined {
    this.#context.clearTimer(timerKey(requestId));
    this.#rememberForV1(requestId, decision);
    const entry = this.#context.ledger.get(requestId);
    if (!entry || entry.stage !== 'approval') return undefined;
    this.#resumeClock(entry);
    const { at } = this.#context;
    if (decision === 'granted') {
      this.#notify(entry, at.wall, 'granted');
      return { entry, verdict: 'admitted' };
    }
    this.#notify(entry, at.wall, decision === 'denied' ? 'denied' : 'expired');
    const { actionId } = entry.request;
    const verdict =
      decision === 'denied' ? deniedByUser(actionId) : notApproved(actionId, entry.argsHash!, 'The user gave no answer');
    return { entry, verdict };
  }

  /** The user took too long. */
  onTimer(key: string): ReturnType<Approvals['onDecided']> {
    const requestId = key.slice(TIMER_PREFIX.length);
    this.#context.emit({ kind: 'close-question', requestId });
    return this.onDecided(requestId, 'dismissed');
  }

  isTimer(key: string): boolean {
    return key.startsWith(TIMER_PREFIX);
  }

  /** A request that waits for its user ends otherwise: the question goes away. */
  withdraw(entry: LedgerEntry): void {
    if (entry.stage !== 'approval') return;
    this.#context.clearTimer(timerKey(entry.requestId));
    this.#context.emit({ kind: 'close-question', requestId: entry.requestId });
    this.#notify(entry, this.#context.at.wall, 'expired');
    this.#resumeClock(entry);
  }

  #askForV1(entry: LedgerEntry, mount: Mount, action: OUIAction, hash: string): ApprovalVerdict {
    const { at, config } = this.#context;
    const key = `${mount.surface.id} ${action.id} ${hash}`;
    let decision = this.#decisions.get(key);
    if (decision && decision.expiresAt <= at.wall) {
      this.#decisions.delete(key);
      decision = undefined;
    }
    if (!decision) {
      decision = { state: 'pending', expiresAt: at.wall + config.approvalMs, askedFor: entry.requestId };
      this.#decisions.set(key, decision);
      this.#ask(entry, mount, action, hash, decision.expiresAt);
    } else if (decision.state === 'granted') {
      this.#decisions.delete(key);
      return 'admitted';
    } else if (decision.state === 'denied') {
      return deniedByUser(action.id);
    }
    return required(action, hash, decision.expiresAt);
  }

  #rememberForV1(requestId: string, answer: 'granted' | 'denied' | 'dismissed'): void {
    for (const [key, decision] of this.#decisions) {
      if (decision.expiresAt <= this.#context.at.wall) this.#decisions.delete(key);
      else if (decision.askedFor === requestId && decision.state === 'pending') {
        if (answer === 'dismissed') this.#decisions.delete(key);
        else decision.state = answer;
      }
    }
  }

  #ask(entry: LedgerEntry, mount: Mount, action: OUIAction, hash: string, expiresAt: number): void {
    const { requestId, request } = entry;
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
        params: request.params,
        defaults: fillDefaults(action.input, request.params).filled,
        argsHash: hash,
        expiresAt,
      },
    });
  }

  #notify(entry: LedgerEntry, expiresAt: number, state: OUIApprovalNotice['state']): void {
    if (entry.origin !== 'agent' || !this.#context.peer.speaks('approval')) return;
    const notice: OUIApprovalNotice = { requestId: entry.requestId, argsHash: entry.argsHash!, expiresAt, state };
    this.#context.send(EXTENSION.approval, JSON.stringify(notice));
  }

  #resumeClock(entry: LedgerEntry): void {
    if (entry.askingSince === undefined) return;
    entry.deadlineAt += this.#context.at.now - entry.askingSince;
    delete entry.askingSince;
  }
}

const TIMER_PREFIX = 'approval:';
const timerKey = (requestId: string): string => TIMER_PREFIX + requestId;

function required(action: OUIAction, hash: string, expiresAt?: number): OUIError {
  const wayOut =
    expiresAt === undefined
      ? 'Send it again with the approval that the page\'s host recorded for it.'
      : 'The user is being asked in the page. Send the same request again, with a new requestId, to see the answer.';
  return {
    code: ERROR_CODES.APPROVAL_REQUIRED,
    message: `"${action.id}" runs only on the user's approval. ${wayOut}`,
    details: expiresAt === undefined ? { argsHash: hash } : { argsHash: hash, expiresAt },
  };
}

function notApproved(actionId: string, hash: string, why: string): OUIError {
  const message = `${why}: "${actionId}" did not run. It can be asked for again.`;
  return { code: ERROR_CODES.APPROVAL_REQUIRED, message, details: { argsHash: hash, ran: false } };
}

function deniedByUser(actionId: string): OUIError {
  const message = `The user of the page said no: "${actionId}" did not run.`;
  return { code: ERROR_CODES.ACTION_DENIED, message, details: { ran: false } };
}
