import type { CallReport } from '../src/protocol/engine-messages.js';
import * as LIMITS from '../src/protocol/limits.js';
import type { Release } from '../src/protocol/ports.js';
import type { SurfaceRuntime } from '../src/surface/runtime.js';

/** The runtime's own surface, by which agents read. */
const OWN_SURFACE = 'oui';

/** A call of an agent's that has not ended. */
export interface PresentCall {
  /** The action's title, else its id; `null` when the agent only reads what the page offers. */
  readonly action: string | null;
  /** The user is being asked about it. */
  readonly asking: boolean;
}

/** What agents do on a page, over all of its runtimes. */
export class PresenceCalls {
  readonly #changed: (began: boolean) => void;
  readonly #resumed: () => void;
  readonly #followed = new Map<
    SurfaceRuntime,
    { readonly calls: Map<string, PresentCall>; readonly release: Release }
  >();
  #last: PresentCall | null = null;
  #lingering: ReturnType<typeof setTimeout> | undefined;

  /** `began`: nothing went on before. `resumed`: one of the runtimes takes agents' requests again, whoever said so. */
  constructor(changed: (began: boolean) => void, resumed: () => void = () => {}) {
    this.#changed = changed;
    this.#resumed = resumed;
  }

  /** Follows these, and no others. */
  follow(runtimes: readonly SurfaceRuntime[]): void {
    for (const [runtime, { release }] of this.#followed) {
      if (runtimes.includes(runtime)) continue;
      release();
      this.#followed.delete(runtime);
    }
    for (const runtime of runtimes) {
      if (this.#followed.has(runtime)) continue;
      const calls = new Map<string, PresentCall>();
      const release = runtime.subscribe((event) => {
        if (event.type === 'call') this.#hear(calls, event.report);
        else if (event.type === 'paused') this.#onPaused(event.paused);
        else if (event.type === 'connection') this.#changed(false);
      });
      this.#followed.set(runtime, { calls, release });
    }
  }

  get runtimes(): readonly SurfaceRuntime[] {
    return [...this.#followed.keys()];
  }

  /** What runs, the newest first. */
  get running(): readonly PresentCall[] {
    return [...this.#followed.values()].flatMap(({ calls }) => [...calls.values()]).reverse();
  }

  /** What has just ended, when nothing runs. */
  get last(): PresentCall | null {
    return this.#last;
  }

  end(): void {
    this.follow([]);
    clearTimeout(this.#lingering);
    this.#last = null;
  }

  #onPaused(paused: boolean): void {
    if (!paused) this.#resumed();
    this.#changed(false);
  }

  #hear(calls: Map<string, PresentCall>, report: CallReport): void {
    const { phase, origin, requestId, surfaceId, actionId, title = actionId } = report;
    if (origin !== 'agent') return;
    const before = this.running.length;
    if (phase === 'ended') {
      const call = calls.get(requestId);
      if (!call) return;
      calls.delete(requestId);
      this.#linger(call);
    } else {
      const action = surfaceId === OWN_SURFACE ? null : calls.get(requestId)?.action ?? title;
      calls.set(requestId, { action, asking: phase === 'asking' });
    }
    this.#changed(before === 0 && calls.size > 0);
  }

  #linger(call: PresentCall): void {
    clearTimeout(this.#lingering);
    this.#last = call;
    this.#lingering = setTimeout(() => {
      this.#last = null;
      this.#changed(false);
    }, LIMITS.presenceLingerMs);
  }
}
