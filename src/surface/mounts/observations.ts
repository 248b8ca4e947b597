import type { EngineInput, InputOf } from '../../protocol/engine-messages.js';
import { messageOf } from '../../protocol/error-message.js';
import type { JsonText } from '../../protocol/json.js';
import * as LIMITS from '../../protocol/limits.js';
import type { OUIObservation, OUISurface } from '../../protocol/manifest.js';
import type { Release } from '../../protocol/ports.js';
import { warnOnce } from '../../protocol/warn-once.js';
import * as WARNINGS from '../../protocol/warning-codes.js';
import { connectSource, readerOf } from './observation-source.js';
import type { ObservationSource } from './observation-source.js';
import type { PageTimers } from '../clock/page-timers.js';

/** One observation of one mount that has, or will have, a value. */
interface Observed {
  readonly mountId: number;
  readonly surfaceId: string;
  declaration: OUIObservation;
  /** The newest value, unless `read` is there to be asked for it. */
  raw?: unknown;
  read?: (() => unknown) | undefined;
  /** There was a delivery, so `raw` can be compared with. */
  delivered: boolean;
  /** The newest value is not in `text` yet. */
  dirty: boolean;
  dirtyAt: number;
  /** JSON text of the value, the value again from that text, and the text that the engine has. */
  text?: JsonText;
  parsed?: unknown;
  sent?: JsonText;
  lookedAt: number;
  /** Where its values come from, and what ends that. */
  origin?: { readonly source: ObservationSource } | undefined;
  disconnect?: Release | undefined;
  /** Cancels the publication that is due. */
  due?: Release | undefined;
}

/** An observation whose value changed. The same object each time. */
export type ChangedObservation = Pick<Observed, 'surfaceId' | 'declaration'>;

/** What the publisher tells its runtime. */
export interface PublisherEvents {
  post(inputs: readonly EngineInput[]): void;
  /** A value differs from the last one. `at`: when it was delivered. */
  changed(observation: ChangedObservation, at: number): void;
}

/**
 * Turns deliveries into published values (PROTOCOL.md §8): compared by content, stringified once per change,
 * `on-change` at most ten times a second, `realtime` once per animation frame; the last value always goes out.
 */
export class ObservationPublisher {
  readonly #timers: PageTimers;
  readonly #events: PublisherEvents;
  readonly #mounts = new Map<number, Map<string, Observed>>();

  constructor(timers: PageTimers, events: PublisherEvents) {
    this.#timers = timers;
    this.#events = events;
  }

  /** @throws {Error} when the surface does not declare the observation. */
  push(mountId: number, surface: OUISurface, observationId: string, value: unknown): void {
    const observed = this.#find(mountId, surface, observationId);
    if (observed.origin) this.#disconnect(observed);
    this.#deliver(observed, value);
  }

  /** @throws {Error} when the surface does not declare the observation, or the source is none. */
  observe(mountId: number, surface: OUISurface, observationId: string, source: ObservationSource): Release {
    const observed = this.#find(mountId, surface, observationId);
    this.#disconnect(observed);
    const origin = { source };
    observed.origin = origin;
    this.#connect(observed, source);
    return () => {
      if (observed.origin === origin) this.#disconnect(observed);
    };
  }

  /** The manifest of a mount changed: what it no longer declares is let go of. */
  redefine(mountId: number, surface: OUISurface): void {
    for (const [id, observed] of this.#mounts.get(mountId) ?? []) {
      const declaration = surface.observations?.find((each) => each.id === id);
      if (!declaration) {
        this.#drop(observed);
        continue;
      }
      const wasPolled = isPolled(observed);
      observed.declaration = declaration;
      if (observed.origin && isPolled(observed) !== wasPolled) {
        observed.disconnect?.();
        this.#connect(observed, observed.origin.source);
      }
    }
  }

