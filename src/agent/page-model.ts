import type { OUIActionResult, OUIError, OUIObservationUpdate } from '../protocol/events.js';
import { RESERVED_SURFACE_ID } from '../protocol/author-ids.js';
import type { OUIObservation, OUISurface, SurfaceIndexForm } from '../protocol/manifest.js';
import { warnOnce } from '../protocol/warn-once.js';
import * as WARNINGS from '../protocol/warning-codes.js';
import type { AgentCallTarget, AgentEvent, AgentObservation } from './agent-types.js';
import { actionNotThere, surfaceNotThere, toolNotFound } from './call-errors.js';
import { clipped } from './clipped.js';
import type { Definition } from './definition-store.js';
import { ObservationStore, type ChangedObservations } from './observation-store.js';
import { OWN_SURFACE } from './own-actions.js';
import { SurfaceStore, type SurfaceChange } from './surface-store.js';
import { actionPlace, ToolList, type ActionPlace } from './tool-list.js';

export interface PageModelEvents {
  emit(event: AgentEvent): void;
  surfaceGone(surfaceId: string): void;
  surfaceBack(surfaceId: string): void;
  /** A job's status changed. */
  status(value: unknown): void;
}

/** What the page offers and shows, as far as its messages told: surfaces, tools and newest values. */
export class PageModel {
  readonly #surfaces = new SurfaceStore();
  readonly #observations = new ObservationStore();
  readonly #tools = new ToolList(this.#surfaces);
  readonly #events: PageModelEvents;
  /** The newest word about a single surface, on the page's clock. */
  #toldAt = -Infinity;

  constructor(events: PageModelEvents) {
    this.#events = events;
  }

  get surfaces(): SurfaceStore {
    return this.#surfaces;
  }

  get tools(): ToolList {
    return this.#tools;
  }

  get revision(): number {
    return this.#observations.revision;
  }

  /** A job's status does not count: it is about a call, not about the page. */
  changedSince(revision: number): ChangedObservations {
    return this.#observations.changedSince(revision, (surfaceId, id) => !isStatus(surfaceId, id));
  }

