import type { IndexEntry, OUIAction, OUISurface, SurfaceIndexForm } from '../protocol/manifest.js';
import type { DefinitionStore } from './definition-store.js';

/** The entries behind the stand-ins: what is not in here is a whole definition. */
const entries = new WeakMap<OUIAction, IndexEntry>();

/** The index entry of an action of which nothing more is known; undefined for one that is known whole. */
export function indexEntryOf(action: OUIAction): IndexEntry | undefined {
  return entries.get(action);
}

/** A surface in index form as one whose actions are known as far as `definitions` go (PROTOCOL.md §4). */
export function fromIndexForm(form: SurfaceIndexForm, definitions: DefinitionStore): OUISurface {
  const { index, ...surface } = form;
  return { ...surface, actions: index.map((entry) => definitions.get(form.id, entry) ?? standIn(entry)) };
}

/** What an entry tells of its action. It takes any object: what it takes is said for reading only. */
function standIn(entry: IndexEntry): OUIAction {
  const { input: _line, definitionHash: _hash, maxDurationMs: _ms, ...known } = entry;
  const action: OUIAction = { ...known, input: { type: 'object' } };
  entries.set(action, entry);
  return action;
}
