import type { EngineInput } from '../../protocol/engine-messages.js';
import type { Release } from '../../protocol/ports.js';
import type { KeptSwitches, SwitchKey } from './kept-switches.js';
import type { Mounts } from './mounts.js';
import type { Consent } from '../runtime.js';

export interface UserSwitchesPorts {
  post(inputs: readonly EngineInput[]): void;
  /** What is offered changed. */
  changed(): void;
  paused(paused: boolean): void;
  disposed(): boolean;
  /** Where switches outlive the document. */
  readonly kept: KeptSwitches;
}

/** What the user of the page decides about agents: switches, and a pause (PROTOCOL.md §2, steps 4 and 6). */
export class UserSwitches {
  readonly consent: Consent;
  readonly #mounts: Mounts;
  readonly #ports: UserSwitchesPorts;
  /** Nobody follows the other documents' switches any more. */
  readonly release: Release;
  #paused = false;

  constructor(mounts: Mounts, ports: UserSwitchesPorts) {
    this.#mounts = mounts;
    this.#ports = ports;
    for (const key of ports.kept.off()) mounts.setConsent(...switchOf(key), false);
    this.release = ports.kept.onChange(() => this.#follow());
    this.consent = {
      set: (surfaceId, actionId, allowed) => {
        if (ports.disposed() || !this.#set(surfaceId, actionId, allowed)) return;
        ports.kept.set(keyOf(surfaceId, actionId), allowed);
      },
      allowed: (surfaceId, actionId = null) => mounts.allowed(surfaceId, actionId),
    };
  }

  get isPaused(): boolean {
    return this.#paused;
  }

  pause(): void {
    this.#pause('pause', true);
  }

  /** Ends what runs, too. */
  stop(): void {
    this.#pause('stop', true);
  }

  resume(): void {
    this.#pause('resume', false);
  }

  /** For a new engine. */
  replay(): EngineInput[] {
    return [
      ...(this.#paused ? [{ kind: 'pause' } as const] : []),
      ...this.#mounts.switchedOff().map(([surfaceId, actionId]) => consentInput(surfaceId, actionId, false)),
    ];
  }

  #pause(kind: 'pause' | 'stop' | 'resume', paused: boolean): void {
    const changed = paused !== this.#paused;
    this.#paused = paused;
    this.#ports.post([{ kind }]);
    if (changed) this.#ports.paused(paused);
  }

  /** @returns whether it was set otherwise. */
  #set(surfaceId: string, actionId: string | null, allowed: boolean): boolean {
    if (!this.#mounts.setConsent(surfaceId, actionId, allowed)) return false;
    this.#ports.post([consentInput(surfaceId, actionId ?? undefined, allowed)]);
    this.#ports.changed();
    return true;
  }

  /** As another document of the origin has left them. */
  #follow(): void {
    const kept = new Set(this.#ports.kept.off());
    for (const [surfaceId, actionId = null] of this.#mounts.switchedOff()) {
      if (!kept.has(keyOf(surfaceId, actionId))) this.#set(surfaceId, actionId, true);
    }
    for (const key of kept) this.#set(...switchOf(key), false);
  }
}

function keyOf(surfaceId: string, actionId: string | null): SwitchKey {
  return actionId === null ? surfaceId : `${surfaceId} ${actionId}`;
}

function switchOf(key: SwitchKey): [surfaceId: string, actionId: string | null] {
  const [surfaceId = '', actionId = null] = key.split(' ');
  return [surfaceId, actionId];
}

function consentInput(surfaceId: string, actionId: string | undefined, allowed: boolean): EngineInput {
  return { kind: 'consent', surfaceId, allowed, ...(actionId !== undefined && { actionId }) };
}
