import type { EngineInput } from '../../protocol/engine-messages.js';
import * as LIMITS from '../../protocol/limits.js';
import type { Release } from '../../protocol/ports.js';
import { hasConditions, UNCONDITIONAL, watchConditions } from './conditions.js';
import { actionPolicies } from '../definition/manifest.js';
import type { Mount } from './mounts.js';
import type { PageTimers } from '../clock/page-timers.js';

export interface RedefinitionEvents {
  /** A manifest is another now, which is told later. */
  found(): void;
  /** A manifest is another now. The engine is told with the next inputs, in a microtask at the latest. */
  changed(mount: Mount): void;
  /** There may be something to take. */
  flush(): void;
}

/**
 * Manifests that change without a new mount: by `update`, and by what the functions in their definitions say.
 * However often one changes within a task, the engine hears of the last of it, once.
 */
export class Redefinitions {
  readonly #timers: PageTimers;
  readonly #events: RedefinitionEvents;
  readonly #watched = new Map<Mount, Release>();
  readonly #pending = new Set<Mount>();
  /** Manifests that a look found to be others. */
  readonly #untold = new Set<Mount>();
  #toldAt = -Infinity;
  /** A listener that hears of a change may ask again, by taking a snapshot. */
  #asking = false;

  constructor(timers: PageTimers, events: RedefinitionEvents) {
    this.#timers = timers;
    this.#events = events;
  }

  /**
   * Begins with a mount, or again with its new surface or context: what its functions say now is in its manifest
   * afterwards. @returns whether the manifest is another one.
   */
  watch(mount: Mount): boolean {
    this.#unwatch(mount);
    if (!hasConditions(mount.surface)) return mount.setConditions(UNCONDITIONAL);
    let begun = false;
    let differs = false;
    const release = watchConditions(mount, (conditions) => {
      const another = mount.setConditions(conditions);
      if (!begun) differs = another;
      else if (another) this.changed(mount);
    });
    begun = true;
    this.#watched.set(mount, release);
    return differs;
  }

  release(mount: Mount): void {
    this.#unwatch(mount);
    this.#pending.delete(mount);
    this.#untold.delete(mount);
  }

  /** Asks the functions of a mount again; by default those of every mount. Other signals may count from then on. */
  refresh(mounts?: Iterable<Mount>): void {
    for (const mount of this.#askAgain(mounts)) this.changed(mount);
  }

  /**
   * Asks all functions for somebody who looks. What they say is in the manifests at once, and the engine has it for the
   * next call. Others hear of it at most ten times a second: who looks again whenever something is offered otherwise would
   * ask without end about a reason that counts.
   */
  look(): void {
    const others = this.#askAgain();
    if (others.length === 0) return;
    this.#events.found();
    const isPlanned = this.#untold.size > 0;
    for (const mount of others) {
      this.#pend(mount);
      this.#untold.add(mount);
    }
    const wait = this.#toldAt + LIMITS.observationIntervalMs - this.#timers.clock.now();
    if (wait <= 0) this.#tell();
    else if (!isPlanned) this.#timers.set(wait, () => this.#tell());
  }

  #tell(): void {
    this.#toldAt = this.#timers.clock.now();
    const others = [...this.#untold];
    this.#untold.clear();
    for (const mount of others) this.#events.changed(mount);
  }

  #pend(mount: Mount): void {
    if (this.#pending.size === 0) queueMicrotask(() => this.#events.flush());
    this.#pending.add(mount);
  }

  /** @returns the mounts whose manifests are others now. */
  #askAgain(mounts: Iterable<Mount> = this.#watched.keys()): Mount[] {
    if (this.#asking) return [];
    this.#asking = true;
    try {
      return [...mounts].filter((mount) => this.#watched.has(mount) && this.watch(mount));
    } finally {
      this.#asking = false;
    }
  }

  changed(mount: Mount): void {
    this.#pend(mount);
    this.#untold.delete(mount);
    this.#events.changed(mount);
  }

  /** What the engine is to be told, once. */
  take(): EngineInput[] {
    if (this.#pending.size === 0) return [];
    const inputs = [...this.#pending].map((mount): EngineInput => {
      return { kind: 'define', mountId: mount.mountId, surface: mount.manifest, policies: actionPolicies(mount.surface) };
    });
    this.#pending.clear();
    return inputs;
  }

  #unwatch(mount: Mount): void {
    this.#watched.get(mount)?.();
    this.#watched.delete(mount);
  }
}
