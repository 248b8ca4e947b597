import type { EngineConfig } from '../protocol/engine-config.js';
import type { InspectedFrame, SettleMoment } from '../protocol/inspection.js';
import type { JsonText } from '../protocol/json.js';
import { createListenerSet } from '../protocol/listener-set.js';
import type { OUISurface } from '../protocol/manifest.js';
import type { Release } from '../protocol/ports.js';
import { inspectedFrame, inspectedMessage } from '../rules/inspected-frame.js';
import type { Mounts } from './mounts/mounts.js';
import type { ObservationPublisher } from './mounts/observations.js';
import type { UserSwitches } from './mounts/user-switches.js';
import { settleTimes, snapshotBytes } from './runtime-options.js';
import type { SurfaceRuntimeOptions } from './runtime-options.js';

/** What an inspection tells, beside the events of `subscribe`. */
export type InspectionEvent =
  /** A message went over the connection. */
  | { readonly type: 'frame'; readonly frame: InspectedFrame }
  /** Why a call's result waits, or goes. Calls that wait for nothing tell nothing. `at`: Unix epoch, ms. */
  | { readonly type: 'settle'; readonly requestId: string; readonly at: number; readonly moment: SettleMoment };

/** A surface that is mounted, whether or not the user lets agents see it. */
export interface InspectedSurface {
  /** As it is offered now, or would be. */
  readonly manifest: OUISurface;
  /** How many mounts there are under this id; the newest serves. */
  readonly mounts: number;
  /** What it was mounted with: the surface's element, for one. */
  readonly target: EventTarget | undefined;
  /** Values of observations by id, whole, as JSON text. */
  readonly values: ReadonlyMap<string, JsonText>;
}

/** Settings of a runtime, as they follow from its options. Times in ms, sizes in bytes. */
export interface InspectedSettings
  extends Pick<EngineConfig, 'software' | 'confirmBy' | 'form' | 'announce' | 'actionMs' | 'approvalMs'> {
  /** Where the engine's own connection leads, without query and credentials. Absent: the page brings the connection. */
  readonly address?: string;
  readonly quietMs: number;
  readonly settleTimeoutMs: number;
  readonly tracked: boolean;
  readonly ratePerSecond: number;
  readonly rateBurst: number;
  readonly resultBytes: number;
  readonly updateBytes: number;
  readonly snapshotBytes: number;
}

/** The agent's end, once it is known. `software: null`: it never said hello, and is taken for v1. */
export interface InspectedPeer {
  readonly software: string | null;
  readonly features: readonly string[];
}

/** A look into a runtime, for tools that show what it does. What it gives is true at the moment. */
export interface Inspection {
  /** Everything that is mounted, in the order in which the ids were first mounted. */
  surfaces(): readonly InspectedSurface[];
  /** `null` while there is no connection, and until the peer is known. */
  readonly peer: InspectedPeer | null;
  /** The user has paused or stopped agents. */
  readonly paused: boolean;
  readonly settings: InspectedSettings;
  /** Ends it: nothing is recorded for it any more. Idempotent. */
  release(): void;
}

/** The parts of a runtime that can be looked into. */
export interface InspectedParts {
  readonly mounts: Mounts;
  readonly publisher: ObservationPublisher;
  readonly switches: UserSwitches;
  readonly options: SurfaceRuntimeOptions;
  readonly config: EngineConfig;
}

/** Who inspects a runtime. While nobody does, nothing is made for it: no frame is read, and no reason written down. */
export class Inspections {
  readonly #listeners = createListenerSet<[event: InspectionEvent]>('A listener of inspect');
  readonly #watched: (on: boolean) => void;
  peer: InspectedPeer | null = null;

  /** `watched` hears whether there is anybody at all. */
  constructor(watched: (on: boolean) => void) {
    this.#watched = watched;
  }

  get on(): boolean {
    return this.#listeners.size > 0;
  }

  open(listener: (event: InspectionEvent) => void, parts: InspectedParts): Inspection {
    const remove = this.#listeners.add(listener);
    if (this.#listeners.size === 1) this.#watched(true);
    const { switches } = parts;
    const peer = (): InspectedPeer | null => this.peer;
    return {
      surfaces: () => inspectedSurfaces(parts),
      get peer() {
        return peer();
      },
      get paused() {
        return switches.isPaused;
      },
      settings: inspectedSettings(parts),
      release: once(() => {
        remove();
        if (!this.on) this.#watched(false);
      }),
    };
  }

  frame(frame: InspectedFrame): void {
    this.#listeners.emit({ type: 'frame', frame });
  }

  /** A frame of a connection that the page owns was handed to its transport. */
  sent(type: string, payload: JsonText): void {
    if (this.on) this.frame(inspectedFrame('out', type, payload, Date.now()));
  }

  /** A message came over such a connection. */
  heard(message: unknown): void {
    if (this.on) this.frame(inspectedMessage(message, Date.now()));
  }

  /** Takes down why a call's result waits; `undefined` while nobody wants to know. */
  explain(requestId: string): ((moment: SettleMoment) => void) | undefined {
    if (!this.on) return undefined;
    return (moment) => this.#listeners.emit({ type: 'settle', requestId, at: Date.now(), moment });
  }

  clear(): void {
    this.#listeners.clear();
  }
}

function inspectedSurfaces({ mounts, publisher }: InspectedParts): InspectedSurface[] {
  const served = new Map<string, InspectedSurface>();
  for (const { mountId, surface, manifest, target } of mounts.all()) {
    const before = served.get(surface.id)?.mounts ?? 0;
    served.set(surface.id, { manifest, mounts: before + 1, target, values: publisher.texts(mountId) });
  }
  return [...served.values()];
}

function inspectedSettings({ options, config }: InspectedParts): InspectedSettings {
  const { software, confirmBy, form, announce, actionMs, approvalMs, ratePerSecond, rateBurst, budgets } = config;
  const { quietMs, timeoutMs: settleTimeoutMs } = settleTimes(options);
  const address = addressOf(options.url);
  return {
    software, confirmBy, form, announce, actionMs, approvalMs, ratePerSecond, rateBurst, ...budgets,
    snapshotBytes: snapshotBytes(options),
    quietMs,
    settleTimeoutMs,
    tracked: options.settle?.track === true,
    ...(address !== undefined && { address }),
  };
}

/** Query and credentials may hold secrets. */
function addressOf(url: string | undefined): string | undefined {
  if (url === undefined) return undefined;
  try {
    const { protocol, host, pathname } = new URL(url);
    return `${protocol}//${host}${pathname}`;
  } catch {
    return undefined;
  }
}

function once(release: Release): Release {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    release();
  };
}
