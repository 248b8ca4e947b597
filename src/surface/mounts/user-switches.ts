import type { EngineInput } from '../../protocol/engine-messages.js';
import type { Mounts } from './mounts.js';
import type { Consent } from '../runtime.js';

export interface UserSwitchesPorts {
  post(inputs: readonly EngineInput[]): void;
  /** What is offered changed. */
  changed(): void;
  paused(paused: boolean): void;
  disposed(): boolean;
}

/** What the user of the page decides about agents: switches, and a pause (PROTOCOL.md §2, steps 4 and 6). */
export class UserSwitches {
  readonly consent: Consent;
  readonly #mounts: Mounts;
  readonly #post: UserSwitchesPorts['post'];
  readonly #tell: UserSwitchesPorts['paused'];
  #paused = false;

  constructor(mounts: Mounts, { post, changed, paused, disposed }: UserSwitchesPorts) {
    this.#mounts = mounts;
    this.#post = post;
    this.#tell = paused;
    this.consent = {
      set(surfaceId, actionId, allowed) {
        if (disposed() || !mounts.setConsent(surfaceId, actionId, allowed)) return;
        post([consentInput(surfaceId, actionId ?? undefined, allowed)]);
        changed();
      },
      allowed: (surfaceId, actionId = null) => mounts.allowed(surfaceId, actionId),
    };
  }

  get isPaused(): boolean {
    return this.#paused;
  }

  pause(): void {
    this.#set('pause', true);
  }

  /** Ends what runs, too. */
  stop(): void {
    this.#set('stop', true);
  }

  resume(): void {
    this.#set('resume', false);
  }

  /** For a new engine. */
  replay(): EngineInput[] {
    return [
      ...(this.#paused ? [{ kind: 'pause' } as const] : []),
      ...this.#mounts.switchedOff().map(([surfaceId, actionId]) => consentInput(surfaceId, actionId, false)),
    ];
  }

  #set(kind: 'pause' | 'stop' | 'resume', paused: boolean): void {
    const changed = paused !== this.#paused;
    this.#paused = paused;
    this.#post([{ kind }]);
    if (changed) this.#tell(paused);
  }
}

function consentInput(surfaceId: string, actionId: string | undefined, allowed: boolean): EngineInput {
  return { kind: 'consent', surfaceId, allowed, ...(actionId !== undefined && { actionId }) };
}
