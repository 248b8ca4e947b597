import type { JSONSchema } from '../../src/protocol/json.js';
import * as LIMITS from '../../src/protocol/limits.js';
import type { OUIAction } from '../../src/protocol/manifest.js';
import type { Release } from '../../src/protocol/ports.js';
import type { InspectedSurface, Inspection, InspectionEvent } from '../../src/surface/inspection.js';
import type { RuntimeEvent, SurfaceRuntime } from '../../src/surface/runtime.js';
import { CallLog } from './call-log.js';
import { FrameLog } from './frame-log.js';
import type { TabId } from './inspector-texts.js';
import { ObservationLog } from './observation-log.js';
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

/** A surface or an action that was chosen. */
export interface Choice {
  readonly surfaceId: string;
  readonly actionId: string | null;
}

/** What an inspector knows of a runtime, and what the user has chosen to see of it. */
export class InspectorState {
  readonly calls = new CallLog((surfaceId, actionId) => this.#inputOf(surfaceId, actionId));
  readonly frames = new FrameLog((surfaceId, actionId) => this.#inputOf(surfaceId, actionId));
  readonly observations = new ObservationLog();
  #notes: Note[] = [];
  readonly #tried = new Map<string, TriedAction>();
  /** Schemas of actions that were seen: a surface may be gone when its last call is told. */
  readonly #inputs = new Map<string, JSONSchema>();
  readonly #changed: () => void;
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
  constructor(changed: () => void) {
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

  changed(): void {
    this.#changed();
  }

  /** Looks into this runtime from now on. What was seen of another one goes. */
  follow(runtime: SurfaceRuntime | null): void {
    if (runtime === this.#runtime) return;
    this.release();
    this.#runtime = runtime;
    if (runtime) {
      for (const log of [this.calls, this.frames, this.observations, this.#tried, this.#inputs]) log.clear();
      // Frames are counted anew: an open one would open another's.
      for (const open of [this.openCalls, this.openFrames, this.openValues]) open.clear();
      this.#notes = [];
      try {
        this.#inspection = runtime.inspect((event) => this.#onInspection(event));
        this.#unsubscribe = runtime.subscribe((event) => this.#onEvent(event));
        this.#learnInputs();
        this.#note({ kind: 'connection', state: runtime.connection });
        this.#note({ kind: 'engine', where: runtime.engine ?? 'none' });
        if (this.#inspection.peer) this.#note({ kind: 'peer', software: this.#inspection.peer.software });
      } catch {
        // It was disposed of already; its successor is announced in a moment.
        this.#runtime = null;
      }
    }
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

  /** What has been filled in for an action, and what came of it. */
  tried(surfaceId: string, action: OUIAction): TriedAction {
    const key = `${surfaceId} ${action.id}`;
    const known = this.#tried.get(key) ?? new TriedAction(surfaceId, action, () => this.changed());
    this.#tried.set(key, known);
    return known;
  }

  /** Sets a switch of the user's. */
  allow(surfaceId: string, actionId: string | null, allowed: boolean): void {
    this.#runtime?.consent.set(surfaceId, actionId, allowed);
    this.#note({ kind: 'switch', what: actionId === null ? surfaceId : `${surfaceId}.${actionId}`, allowed });
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
        this.#learnInputs();
        break;
      case 'observation':
        this.observations.changed(event.surfaceId, event.observationId, at);
        break;
      case 'call':
        this.calls.add(event.report, at);
        break;
      case 'connection': {
        const { state, reason } = event;
        this.#note({ kind: 'connection', state, ...(reason !== undefined && { reason }) });
        break;
      }
      case 'peer':
        this.#note({ kind: 'peer', software: event.software });
        break;
      case 'engine':
        this.#note({ kind: 'engine', where: event.kind ?? 'none' });
        break;
    }
    this.changed();
  }

  #onInspection(event: InspectionEvent): void {
    if (event.type === 'frame') this.frames.add(event.frame);
    else this.calls.settle(event.requestId, event.at, event.moment);
    this.changed();
  }

  #note(note: Note['note']): void {
    this.#notes = [...this.#notes, { at: Date.now(), note }].slice(-LIMITS.inspectedNotes);
    this.changed();
  }

  #learnInputs(): void {
    const surfaces = this.surfaces();
    for (const { manifest: { id, actions } } of surfaces) {
      for (const action of actions) {
        const key = `${id} ${action.id}`;
        // The newest last: surfaces of ever new ids would fill the memory.
        this.#inputs.delete(key);
        this.#inputs.set(key, action.input);
      }
    }
    const kept = Math.max(LIMITS.inspectedInputs, surfaces.reduce((count, { manifest }) => count + manifest.actions.length, 0));
    for (const key of this.#inputs.keys()) if (this.#inputs.size > kept) this.#inputs.delete(key);
    this.observations.keepOnly(new Set(surfaces.map(({ manifest }) => manifest.id)));
  }

  #inputOf(surfaceId: string, actionId: string): JSONSchema | null {
    return this.#inputs.get(`${surfaceId} ${actionId}`) ?? null;
  }
}
