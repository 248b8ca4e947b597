import type { IndexEntry, OUIAction, OUISurface } from '../protocol/manifest.js';
import { warnOnce } from '../protocol/warn-once.js';
import * as WARNINGS from '../protocol/warning-codes.js';
import { toolName } from '../rules/tool-names.js';
import type { AgentTool } from './agent-types.js';
import { indexEntryOf } from './indexed-surface.js';
import type { SurfaceStore } from './surface-store.js';
import { describeTool } from './tool-descriptions.js';

/** An action and the surface that declares it. */
export interface ActionPlace {
  readonly surface: OUISurface;
  readonly action: OUIAction;
  /** All that is known of the action; `action` only stands for it. */
  readonly entry?: IndexEntry;
}

export function actionPlace(surface: OUISurface, action: OUIAction): ActionPlace {
  const entry = indexEntryOf(action);
  return { surface, action, ...(entry && { entry }) };
}

/** The actions of the held surfaces by tool name. Made anew only when the surfaces have changed. */
export class ToolList {
  readonly #store: SurfaceStore;
  #version = -1;
  #places = new Map<string, ActionPlace>();
  #tools: readonly AgentTool[] = [];

  constructor(store: SurfaceStore) {
    this.#store = store;
  }

  tools(): readonly AgentTool[] {
    this.#refresh();
    return this.#tools;
  }

  /** Finds disabled actions too: the page has the last word on what is available now. */
  find(name: string): ActionPlace | undefined {
    this.#refresh();
    return this.#places.get(name);
  }

  #refresh(): void {
    if (this.#version === this.#store.version) return;
    this.#version = this.#store.version;
    const places = new Map<string, ActionPlace>();
    const tools: AgentTool[] = [];
    for (const surface of this.#store.list()) {
      for (const action of surface.actions) {
        const name = toolName(surface.id, action.id);
        if (places.has(name)) {
          const message = `Two actions of the page share the tool name "${name}"; the first one has it.`;
          // One that declares thousands is told of once.
          warnOnce(WARNINGS.MANIFEST_IGNORED, message, `tools of ${surface.id}`);
          continue;
        }
        places.set(name, actionPlace(surface, action));
        if (action.enabled !== false) tools.push(describeTool(name, surface, action));
      }
    }
    this.#places = places;
    this.#tools = tools;
  }
}
