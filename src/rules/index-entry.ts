import type { IndexEntry, OUIAction, OUISurface, SurfaceIndexForm } from '../protocol/manifest.js';
import { indexDescription } from './index-description.js';
import { summarizeInput } from './input-summary.js';
import { definitionHash } from './surfaces-hash.js';

/** One action in index form, its members in the protocol's order (PROTOCOL.md §4). Takes its manifest entry. */
export function indexEntry(action: OUIAction): IndexEntry {
  const { id, title, description, effect, confirm, estimatedDuration, polling, input } = action;
  return {
    id,
    ...(title !== undefined && { title }),
    description: indexDescription(description, title),
    ...(effect !== undefined && { effect }),
    ...(confirm === true && { confirm }),
    ...(action.async === true && { async: true }),
    ...(estimatedDuration !== undefined && { estimatedDuration }),
    ...(polling?.maxDurationMs !== undefined && { maxDurationMs: polling.maxDurationMs }),
    input: summarizeInput(input),
    definitionHash: definitionHash(action),
  };
}

/**
 * A surface in index form (PROTOCOL.md §4). An offered part in this form is the array of these, and its hash is
 * `surfacesHash` of that array.
 */
export function surfaceIndex(surface: OUISurface): SurfaceIndexForm {
  const { id, name, description, version, observations, actions } = surface;
  return {
    id,
    name,
    description,
    ...(version !== undefined && { version }),
    ...(observations !== undefined && { observations }),
    index: actions.map(indexEntry),
  };
}
