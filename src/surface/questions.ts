import type { ApprovalRequest, EngineInput } from '../protocol/engine-messages.js';
import type { OUIActionRequest } from '../protocol/events.js';
import { LIMITS } from '../protocol/limits.js';
import { WARNINGS, warnOnce } from '../protocol/warn-once.js';
import { messageOf } from './outcome.js';
import type { SurfaceRuntimeOptions } from './runtime-options.js';

type Decision = Extract<EngineInput, { kind: 'decided' }>['decision'];

interface Question {
  readonly closing: AbortController;
  readonly decision: Promise<Decision>;
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
    let question = this.#asked.get(requestId);
    if (!question) {
      const closing = new AbortController();
      question = { closing, decision: this.#decide(approval, closing.signal) };
      this.#asked.set(requestId, question);
      if (this.#asked.size > LIMITS.dedupeWindow) this.#asked.delete(this.#asked.keys().next().value!);
    }
    return question.decision;
  }

  /** The question is moot. */
  close(requestId: string): void {
    this.#asked.get(requestId)?.closing.abort();
    this.#asked.delete(requestId);
  }

  closeAll(): void {
    for (const requestId of this.#asked.keys()) this.close(requestId);
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
