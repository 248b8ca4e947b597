import type { EngineInput, InputOf } from '../../protocol/engine-messages.js';
import type { JsonText } from '../../protocol/json.js';
import * as LIMITS from '../../protocol/limits.js';
import type { OUISurface } from '../../protocol/manifest.js';
import type { Release } from '../../protocol/ports.js';
import { isPromise, readInTime } from './async-reading.js';
import { KeptValues } from './kept-values.js';
import { connectSource, isSilent, readerOf, textReaderOf } from './observation-source.js';
import type { ObservationSource } from './observation-source.js';
import { ObservedValue } from './observed-value.js';
import type { PageTimers } from '../clock/page-timers.js';

/** An observation whose value changed. The same object each time. */
export type ChangedObservation = Pick<ObservedValue, 'surfaceId' | 'declaration'>;

/** What the publisher tells its runtime. */
export interface PublisherEvents {
  post(inputs: readonly EngineInput[]): void;
  /** Whether an agent is connected. */
  listening(): boolean;
  /** A value differs from the last one. `at`: when it was delivered. */
  changed(observation: ChangedObservation, at: number): void;
  /** What `texts` says of it changed without a new value: it may be shown now, or no longer. */
  checked(observation: ChangedObservation): void;
}

/**
 * Turns deliveries into published values (PROTOCOL.md §8): compared by content, stringified once per change,
 * `on-change` at most ten times a second, `realtime` once per animation frame; the last value always goes out.
 */
export class ObservationPublisher {
  readonly #timers: PageTimers;
  readonly #events: PublisherEvents;
  readonly #enforced: boolean;
  readonly #mounts = new Map<number, Map<string, ObservedValue>>();
  readonly #kept = new KeptValues();