  /** The action that a call means, as the page declares it now; else the error that says what there is. */
  locate(target: AgentCallTarget): ActionPlace | OUIError {
    const ids = this.#surfaces.list().map(({ id }) => id);
    if (typeof target === 'string') {
      const found = this.#tools.find(target);
      if (found) return found;
      const surfaceId = /^(.+?)__/.exec(target)?.[1];
      if (surfaceId !== undefined && !this.#surfaces.get(surfaceId)) return surfaceNotThere(surfaceId, ids);
      return toolNotFound(target, this.#tools.tools().map(({ name }) => name));
    }
    const { surfaceId, actionId } = target;
    const surface = surfaceId === RESERVED_SURFACE_ID ? OWN_SURFACE : this.#surfaces.get(surfaceId);
    if (!surface) return surfaceNotThere(surfaceId, ids);
    const action = surface.actions.find(({ id }) => id === actionId);
    return action ? actionPlace(surface, action) : actionNotThere(surface, actionId);
  }

  /** In either form (PROTOCOL.md §4). `timestamp`: the page's. */
  register(surface: OUISurface | SurfaceIndexForm, timestamp: number): void {
    this.#toldAt = Math.max(this.#toldAt, timestamp);
    const before = this.#surfaces.get(surface.id);
    const change = this.#surfaces.register(surface);
    this.#dropUndeclared(before);
    this.#apply(change);
    if (change.refused.length === 0) this.#events.surfaceBack(surface.id);
  }

  /** Definitions of actions in index form came. */
  define(definitions: readonly Definition[]): void {
    if (definitions.length === 0) return;
    this.#surfaces.define(definitions);
    this.#events.emit({ type: 'tools' });
  }

  deregister(surfaceId: string, timestamp: number): void {
    this.#toldAt = Math.max(this.#toldAt, timestamp);
    this.#apply(this.#surfaces.deregister(surfaceId));
  }

  /** The page has gone, or started anew: nothing of it is left. */
  clear(): void {
    this.#toldAt = -Infinity;
    const change = this.#surfaces.clear();
    this.#observations.clear();
    if (change.changed) this.#events.emit({ type: 'tools' });
  }

  /**
   * A result carries the page as the action left it (PROTOCOL.md §4). One that is sent again, because it was lost, may
   * be older than what the page has told of its surfaces since.
   */
  takeResult({ surfaces: inFull, index, surfacesHash, observations, fit, timestamp }: OUIActionResult): void {
    const surfaces = inFull ?? index;
    if (surfaces && timestamp >= this.#toldAt) {
      const before = surfaces.map(({ id }) => this.#surfaces.get(id));
      const change = this.#surfaces.replaceAll(surfaces, surfacesHash);
      for (const surface of before) this.#dropUndeclared(surface);
      this.#apply(change);
      for (const { id } of surfaces) this.#events.surfaceBack(id);
    }
    for (const [surfaceId, values] of Object.entries(observations ?? {})) {
      for (const [observationId, value] of Object.entries(values)) {
        const cuts = fit?.observations?.filter((cut) => cut.surface === surfaceId && cut.observation === observationId);
        const update = { surfaceId, observationId, value, timestamp };
        this.takeObservation(cuts?.length ? { ...update, fit: { observations: cuts } } : update, true);
      }
    }
  }

  /** `repeats`: it comes with a result, behind the updates of what the action changed. */
  takeObservation(update: OUIObservationUpdate, repeats = false): void {
    const { surfaceId, observationId, value, timestamp, fit } = update;
    const what = `"${clipped(observationId)}" of surface "${clipped(surfaceId)}"`;
    if (!this.#surfaces.get(surfaceId)) {
      const message = `Observation ${what} was ignored: the page has not registered that surface.`;
      warnOnce(WARNINGS.PAGE_STATE_IGNORED, message, 'unregistered');
      return;
    }
    const verdict = this.#observations.put(surfaceId, observationId, value, timestamp, fit?.observations, repeats);
    if (verdict === 'full') {
      const message = `Observation ${what} was ignored: the page has more state than is kept of one page.`;
      warnOnce(WARNINGS.PAGE_STATE_IGNORED, message, 'full');
    }
    if (verdict !== 'changed') return;
    if (isStatus(surfaceId, observationId)) this.#events.status(value);
    this.#events.emit({ type: 'observation', surfaceId, observationId });
  }

  observations(): readonly AgentObservation[] {
    return this.#surfaces.list().flatMap((surface) => {
      const ids = new Set((surface.observations ?? []).map(({ id }) => id));
      for (const id of this.#observations.ids(surface.id)) ids.add(id);
      return [...ids].map((id) => this.#view(surface, id));
    });
  }

  observation(surfaceId: string, observationId: string): AgentObservation | undefined {
    const surface = this.#surfaces.get(surfaceId);
    if (!surface) return undefined;
    const known = declared(surface, observationId) ?? this.#observations.get(surfaceId, observationId);
    return known && this.#view(surface, observationId);
  }

  #view(surface: OUISurface, observationId: string): AgentObservation {
    const declaration = declared(surface, observationId);
    const held = this.#observations.get(surface.id, observationId);
    return {
      surfaceId: surface.id,
      observationId,
      ...(declaration && { description: declaration.description, schema: declaration.schema }),
      ...(declaration?.updateFrequency && { updateFrequency: declaration.updateFrequency }),
      hasValue: held !== undefined,
      value: held?.value,
      timestamp: held?.timestamp ?? 0,
      ...(held && held.cuts.length > 0 && { cuts: held.cuts }),
    };
  }

  /** Values of observations that a new manifest of their surface no longer declares. */
  #dropUndeclared(before: OUISurface | undefined): void {
    const after = before && this.#surfaces.get(before.id);
    if (!before || !after || before === after) return;
    for (const { id } of before.observations ?? []) {
      if (!declared(after, id)) this.#observations.drop(before.id, id);
    }
  }

  #apply({ changed, removed, refused }: SurfaceChange): void {
    for (const surfaceId of removed) {
      this.#observations.dropSurface(surfaceId);
      this.#events.surfaceGone(surfaceId);
    }
    for (const reason of refused) warnOnce(WARNINGS.MANIFEST_IGNORED, reason);
    if (changed) this.#events.emit({ type: 'tools' });
  }
}

function declared(surface: OUISurface, observationId: string): OUIObservation | undefined {
  return surface.observations?.find(({ id }) => id === observationId);
}

/** `<surfaceId>:<actionId>:status`, which no manifest declares. */
function isStatus(surfaceId: string, observationId: string): boolean {
  return observationId.startsWith(`${surfaceId}:`) && observationId.endsWith(':status');
}
