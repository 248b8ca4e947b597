import type { IndexEntry, OUIAction } from '../protocol/manifest.js';
import { AGENT_LIMITS } from './agent-limits.js';

/** One action's definition, and the entry of the index that it belongs to. */
export interface Definition {
  readonly surfaceId: string;
  readonly entry: IndexEntry;
  readonly action: OUIAction;
}

/**
 * Definitions of one page's actions by the hash that its index gives them: what was fetched once is known after a
 * reload too (PROTOCOL.md §10). The hash is the page's word, compared as it is and never computed.
 */
export class DefinitionStore {
  readonly #held = new Map<string, OUIAction>();
  #units = 0;

  get(surfaceId: string, entry: IndexEntry): OUIAction | undefined {
    return this.#held.get(keyOf(surfaceId, entry));
  }

  /** Keeps a definition; all others are forgotten first when there would be too much. */
  put({ surfaceId, entry, action }: Definition): void {
    const units = JSON.stringify(action).length;
    if (this.#held.size >= AGENT_LIMITS.actions || this.#units + units > AGENT_LIMITS.manifestUnits) this.clear();
    this.#units += units;
    this.#held.set(keyOf(surfaceId, entry), action);
  }

  clear(): void {
    this.#held.clear();
    this.#units = 0;
  }
}

function keyOf(surfaceId: string, { id, definitionHash }: IndexEntry): string {
  return JSON.stringify([surfaceId, id, definitionHash]);
}
