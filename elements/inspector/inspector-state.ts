import type { JSONSchema, JsonText } from '../../src/protocol/json.js';
import * as LIMITS from '../../src/protocol/limits.js';
import type { OUIAction, OUISurface } from '../../src/protocol/manifest.js';
import type { Release } from '../../src/protocol/ports.js';
import type { InspectedSurface, Inspection, InspectionEvent } from '../../src/surface/inspection.js';
import type { RuntimeEvent, SurfaceRuntime } from '../../src/surface/runtime.js';
import { CallLog } from './call-log.js';
import { FrameLog } from './frame-log.js';
import type { TabId } from './inspector-texts.js';
import { ObservationLog } from './observation-log.js';
import { hidesAnything } from './secret-values.js';
import type { SchemaPart } from './secret-values.js';
import { shownObservationText } from './shown-observation.js';
import { TriedAction } from './tried-action.js';

/** Something else that happened: to the connection, the engine, or a switch. */
export interface Note {
  readonly at: number;
  readonly note:
    | { readonly kind: 'connection'; readonly state: 'connected' | 'connecting' | 'disconnected'; readonly reason?: string }
    | { readonly kind: 'peer'; readonly software: string | null }
    | { readonly kind: 'engine'; readonly where: 'worker' | 'in-process' | 'none' }
    | { readonly kind: 'switch'; readonly what: string; readonly allowed: boolean };
}

/**
 * What may have to be drawn anew. `view`: the user did something in the inspector. The others happened in the page, as
 * often as they like.
 */
export type Change = 'view' | 'surfaces' | 'calls' | 'frames' | 'values' | 'connection';

/** A surface or an action that was chosen. */
export interface Choice {
  readonly surfaceId: string;
  readonly actionId: string | null;
}

