import type { EngineInput } from '../../protocol/engine-messages.js';
import type { Mounts } from './mounts.js';
import type { Consent } from '../runtime.js';

export interface UserSwitchesPorts {
  post(inputs: readonly EngineInput[]): void;
  /** What is offered changed. */
  changed(): void;
  disposed(): boolean;
}

/** What the user of the page decides about agents: switches, and a pause (PROTOCOL.md §2, steps 4 and 6). */
export class UserSwitches {
  readonly consent: Consent;
  readonly #mounts: Mounts;
  readonly #post: UserSwitchesPorts['post'];
  #paused = false;

  constructor(mounts: Mounts, { post, changed, disposed }: UserSwitchesPorts) {
    this.#mounts = mounts;
    this.#post = post;
    this.consent = {
      set(surfaceId, actionId, allowed) {
        if (disposed() || !mounts.setConsent(surfaceId, actionId, allowed)) return;
        post([consentInput(surfaceId, actionId ?? undefined, allowed)]);
        changed();
      },
      allowed: (surfaceId, actionId = null) => mounts.allowed(surfaceId, actionId),
    };
  }

  pause(): void {
    this.#paused = true;
    this.#post([{ kind: 'pause' }]);
  }

  /** Ends what runs, too. */
  stop(): void {
    this.#paused = true;
    this.#post([{ kind: 'stop' }]);
  }

  resume(): void {
    this.#paused = false;
    this.#post([{ kind: 'resume' }]);
  }

  /** For a new engine. */
  replay(): EngineInput[] {
    return [
      ...(this.#paused ? [{ kind: 'pause' } as const] : []),
      ...this.#mounts.switchedOff().map(([surfaceId, actionId]) => consentInput(surfaceId, actionId, false)),
    ];
  }
}

function consentInput(surfaceId: string, actionId: string | undefined, allowed: boolean): EngineInput {
  return { kind: 'consent', surfaceId, allowed, ...(actionId !== undefined && { actionId }) };
}