  unmount(mountId: number): void {
    for (const observed of this.#mounts.get(mountId)?.values() ?? []) this.#drop(observed);
    this.#mounts.delete(mountId);
  }

  /** What has changed and was not published yet, of every mount. */
  takePending(): EngineInput[] {
    return this.#all().flatMap((observed) => (isPolled(observed) ? [] : this.#take(observed)));
  }

  /** Every value there is, for a new engine. */
  replay(): EngineInput[] {
    return this.#all().flatMap((observed) => {
      if (!isPolled(observed)) this.#look(observed);
      if (observed.text === undefined) return [];
      observed.sent = observed.text;
      return [observeInput(observed, observed.text)];
    });
  }

  /** The agent asks for a value: read now. `null` when there is none. */
  read(mountId: number, observationId: string): InputOf<'observed'> {
    const observed = this.#mounts.get(mountId)?.get(observationId);
    if (observed?.read) this.#mark(observed);
    const value = (observed && this.#look(observed)) ?? 'null';
    if (observed) observed.sent = value;
    return { kind: 'observed', mountId, observationId, value };
  }

  /** Finds out which values changed; reports them through `changed` without publishing them. */
  refresh(): void {
    for (const observed of this.#all()) if (!isPolled(observed)) this.#look(observed);
  }

  /** The JSON texts of a mount's values, as the engine has them or will have them, by observation id. */
  texts(mountId: number): ReadonlyMap<string, JsonText> {
    const texts = new Map<string, JsonText>();
    for (const [id, { text }] of this.#mounts.get(mountId) ?? []) if (text !== undefined) texts.set(id, text);
    return texts;
  }

  /** What one of these texts says. The same object while it is the same text. */
  value(mountId: number, observationId: string): unknown {
    const observed = this.#mounts.get(mountId)?.get(observationId);
    if (observed?.text === undefined) return undefined;
    if (observed.parsed === undefined) observed.parsed = JSON.parse(observed.text);
    return observed.parsed;
  }

  #all(): Observed[] {
    return [...this.#mounts.values()].flatMap((observations) => [...observations.values()]);
  }

  #find(mountId: number, surface: OUISurface, observationId: string): Observed {
    let observations = this.#mounts.get(mountId);
    if (!observations) this.#mounts.set(mountId, (observations = new Map()));
    let observed = observations.get(observationId);
    if (observed) return observed;
    const declaration = surface.observations?.find((each) => each.id === observationId);
    if (!declaration) {
      const declared = surface.observations?.map((each) => each.id).join(', ') || 'none';
      throw new Error(`Surface "${surface.id}" has no observation "${observationId}"; it declares ${declared}.`);
    }
    const surfaceId = surface.id;
    observed = { mountId, surfaceId, declaration, delivered: false, dirty: false, dirtyAt: 0, lookedAt: -Infinity };
    observations.set(observationId, observed);
    return observed;
  }

  #connect(observed: Observed, source: ObservationSource): void {
    const read = readerOf(source);
    if (read && isPolled(observed)) {
      // It is read when the agent asks: computing it unasked is what `polling` avoids.
      observed.read = read;
      observed.dirty = true;
      observed.disconnect = undefined;
      return;
    }
    // A source may deliver before it has said how to end it, and after it was ended.
    let connected = true;
    let release: Release = () => {};
    observed.disconnect = () => {
      connected = false;
      release();
    };
    release = connectSource(source, {
      value: (value) => {
        if (connected) this.#deliver(observed, value);
      },
      stale: (get) => {
        if (!connected) return;
        observed.read = get;
        this.#mark(observed);
      },
      failed: (error) => {
        this.#warn(observed, error);
        if (connected) this.#deliver(observed, null);
      },
    });
    if (!connected) release();
  }

  #deliver(observed: Observed, value: unknown): void {
    // The same object may have other content by now; signals deliver only what changed.
    if (typeof value !== 'object' && observed.delivered && Object.is(value, observed.raw)) return;
    observed.delivered = true;
    observed.raw = value;
    observed.read = undefined;
    this.#mark(observed);
  }

  #mark(observed: Observed): void {
    observed.dirty = true;
    observed.dirtyAt = this.#timers.clock.now();
    if (observed.due || isPolled(observed)) return;
    const publish = (): void => {
      observed.due = undefined;
      const inputs = this.#take(observed);
      if (inputs.length > 0) this.#events.post(inputs);
    };
    const wait = observed.lookedAt + LIMITS.observationIntervalMs - observed.dirtyAt;
    if (observed.declaration.updateFrequency === 'realtime') observed.due = this.#timers.nextFrame(publish);
    else if (wait > 0) observed.due = this.#timers.set(wait, publish);
    else {
      // A microtask later, so that a burst within one task is one value.
      let live = true;
      observed.due = () => void (live = false);
      queueMicrotask(() => {
        if (live) publish();
      });
    }
  }

  /** Publishes now, if there is something new. */
  #take(observed: Observed): EngineInput[] {
    observed.due?.();
    observed.due = undefined;
    const text = this.#look(observed);
    if (text === undefined || text === observed.sent) return [];
    observed.sent = text;
    return [observeInput(observed, text)];
  }

  /** The text of the present value; stringified only when there was a delivery since. */
  #look(observed: Observed): JsonText | undefined {
    if (!observed.dirty) return observed.text;
    observed.dirty = false;
    observed.lookedAt = this.#timers.clock.now();
    let text: JsonText;
    try {
      text = JSON.stringify(observed.read ? observed.read() : observed.raw) ?? 'null';
    } catch (error) {
      this.#warn(observed, error);
      text = 'null';
    }
    if (text !== observed.text) {
      observed.text = text;
      observed.parsed = undefined;
      this.#events.changed(observed, observed.dirtyAt);
    }
    return text;
  }

  #warn(observed: Observed, error: unknown): void {
    const { surfaceId, declaration } = observed;
    const name = `Observation "${declaration.id}" of surface "${surfaceId}"`;
    const message = `${name} has no value that JSON can carry (${messageOf(error)}); null is sent instead.`;
    warnOnce(WARNINGS.OBSERVATION_NOT_JSON, message, name);
  }

  #disconnect(observed: Observed): void {
    observed.disconnect?.();
    observed.disconnect = observed.origin = undefined;
    // What the next one delivers first may be the same object with other content.
    observed.delivered = false;
    if (observed.read && !isPolled(observed)) this.#look(observed);
    observed.read = undefined;
  }

  #drop(observed: Observed): void {
    observed.due?.();
    observed.disconnect?.();
    observed.origin = undefined;
    this.#mounts.get(observed.mountId)?.delete(observed.declaration.id);
  }
}

const isPolled = (observed: Observed): boolean => observed.declaration.updateFrequency === 'polling';

function observeInput({ mountId, declaration }: Observed, value: JsonText): EngineInput {
  return { kind: 'observe', mountId, observationId: declaration.id, value };
}