/** What an inspector knows of a runtime, and what the user has chosen to see of it. */
export class InspectorState {
  readonly calls = new CallLog((...place) => this.#schemaOf(...place));
  readonly frames = new FrameLog((...place) => this.#schemaOf(...place), () => this.#hidesSome());
  readonly observations = new ObservationLog();
  #notes: Note[] = [];
  readonly #tried = new Map<string, TriedAction>();
  /** Of actions and observations that were seen: a surface may be gone when its last call is told. */
  readonly #schemas = new Map<string, { readonly [Part in SchemaPart]?: JSONSchema | undefined }>();
  /** Manifests whose schemas these are: one that is the same object says the same. */
  #learned: ReadonlySet<OUISurface> = new Set();
  #surfacesVersion = 0;
  readonly #changed: (change: Change) => void;
  #runtime: SurfaceRuntime | null = null;
  #inspection: Inspection | null = null;
  #unsubscribe: Release = () => {};

  tab: TabId = 'surfaces';
  choice: Choice | null = null;
  /** Surfaces whose actions are folded away. */
  readonly folded = new Set<string>();
  readonly openCalls = new Set<string>();
  readonly openFrames = new Set<number>();
  readonly openValues = new Set<string>();
  callFilter = '';
  callShow: 'all' | 'open' | 'done' | 'failed' = 'all';
  frameFilter = '';

  /** `changed` hears of everything that may have to be drawn. */
  constructor(changed: (change: Change) => void) {
    this.#changed = changed;
  }

  get runtime(): SurfaceRuntime | null {
    return this.#runtime;
  }

  get inspection(): Inspection | null {
    return this.#inspection;
  }

  /** Oldest first. */
  get notes(): readonly Note[] {
    return this.#notes;
  }

  /** Counts what may change the list of surfaces: mounts, updates, switches. */
  get surfacesVersion(): number {
    return this.#surfacesVersion;
  }

  changed(change: Change = 'view'): void {
    if (change === 'surfaces') this.#surfacesVersion += 1;
    this.#changed(change);
  }

  /** Looks into this runtime from now on. What was seen of another one goes. */
  follow(runtime: SurfaceRuntime | null): void {
    if (runtime === this.#runtime) return;
    this.release();
    this.#runtime = runtime;
    if (runtime) {
      for (const log of [this.calls, this.frames, this.observations, this.#tried, this.#schemas]) log.clear();
      this.#learned = new Set();
      // Frames are counted anew: an open one would open another's.
      for (const open of [this.openCalls, this.openFrames, this.openValues]) open.clear();
      this.#notes = [];
      try {
        this.#inspection = runtime.inspect((event) => this.#onInspection(event));
        this.#unsubscribe = runtime.subscribe((event) => this.#onEvent(event));
        this.#learnSchemas();
        this.#note({ kind: 'connection', state: runtime.connection });
        this.#note({ kind: 'engine', where: runtime.engine ?? 'none' });
        if (this.#inspection.peer) this.#note({ kind: 'peer', software: this.#inspection.peer.software });
      } catch {
        // It was disposed of already; its successor is announced in a moment.
        this.#runtime = null;
      }
    }
    this.changed('surfaces');
    this.changed();
  }

  release(): void {
    this.#unsubscribe();
    this.#unsubscribe = () => {};
    this.#inspection?.release();
    this.#inspection = null;
    this.#runtime = null;
  }

  /** The mounted surfaces. */
  surfaces(): readonly InspectedSurface[] {
    return this.#inspection?.surfaces() ?? [];
  }

  /** A value of an observation, without what must not be seen. */
  shownValue(surfaceId: string, observationId: string, text: JsonText): JsonText {
    return shownObservationText(text, surfaceId, observationId, (...place) => this.#schemaOf(...place));
  }

  /** What has been filled in for an action, and what came of it. */
  tried(surfaceId: string, action: OUIAction): TriedAction {
    const key = `${surfaceId} ${action.id}`;
    let tried = this.#tried.get(key);
    if (!tried) this.#tried.set(key, tried = new TriedAction(surfaceId, action, () => this.changed()));
    tried.adapt(action.input);
    return tried;
  }

  /** Sets a switch of the user's. */
  allow(surfaceId: string, actionId: string | null, allowed: boolean): void {
    this.#runtime?.consent.set(surfaceId, actionId, allowed);
    this.#note({ kind: 'switch', what: actionId === null ? surfaceId : `${surfaceId}.${actionId}`, allowed });
    this.changed('surfaces');
    this.changed();
  }

  /** Everything that was logged, for a file. */
  exported(): object {
    return {
      exportedAt: new Date().toISOString(),
      page: location.origin + location.pathname,
      software: this.#inspection?.settings.software,
      peer: this.#inspection?.peer ?? null,
      calls: this.calls.calls().reverse(),
      notes: this.#notes,
      switchedOff: this.surfaces().flatMap(({ manifest: { id, actions } }) => {
        if (!this.#allowed(id, null)) return [id];
        return actions.filter((action) => !this.#allowed(id, action.id)).map((action) => `${id}.${action.id}`);
      }),
    };
  }

  #allowed(surfaceId: string, actionId: string | null): boolean {
    return this.#runtime?.consent.allowed(surfaceId, actionId) ?? true;
  }

  #onEvent(event: RuntimeEvent): void {
    const at = Date.now();
    switch (event.type) {
      case 'surfaces':
        this.#learnSchemas();
        return this.changed('surfaces');
      case 'observation':
        this.observations.changed(event.surfaceId, event.observationId, at);
        return this.changed('values');
      case 'call':
        this.calls.add(event.report, at);
        return this.changed('calls');
      case 'connection': {
        const { state, reason } = event;
        return this.#note({ kind: 'connection', state, ...(reason !== undefined && { reason }) });
      }
      case 'peer':
        return this.#note({ kind: 'peer', software: event.software });
      case 'engine':
        return this.#note({ kind: 'engine', where: event.kind ?? 'none' });
      case 'paused':
        return this.changed('connection');
    }
  }

  #onInspection(event: InspectionEvent): void {
    if (event.type === 'frame') {
      this.frames.add(event.frame);
      this.changed('frames');
    } else {
      this.calls.settle(event.requestId, event.at, event.moment);
      this.changed('calls');
    }
  }

  #note(note: Note['note']): void {
    this.#notes = [...this.#notes, { at: Date.now(), note }].slice(-LIMITS.inspectedNotes);
    this.changed('connection');
  }

  #learnSchemas(): void {
    const manifests = this.surfaces().map(({ manifest }) => manifest);
    for (const manifest of manifests) {
      if (this.#learned.has(manifest)) continue;
      for (const { id, input, output } of manifest.actions) this.#learn(manifest, id, { input, output });
      for (const { id, schema } of manifest.observations ?? []) this.#learn(manifest, id, { value: schema });
    }
    this.#learned = new Set(manifests);
    this.#forgetSchemas(manifests);
    this.observations.keepOnly(new Set(manifests.map(({ id }) => id)));
  }

  /** The newest last: surfaces of ever new ids would fill the memory. */
  #learn(surface: OUISurface, id: string, schemas: { readonly [Part in SchemaPart]?: JSONSchema | undefined }): void {
    const key = `${surface.id} ${id}`;
    this.#schemas.delete(key);
    this.#schemas.set(key, schemas);
  }

  /** The oldest of those that are not mounted. */
  #forgetSchemas(manifests: readonly OUISurface[]): void {
    if (this.#schemas.size <= LIMITS.inspectedInputs) return;
    const mounted = new Set(manifests.flatMap(({ id, actions, observations = [] }) => (
      [...actions, ...observations].map((each) => `${id} ${each.id}`))));
    const kept = Math.max(LIMITS.inspectedInputs, mounted.size);
    for (const key of this.#schemas.keys()) if (this.#schemas.size > kept && !mounted.has(key)) this.#schemas.delete(key);
  }

  #schemaOf(surfaceId: string, id: string, part: SchemaPart): JSONSchema | null {
    return this.#schemas.get(`${surfaceId} ${id}`)?.[part] ?? null;
  }

  #hidesSome(): boolean {
    return [...this.#schemas.values()].some((schemas) => (
      Object.values(schemas).some((schema) => hidesAnything(schema ?? null))));
  }
}
