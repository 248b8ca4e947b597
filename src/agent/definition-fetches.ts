import { checkAction } from '../protocol/guards.js';
import type { OUIError } from '../protocol/events.js';
import type { IndexEntry, OUIAction } from '../protocol/manifest.js';
import { isJsonObject } from '../protocol/shape.js';
import { AGENT_LIMITS } from './agent-limits.js';
import type { AgentCallResult } from './agent-types.js';
import { definitionMissing, definitionNotFetched, definitionUnreadable } from './call-errors.js';
import type { Definition } from './definition-store.js';

interface Wanted {
  readonly surfaceId: string;
  readonly entry: IndexEntry;
  readonly promise: Promise<OUIError | undefined>;
  settle(error: OUIError | undefined): void;
}

export interface DefinitionFetchesOptions {
  /** Calls the page's own `describe`. Always resolves. */
  ask(actions: readonly { readonly surface: string; readonly action: string }[]): Promise<AgentCallResult>;
  /** Definitions came. */
  take(definitions: readonly Definition[]): void;
}

/**
 * Fetches the definitions of actions that are known by their index entries (PROTOCOL.md §4, §7). What is wanted at
 * one time goes into one question, what is wanted while that is on its way into the next.
 */
export class DefinitionFetches {
  readonly #options: DefinitionFetchesOptions;
  readonly #wanted = new Map<string, Wanted>();
  #asking = false;

  constructor(options: DefinitionFetchesOptions) {
    this.#options = options;
  }

  /** Resolves with nothing when the definition has been taken, else with the error why not. */
  fetch(surfaceId: string, entry: IndexEntry): Promise<OUIError | undefined> {
    const key = keyOf(surfaceId, entry.id);
    const known = this.#wanted.get(key);
    if (known?.entry.definitionHash === entry.definitionHash) return known.promise;
    let settle: Wanted['settle'] = () => {};
    const promise = new Promise<OUIError | undefined>((resolve) => {
      settle = resolve;
    });
    // Who waits for an earlier definition of the action gets this one, and looks again.
    this.#wanted.set(key, { surfaceId, entry, promise, settle: (error) => (settle(error), known?.settle(error)) });
    if (!this.#asking) {
      this.#asking = true;
      queueMicrotask(() => void this.#askForAll());
    }
    return promise;
  }

  async #askForAll(): Promise<void> {
    while (this.#wanted.size > 0) {
      const asked = new Map([...this.#wanted].slice(0, AGENT_LIMITS.definitionsAsked));
      const actions = [...asked.values()].map(({ surfaceId, entry }) => ({ surface: surfaceId, action: entry.id }));
      const { result } = await this.#options.ask(actions);
      if (!result.error) this.#read(asked, result.data);
      else {
        for (const [key, wanted] of asked) {
          this.#end(key, wanted, definitionNotFetched(wanted.surfaceId, wanted.entry.id, result.error));
        }
      }
    }
    this.#asking = false;
  }

  /** What is deferred stays wanted, for the next question; anything else that was asked for ends here. */
  #read(asked: ReadonlyMap<string, Wanted>, data: unknown): void {
    const answer = isJsonObject(data) ? data : {};
    const taken: Definition[] = [];
    const ends = new Map<string, OUIError | undefined>();
    for (const { surface, action } of pairs(answer['definitions'])) {
      const problem = checkAction(action);
      const id = isJsonObject(action) ? action['id'] : undefined;
      if (typeof surface !== 'string' || typeof id !== 'string') continue;
      const wanted = asked.get(keyOf(surface, id));
      if (!wanted) continue;
      if (problem === undefined) taken.push({ ...wanted, action: action as OUIAction });
      ends.set(keyOf(surface, id), problem === undefined ? undefined : definitionUnreadable(surface, id, problem));
    }
    const deferred = new Set(pairs(answer['deferred']).map(({ surface, action }) => keyOf(surface, action)));
    this.#options.take(taken);
    for (const [key, wanted] of asked) {
      // The first that is there always comes: a page that only defers would be asked for ever.
      if (!ends.has(key) && deferred.has(key) && taken.length > 0) continue;
      const { surfaceId, entry } = wanted;
      this.#end(key, wanted, ends.has(key) ? ends.get(key) : definitionMissing(surfaceId, entry.id));
    }
  }

  #end(key: string, wanted: Wanted, error: OUIError | undefined): void {
    if (this.#wanted.get(key) === wanted) this.#wanted.delete(key);
    wanted.settle(error);
  }
}

function pairs(list: unknown): readonly { readonly surface?: unknown; readonly action?: unknown }[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

function keyOf(surfaceId: unknown, actionId: unknown): string {
  return JSON.stringify([surfaceId, actionId]);
}
