import type { OUISurface, SurfaceIndexForm } from '../protocol/manifest.js';
import { RESERVED_SURFACE_ID } from '../protocol/author-ids.js';
import { sortedJson, surfacesHashFromTexts } from '../rules/surfaces-hash.js';
import { AGENT_LIMITS } from './agent-limits.js';
import { DefinitionStore, type Definition } from './definition-store.js';
import { fromIndexForm } from './indexed-surface.js';

interface Held {
  readonly surface: OUISurface;
  /** The surface as it came, where that was its index form. */
  readonly form: SurfaceIndexForm | undefined;
  /** JSON text with sorted keys, as it came: what the hash is made of, and how a repetition is recognised. */
  readonly text: string;
}

/** A surface in either form (PROTOCOL.md §4). */
type AnyForm = OUISurface | SurfaceIndexForm;

/** What a change came to. `refused` says why a manifest was not taken. */
export interface SurfaceChange {
  readonly changed: boolean;
  /** Ids of surfaces that are not held any more. */
  readonly removed: readonly string[];
  readonly refused: readonly string[];
}

/** The surfaces of one page, in the order in which they were registered, and the hash that stands for them. */
export class SurfaceStore {
  readonly #definitions = new DefinitionStore();
  #held = new Map<string, Held>();
  #hash: string | undefined;
  #version = 0;

  /** Changes with every change of the surfaces. */
  get version(): number {
    return this.#version;
  }

  list(): readonly OUISurface[] {
    return [...this.#held.values()].map(({ surface }) => surface);
  }

  get(surfaceId: string): OUISurface | undefined {
    return this.#held.get(surfaceId)?.surface;
  }

  /**
   * Stands for all that is held, for a request's `knownSurfaces` (PROTOCOL.md §4). What the page itself said of the
   * surfaces that a result carried; else computed. Nothing while no surface is held.
   */
  hash(): string | undefined {
    if (this.#held.size === 0) return undefined;
    this.#hash ??= surfacesHashFromTexts([...this.#held.values()].map(({ text }) => text));
    return this.#hash;
  }

  /** A registration: it replaces a surface of the same id, in its place (specification §7.2.1). */
  register(surface: AnyForm): SurfaceChange {
    const next = this.#hold(surface);
    if (this.#held.get(surface.id)?.text === next.text) return unchanged;
    const reason = refusal(this.#held, next);
    if (reason !== undefined) return { ...unchanged, refused: [reason] };
    this.#held.set(surface.id, next);
    this.#touch();
    return { ...unchanged, changed: true };
  }

  deregister(surfaceId: string): SurfaceChange {
    if (!this.#held.delete(surfaceId)) return unchanged;
    this.#touch();
    return { ...unchanged, changed: true, removed: [surfaceId] };
  }

  /** A result's surfaces: the whole of what the page has now. `hash` is the page's own. */
  replaceAll(surfaces: readonly AnyForm[], hash: string | undefined): SurfaceChange {
    const next = new Map<string, Held>();
    const refused: string[] = [];
    for (const surface of surfaces) {
      const held = this.#hold(surface);
      const reason = refusal(next, held);
      if (reason !== undefined) {
        refused.push(reason);
        continue;
      }
      const before = this.#held.get(surface.id);
      next.set(surface.id, before?.text === held.text ? before : held);
    }
    const removed = [...this.#held.keys()].filter((id) => !next.has(id));
    const changed = !sameList([...this.#held.values()], [...next.values()]);
    this.#held = next;
    if (changed) this.#touch();
    // The page's word for a list that is not held whole would make it leave out what is missing here.
    this.#hash = refused.length === 0 ? hash : undefined;
    return { changed, removed, refused };
  }

  /** Definitions of actions in index form came: the surfaces are the same, and more is known of them. */
  define(definitions: readonly Definition[]): void {
    for (const definition of definitions) if (this.#isCurrent(definition)) this.#definitions.put(definition);
    for (const [id, { form, text }] of this.#held) {
      if (form) this.#held.set(id, { surface: fromIndexForm(form, this.#definitions), form, text });
    }
    this.#version += 1;
  }

  /** Another page is here: what this one called by a hash may be something else there. */
  forgetDefinitions(): void {
    this.#definitions.clear();
  }

  clear(): SurfaceChange {
    const removed = [...this.#held.keys()];
    if (removed.length === 0) return unchanged;
    this.#held.clear();
    this.#touch();
    return { changed: true, removed, refused: [] };
  }

  /** Whether the index still has what was asked about: what came may be of a newer one. */
  #isCurrent({ surfaceId, entry: { id, definitionHash } }: Definition): boolean {
    const index = this.#held.get(surfaceId)?.form?.index ?? [];
    return index.some((entry) => entry.id === id && entry.definitionHash === definitionHash);
  }

  #hold(surface: AnyForm): Held {
    const text = sortedJson(surface);
    if ('actions' in surface) return { surface, form: undefined, text };
    return { surface: fromIndexForm(surface, this.#definitions), form: surface, text };
  }

  #touch(): void {
    this.#hash = undefined;
    this.#version += 1;
  }
}

const unchanged: SurfaceChange = { changed: false, removed: [], refused: [] };

function sameList(left: readonly Held[], right: readonly Held[]): boolean {
  return left.length === right.length && left.every((held, index) => held === right[index]);
}

/** Why a manifest is not taken beside the others. A page may not fill the agent's memory. */
function refusal(held: ReadonlyMap<string, Held>, { surface, text }: Held): string | undefined {
  if (surface.id === RESERVED_SURFACE_ID) {
    return `A surface may not be called "${RESERVED_SURFACE_ID}": that id is the runtime's own. It was ignored.`;
  }
  let actions = surface.actions.length;
  let units = text.length;
  let surfaces = 1;
  for (const [id, other] of held) {
    if (id === surface.id) continue;
    surfaces += 1;
    actions += other.surface.actions.length;
    units += other.text.length;
  }
  const over = (what: string, limit: number): string =>
    `With surface "${surface.id}" the page would have more than ${limit} ${what}; the surface was ignored.`;
  if (surfaces > AGENT_LIMITS.surfaces) return over('surfaces', AGENT_LIMITS.surfaces);
  if (actions > AGENT_LIMITS.actions) return over('actions', AGENT_LIMITS.actions);
  if (units > AGENT_LIMITS.manifestUnits) return over('characters of manifests', AGENT_LIMITS.manifestUnits);
  return undefined;
}
