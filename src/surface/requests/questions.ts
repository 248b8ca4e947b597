import type { ApprovalRequest } from '../../protocol/approval.js';
import type { InputOf } from '../../protocol/engine-messages.js';
import { messageOf } from '../../protocol/error-message.js';
import type { OUIActionRequest } from '../../protocol/events.js';
import * as LIMITS from '../../protocol/limits.js';
import { warnOnce } from '../../protocol/warn-once.js';
import * as WARNINGS from '../../protocol/warning-codes.js';
import type { SurfaceRuntimeOptions } from '../runtime-options.js';

type Decision = InputOf<'decided'>['decision'];

interface Question {
  readonly closing: AbortController;
  readonly decision: Promise<Decision>;
  decided: boolean;
  /** The present engine has asked it. */
  claimed: boolean;
}

/** Asks the page's own functions: its gate, and its user. */
export class Questions {
  readonly #options: Pick<SurfaceRuntimeOptions, 'accept' | 'approve'>;
  /** An engine that takes over asks again what the one before it asked: the user is asked once. */
  readonly #asked = new Map<string, Question>();

  constructor(options: Pick<SurfaceRuntimeOptions, 'accept' | 'approve'>) {
    this.#options = options;
  }

  /** Whether the gate lets the request in. Never rejects: a gate that throws is closed. */
  async gate(request: OUIActionRequest): Promise<boolean> {
    const { accept } = this.#options;
    return !accept || (await ask('accept', () => accept(request))) === true;
  }

  /** What the user says. Never rejects. */
  user(approval: ApprovalRequest): Promise<Decision> {
    const { requestId } = approval;
    const asked = this.#asked.get(requestId);
    if (asked) {
      asked.claimed = true;
      return asked.decision;
    }
    const closing = new AbortController();
    const decision = this.#decide(approval, closing.signal);
    const question: Question = { closing, decision, decided: false, claimed: true };
    void decision.then(() => {
      question.decided = true;
    });
    this.#asked.set(requestId, question);
    this.#forgetDecided();
    return decision;
  }

  /** The engine that asked is lost. */
  orphan(): void {
    for (const question of this.#asked.values()) question.claimed = false;
  }

  /** Closes what an engine that was lost had asked and its successor has not, save what `mayCome`. */
  closeOrphans(mayCome: (requestId: string) => boolean = () => false): void {
    for (const [requestId, { claimed }] of this.#asked) if (!claimed && !mayCome(requestId)) this.close(requestId);
  }

  /** The question is moot. */
  close(requestId: string): void {
    const question = this.#asked.get(requestId);
    this.#asked.delete(requestId);
    if (question && !question.decided) question.closing.abort();
  }

  closeAll(): void {
    for (const requestId of this.#asked.keys()) this.close(requestId);
  }

  /** Open ones stay, however many: whoever asked must be able to close them. */
  #forgetDecided(): void {
    for (const [requestId, { decided }] of this.#asked) {
      if (this.#asked.size <= LIMITS.dedupeWindow) return;
      if (decided) this.#asked.delete(requestId);
    }
  }

  async #decide(approval: ApprovalRequest, signal: AbortSignal): Promise<Decision> {
    const { approve } = this.#options;
    const answer = approve && (await ask('approve', () => approve(approval, signal)));
    return answer === true ? 'granted' : answer === false ? 'denied' : 'dismissed';
  }
}

async function ask<T>(option: string, call: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    warnOnce(WARNINGS.CALLBACK_THREW, `The option ${option} threw (${messageOf(error)}); that counts as no.`, option);
    return undefined;
  }
}
