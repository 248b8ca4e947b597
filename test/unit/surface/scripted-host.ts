import type { EngineEffect, EngineInput, InputOf } from '../../../src/protocol/engine-messages.js';
import type { Release } from '../../../src/protocol/ports.js';
import type { EngineHost, EngineHostEvents, EngineHostFactory } from '../../../src/protocol/engine-host.js';
import type { HandClock } from './hand-clock.js';

/** An engine host whose engine is the test: it sees what the page posts and plays the effects. */
export class ScriptedHost implements EngineHost {
  readonly kind: EngineHost['kind'];
  readonly events: EngineHostEvents;
  readonly inputs: EngineInput[] = [];
  /** What came in one `post`. */
  readonly batches: EngineInput['kind'][][] = [];
  closed = false;
  readonly #clock: HandClock;

  constructor(kind: EngineHost['kind'], events: EngineHostEvents, clock: HandClock) {
    this.kind = kind;
    this.events = events;
    this.#clock = clock;
  }

  post(inputs: readonly EngineInput[]): void {
    this.inputs.push(...inputs);
    this.batches.push(inputs.map(({ kind }) => kind));
  }

  /** A worker's timers die with it. */
  setTimer(ms: number, callback: () => void): Release {
    return this.#clock.setTimer(ms, () => {
      if (!this.closed) callback();
    });
  }

  close(): void {
    this.closed = true;
  }

  play(...effects: EngineEffect[]): void {
    this.events.effects(effects);
  }

  lose(reason = 'killed', why?: 'hung' | 'unfit'): void {
    this.closed = true;
    this.events.lost(reason, why);
  }

  kinds(): EngineInput['kind'][] {
    return this.inputs.map(({ kind }) => kind);
  }

  all<Kind extends EngineInput['kind']>(kind: Kind): InputOf<Kind>[] {
    return this.inputs.filter((input): input is InputOf<Kind> => input.kind === kind);
  }

  last<Kind extends EngineInput['kind']>(kind: Kind): InputOf<Kind> | undefined {
    return this.all(kind).at(-1);
  }
}

export interface ScriptedFactory extends EngineHostFactory {
  /** Every host that was opened, oldest first. */
  readonly hosts: ScriptedHost[];
  readonly host: ScriptedHost;
  attempts: number;
  /** Rejects with this instead of opening. */
  refusal: string | undefined;
}

export function scriptedFactory(clock: HandClock, kind: EngineHost['kind'] = 'worker'): ScriptedFactory {
  return {
    kind,
    hosts: [],
    attempts: 0,
    refusal: undefined,
    get host() {
      return this.hosts.at(-1)!;
    },
    async open(events) {
      this.attempts += 1;
      await Promise.resolve();
      if (this.refusal !== undefined) throw new Error(this.refusal);
      const host = new ScriptedHost(kind, events, clock);
      this.hosts.push(host);
      return host;
    },
  };
}