  /** `enforced`: only what the engine has found to fit its schema is shown. */
  constructor(timers: PageTimers, events: PublisherEvents, enforced = false) {
    this.#timers = timers;
    this.#events = events;
    this.#enforced = enforced;
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
        if (!observed.told) this.#drop(observed);
        continue;
      }
      const wasPolled = observed.isPolled;
      // The engine judges the value by the new schema.
      if (this.#enforced && observed.declaration.schema !== declaration.schema) observed.sent = undefined;
      observed.declaration = declaration;
      if (observed.sent === undefined && observed.text !== undefined) this.#mark(observed);
      if (observed.origin && observed.isPolled !== wasPolled) {
        observed.disconnect?.();
        this.#connect(observed, observed.origin.source);
      }
    }
  }

  /** `surface`: keeps the values for when it is mounted again. */
  unmount(mountId: number, surface?: OUISurface): void {
    const observations = [...(this.#mounts.get(mountId)?.values() ?? [])];
    if (surface) {
      const pushed = observations.filter((observed) => !observed.isPolled);
      this.#kept.keep(surface, new Map(pushed.flatMap((observed) => {
        const text = this.#look(observed);
        return text === undefined ? [] : [[observed.declaration.id, text]];
      })));
    }
    for (const observed of observations) this.#drop(observed);
    this.#mounts.delete(mountId);
  }

  /** A surface was mounted: what it said before it was unmounted stands until it is told something else. */
  adopt(mountId: number, surface: OUISurface): EngineInput[] {
    return [...this.#kept.take(surface)].flatMap(([id, text]) => {
      const declaration = surface.observations?.find((each) => each.id === id);
      if (!declaration || declaration.updateFrequency === 'polling') return [];
      const observed = this.#find(mountId, surface, id);
      observed.text = text;
      return [observeInput(observed)];
    });
  }

  /** What the engine itself says of a surface: how far a job is. It has it already, and so has the agent. */
  tell(mountId: number, surfaceId: string, observationId: string, text: JsonText): void {
    const observations = this.#mounts.get(mountId) ?? new Map<string, ObservedValue>();
    this.#mounts.set(mountId, observations);
    // As a realtime one, it does not count as the page changing.
    const declaration = { id: observationId, description: '', schema: {}, updateFrequency: 'realtime' } as const;
    const observed = observations.get(observationId) ?? new ObservedValue(mountId, surfaceId, declaration, false);
    observations.set(observationId, observed);
    if (observed.tell(text)) this.#events.changed(observed, this.#timers.clock.now());
  }

  /** Nothing is kept of surfaces that are not mounted now. */
  forgetKept(): void {
    this.#kept.clear();
  }

  /** What has changed and was not published yet, of every mount; also what may have changed without telling. */
  takePending(): EngineInput[] {
    return this.#all().flatMap((observed) => (observed.isPolled ? [] : this.#take(observed, true)));
  }

  /** Every value there is, for a new engine. */
  replay(): EngineInput[] {
    return this.#all().flatMap((observed) => {
      if (!observed.isPolled && !this.#rests(observed)) this.#look(observed);
      return observed.text === undefined ? [] : [observeInput(observed)];
    });
  }

  /** The agent asks for a value: read now. `null` when there is none. A getter may take its time. */
  read(mountId: number, observationId: string): InputOf<'observed'> | Promise<InputOf<'observed'>> {
    const observed = this.#mounts.get(mountId)?.get(observationId);
    if (!observed) return { kind: 'observed', mountId, observationId, value: 'null' };
    const answer = (value: unknown): InputOf<'observed'> => {
      this.#encode(observed, value);
      return { ...observed.given(), kind: 'observed' };
    };
    if (!observed.isPolled || !observed.read) {
      this.#look(observed, true);
      return { ...observed.given(), kind: 'observed' };
    }
    const value = observed.current();
    return isPromise(value) ? readInTime(value, observed.name, this.#timers).then(answer) : answer(value);
  }

  /** What the engine found about a value that it was given. */
  checked(mountId: number, observationId: string, version: number, fits: boolean): void {
    const observed = this.#mounts.get(mountId)?.get(observationId);
    if (observed?.checked(version, fits)) this.#events.checked(observed);
  }

  /**
   * Finds out which values changed; reports them through `changed` without publishing them. `asked`: also those that may
   * have changed without telling. These are published when they are due, and reported no earlier: who looks again
   * whenever a value is another would read a getter of the time without end.
   * @returns whether there are such.
   */
  refresh(asked = false): boolean {
    let another = false;
    for (const observed of this.#all()) {
      if (observed.isPolled) continue;
      if (!asked || !observed.again) this.#look(observed);
      else if (observed.lookAgain(this.#timers.clock.now())) another = observed.untold = true;
      if (observed.untold || (observed.again && observed.text !== observed.sent)) this.#schedule(observed);
    }
    return another;
  }

  /** The JSON texts of a mount's values, as agents get them, by observation id. */
  texts(mountId: number): ReadonlyMap<string, JsonText> {
    const texts = new Map<string, JsonText>();
    for (const [id, observed] of this.#mounts.get(mountId) ?? []) {
      const text = observed.shownText();
      if (text !== undefined) texts.set(id, text);
    }
    return texts;
  }

  /** What one of these texts says. The same object while it is the same text. */
  value(mountId: number, observationId: string): unknown {
    return this.#mounts.get(mountId)?.get(observationId)?.shown();
  }

  #all(): ObservedValue[] {
    return [...this.#mounts.values()].flatMap((observations) => [...observations.values()]);
  }

  #find(mountId: number, surface: OUISurface, observationId: string): ObservedValue {
    let observations = this.#mounts.get(mountId);
    if (!observations) this.#mounts.set(mountId, (observations = new Map()));
    let observed = observations.get(observationId);
    if (observed) return observed;
    const declaration = surface.observations?.find((each) => each.id === observationId);
    if (!declaration) {
      const declared = surface.observations?.map((each) => each.id).join(', ') || 'none';
      throw new Error(`Surface "${surface.id}" has no observation "${observationId}"; it declares ${declared}.`);
    }
    observed = new ObservedValue(mountId, surface.id, declaration, this.#enforced);
    observations.set(observationId, observed);
    return observed;
  }

  #connect(observed: ObservedValue, source: ObservationSource): void {
    const read = readerOf(source);
    observed.readText = textReaderOf(source);
    observed.lazy = 'lazy' in source && source.lazy === true;
    observed.again = isSilent(source) && !observed.isPolled ? read : undefined;
    // The engine is told that it has to ask.
    if (observed.again) observed.sent = undefined;
    if (read && observed.isPolled) {
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
        observed.delivered = false;
        this.#mark(observed);
      },
      failed: (error) => {
        observed.unreadable(error);
        if (connected) this.#deliver(observed, null);
      },
    });
    if (!connected) release();
  }

  #deliver(observed: ObservedValue, value: unknown): void {
    // The same object may have other content by now; signals deliver only what changed.
    if (typeof value !== 'object' && observed.delivered && Object.is(value, observed.raw)) return;
    observed.delivered = true;
    observed.raw = value;
    observed.read = undefined;
    this.#mark(observed);
  }

  #mark(observed: ObservedValue): void {
    observed.dirty = true;
    observed.dirtyAt = this.#timers.clock.now();
    this.#schedule(observed);
  }

  /** Publishes it when it is due. */
  #schedule(observed: ObservedValue): void {
    if (observed.due || observed.isPolled || (this.#rests(observed) && !observed.untold)) return;
    const publish = (): void => {
      observed.due = undefined;
      const inputs = this.#take(observed);
      if (inputs.length > 0) this.#events.post(inputs);
    };
    const wait = observed.lookedAt + LIMITS.observationIntervalMs - this.#timers.clock.now();
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

  /** Whether it is not worth reading now: it is read when an agent connects, with a result, or for a snapshot. */
  #rests(observed: ObservedValue): boolean {
    return observed.lazy && !this.#events.listening();
  }

  /** Publishes now, if there is something new. */
  #take(observed: ObservedValue, asked = false): EngineInput[] {
    observed.due?.();
    observed.due = undefined;
    const text = this.#look(observed, asked);
    return text === undefined || text === observed.sent ? [] : [observeInput(observed)];
  }

  /** The text of the present value; stringified only when there was a delivery since, or it may be another untold. */
  #look(observed: ObservedValue, asked = false): JsonText | undefined {
    const now = this.#timers.clock.now();
    const another = asked && observed.again ? observed.lookAgain(now) : observed.dirty && observed.look(now);
    if (another || observed.untold) {
      observed.untold = false;
      this.#events.changed(observed, observed.dirtyAt);
    }
    return observed.text;
  }

  #encode(observed: ObservedValue, value: unknown): void {
    if (observed.encode(value, this.#timers.clock.now())) this.#events.changed(observed, observed.dirtyAt);
  }

  #disconnect(observed: ObservedValue): void {
    observed.disconnect?.();
    observed.disconnect = observed.origin = observed.again = undefined;
    observed.lazy = false;
    // What the next one delivers first may be the same object with other content.
    observed.delivered = false;
    if (observed.read && !observed.isPolled) this.#look(observed);
    observed.read = undefined;
  }

  #drop(observed: ObservedValue): void {
    observed.due?.();
    observed.disconnect?.();
    observed.origin = undefined;
    this.#mounts.get(observed.mountId)?.delete(observed.declaration.id);
  }
}

function observeInput(observed: ObservedValue): EngineInput {
  return { ...observed.given(), kind: 'observe' };
}
