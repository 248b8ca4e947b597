import type { EngineInput } from '../../protocol/engine-messages.js';
import type { Release } from '../../protocol/ports.js';
import { hasConditions, UNCONDITIONAL, watchConditions } from './conditions.js';
import { actionPolicies } from '../definition/manifest.js';
import type { Mount } from './mounts.js';

export interface RedefinitionEvents {
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
  readonly #events: RedefinitionEvents;
  readonly #watched = new Map<Mount, Release>();
  readonly #pending = new Set<Mount>();
  /** A listener that hears of a change may ask again, by taking a snapshot. */
  #asking = false;

  constructor(events: RedefinitionEvents) {
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
  }

  /** Asks the functions of a mount again; by default those of every mount. Other signals may count from then on. */
  refresh(mounts: Iterable<Mount> = this.#watched.keys()): void {
    if (this.#asking) return;
    this.#asking = true;
    try {
      for (const mount of [...mounts]) {
        if (this.#watched.has(mount) && this.watch(mount)) this.changed(mount);
      }
    } finally {
      this.#asking = false;
    }
  }

  changed(mount: Mount): void {
    if (this.#pending.size === 0) queueMicrotask(() => this.#events.flush());
    this.#pending.add(mount);
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
