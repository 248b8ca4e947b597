import type { OUIError } from '../protocol/events.js';
import { isPureRead } from '../protocol/manifest.js';
import { ActionSearch } from './action-search.js';
import type { AgentCallOptions, AgentCallTarget } from './agent-types.js';
import * as errors from './call-errors.js';
import { askUser, shownToUser } from './confirmation.js';
import type { CallContext } from './call-context.js';
import { needsApproval } from './tool-descriptions.js';
import type { ActionPlace } from './tool-list.js';

/** One call before it is sent: its page, its definition, its user, its turn (PROTOCOL.md §10). */
export class CallPreparation {
  readonly #context: CallContext;
  readonly #requestId: string;
  readonly #search: ActionSearch;
  readonly #params: unknown;
  readonly #options: Pick<AgentCallOptions, 'approval' | 'confirm'>;
  /** Fires when the call has ended. */
  readonly #ending: AbortSignal;
  #surfaceId: string;
  #actionId: string;
  #awaited: 'page' | 'definition' | 'confirmation' | 'turn' = 'turn';
  /** The surface in whose line the call stands. */
  #line: string | undefined;
  /** What the user saw when they said yes. */
  #confirmed: string | undefined;

  constructor(
    context: CallContext,
    requestId: string,
    target: AgentCallTarget,
    params: unknown,
    options: Pick<AgentCallOptions, 'approval' | 'confirm'>,
    ending: AbortSignal,
  ) {
    this.#context = context;
    this.#requestId = requestId;
    this.#search = new ActionSearch(target, context);
    this.#params = params;
    this.#options = options;
    this.#ending = ending;
    this.#surfaceId = typeof target === 'string' ? '' : target.surfaceId;
    this.#actionId = typeof target === 'string' ? target : target.actionId;
  }

  get surfaceId(): string {
    return this.#surfaceId;
  }

  /** The action's id; a tool's whole name until it is known which action that is. */
  get actionId(): string {
    return this.#actionId;
  }

  get awaited(): errors.Awaited {
    return this.#awaited;
  }

  get inLine(): boolean {
    return this.#line !== undefined;
  }

  /**
   * Calls `ready` when nothing stands in the way any more: at once, if nothing does. Every step is checked again after
   * each wait, since the page goes on meanwhile.
   *
   * @returns the error that ends the call, if one does
   */
  async run(ready: (place: ActionPlace) => void): Promise<OUIError | undefined> {
    while (!this.#ending.aborted) {
      const found = this.#search.look();
      if ('code' in found) return found;
      if ('change' in found) {
        if (found.place) this.#note(found.place);
        const error = await this.#waitFor(found.awaited, found.change);
        if (error) return error;
        continue;
      }
      this.#note(found);
      const next = this.#admit(found);
      if (next === 'ready') {
        ready(found);
        return undefined;
      }
      const error = 'code' in next ? next : await next;
      if (error) return error;
    }
    return undefined;
  }

  leaveLine(): void {
    if (this.#line === undefined) return;
    const line = this.#line;
    this.#line = undefined;
    this.#context.turns.leave(line, this.#requestId);
  }

  #note({ surface, action }: ActionPlace): void {
    this.#surfaceId = surface.id;
    this.#actionId = action.id;
  }

  /** Whether it may be sent; else the error that ends it, or what it has to wait for. */
  #admit({ surface, action }: ActionPlace): 'ready' | OUIError | Promise<OUIError | undefined> {
    const { page, params, turns } = this.#context;
    const problem = params.check(surface, action, this.#params);
    if (problem) return problem;
    // Whoever brings an approval has asked: the page checks it.
    if (needsApproval(action) && !page.asksAbout(action) && !this.#options.approval) {
      if (this.#confirmed === undefined) return this.#confirm({ surface, action });
      if (this.#confirmed !== shownToUser(surface, action)) return errors.changedWhileAsking(surface.id, action.id);
    }
    if (this.#line !== undefined || isPureRead(action) || surface.concurrent === true) return 'ready';
    this.#line = surface.id;
    this.#awaited = 'turn';
    const turn = turns.take(surface.id, this.#requestId);
    return turn ? turn.then(() => undefined) : 'ready';
  }

  async #confirm({ surface, action }: ActionPlace): Promise<OUIError | undefined> {
    const { page, timers } = this.#context;
    const confirm = this.#options.confirm ?? this.#context.confirm;
    const shown = shownToUser(surface, action);
    const question = { requestId: this.#requestId, surface, action, params: this.#params, page: page.snapshot() };
    const asked = askUser({ ...question, signal: this.#ending }, confirm, timers);
    const refusal = await this.#waitFor('confirmation', asked);
    if (!refusal) this.#confirmed = shown;
    return refusal;
  }

  /** Who waits for a page, its word or its user does not keep others waiting. */
  #waitFor<T>(awaited: 'page' | 'definition' | 'confirmation', change: Promise<T>): Promise<T> {
    this.leaveLine();
    this.#awaited = awaited;
    return change;
  }
}
