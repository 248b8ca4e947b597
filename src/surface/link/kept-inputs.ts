import { KEPT_INPUTS, type EngineInput } from '../../protocol/engine-messages.js';
import * as LIMITS from '../../protocol/limits.js';

interface Kept {
  readonly input: EngineInput;
  /** An engine has been given it. */
  posted: boolean;
  /** Engines that were lost with it. */
  losses: number;
  /** Its connection has ended: no other engine gets it. It stays in the count of what this one takes. */
  moot: boolean;
}

/** Inputs that no engine is known to have taken, oldest first. What was lost with one engine is given to the next. */
export class KeptInputs {
  #kept: Kept[] = [];

  /** `posted`: there is an engine, which gets them at once. */
  add(inputs: readonly EngineInput[], posted: boolean): void {
    for (const input of inputs) {
      if (KEPT_INPUTS.has(input.kind)) this.#kept.push({ input, posted, losses: 0, moot: false });
    }
  }

  /** The engine has taken the oldest ones. */
  taken(count: number): void {
    this.#kept.splice(0, Math.min(count, this.#kept.filter(({ posted }) => posted).length));
  }

  /** Messages of a connection that has ended: a successor could only answer the wrong peer. */
  dropMessages(): void {
    for (const kept of this.#kept) kept.moot ||= kept.input.kind === 'message';
    this.#kept = this.#kept.filter(({ posted, moot }) => posted || !moot);
  }

  /** The engine that had them is lost. @returns the messages that are suspect now; they are kept no longer. */
  lost(): unknown[] {
    for (const kept of this.#kept) if (kept.posted) kept.losses += 1;
    const suspects: unknown[] = [];
    this.#kept = this.#kept.filter(({ input, losses, moot }) => {
      if (moot) return false;
      if (input.kind !== 'message' || losses < LIMITS.engineLosses) return true;
      suspects.push(input.message);
      return false;
    });
    return suspects;
  }

  /** All of them, for a new engine. */
  replay(): EngineInput[] {
    return this.#kept.map((kept) => {
      kept.posted = true;
      return kept.input;
    });
  }

  clear(): void {
    this.#kept = [];
  }
}
