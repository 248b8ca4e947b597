import type { EngineEffect, EngineInput } from './engine-messages.js';
import type { Release } from './ports.js';

/** One running engine, in a worker or in this thread. A host has one life: when it is lost, another is opened. */
export interface EngineHost {
  readonly kind: 'worker' | 'in-process';
  /** Queues inputs; those of one task reach the engine together, in order. */
  post(inputs: readonly EngineInput[]): void;
  /**
   * A timer that also runs on time in a hidden tab, where the host can. It ends with the host: whoever needs it longer
   * sets it again elsewhere.
   */
  setTimer(ms: number, callback: () => void): Release;
  /**
   * Ends the engine. Nothing arrives afterwards. Idempotent. `atOnce`: its document is being left, so there is no time
   * for what is still to be sent; the connection that it owns ends with it.
   */
  close(atOnce?: boolean): void;
}

export interface EngineHostEvents {
  /** Effects that the page carries out, in order. */
  effects(effects: readonly EngineEffect[]): void;
  /**
   * The engine is gone and this host with it. `hung`: it was stuck and was ended; `unfit`: another in a host of this
   * kind would end as it did. At most once, never after `close`.
   */
  lost(reason: string, why?: 'hung' | 'unfit'): void;
}

/** Opens one kind of host. */
export interface EngineHostFactory {
  readonly kind: EngineHost['kind'];
  /** Rejects with the reason when this kind cannot start here. */
  open(events: EngineHostEvents): Promise<EngineHost>;
}
