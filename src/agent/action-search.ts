import type { OUIError } from '../protocol/events.js';
import { AGENT_LIMITS } from './agent-limits.js';
import type { AgentCallTarget } from './agent-types.js';
import { definitionKeepsChanging } from './call-errors.js';
import type { CallContext } from './call-context.js';
import type { ActionPlace } from './tool-list.js';

/** What a search needs from its runtime. */
export type SearchContext = Pick<CallContext, 'locate' | 'returning' | 'define'>;

/** What has to happen before the search goes on. `change` never rejects; with an error, that ends the search. */
interface Wait {
  readonly awaited: 'page' | 'definition';
  /** Where the action is, as far as it is known. */
  readonly place?: ActionPlace;
  readonly change: Promise<OUIError | void>;
}

/** Looks for one action and its whole definition, on a page that may be away and that goes on changing. */
export class ActionSearch {
  readonly #target: AgentCallTarget;
  readonly #context: SearchContext;
  #fetches = 0;

  constructor(target: AgentCallTarget, context: SearchContext) {
    this.#target = target;
    this.#context = context;
  }

  /** Where it is now with its whole definition, the error that ends the search, or what to wait for and look again. */
  look(): ActionPlace | OUIError | Wait {
    const { locate, returning, define } = this.#context;
    const found = locate(this.#target);
    if ('code' in found) {
      const change = returning();
      return change ? { awaited: 'page', change } : found;
    }
    if (!found.entry) return found;
    this.#fetches += 1;
    const { surface, action } = found;
    if (this.#fetches > AGENT_LIMITS.definitionFetches) return definitionKeepsChanging(surface.id, action.id);
    return { awaited: 'definition', place: found, change: define(found) };
  }

  /** Looks until there is an end to it. Always resolves. */
  async find(): Promise<ActionPlace | OUIError> {
    for (;;) {
      const found = this.look();
      if (!('change' in found)) return found;
      const error = await found.change;
      if (error) return error;
    }
  }
}
