import { effect, untracked } from '@preact/signals-core';
import type { JsonText } from '../../protocol/json.js';
import type { Release } from '../../protocol/ports.js';

/** What `subscribe` of a store returns: a function (signals, Svelte) or a subscription (RxJS). */
export type Unsubscribe = (() => void) | { unsubscribe(): void } | void;

/** Delivers its values: signals, RxJS observables, Svelte stores. */
export interface DeliveringSource {
  subscribe(listener: (value: unknown) => void): Unsubscribe;
}

/** Tells that it changed, and is read then. */
export interface NotifyingSource {
  get(): unknown;
  /**
   * The value's JSON text, where the source has it at hand. It is used instead of `get`, unless it throws, may have a
   * key `__proto__`, or is nested deeper than a value may be.
   */
  json?(): string;
  /** Reading is work: unasked, it is read only while an agent is connected. Default false. */
  readonly lazy?: boolean;
  /** It may change without telling, as a getter of plain values may. Default false. */
  readonly silent?: boolean;
  subscribe(notify: () => void): Unsubscribe;
}

/**
 * Where an observation's value comes from; a function is a getter, read again whenever a signal that it reads changes,
 * after each handler, before a result goes out, and when somebody looks. Signals are told by their members: two copies
 * of signals-core do not know each other's classes.
 */
export type ObservationSource = DeliveringSource | NotifyingSource | (() => unknown);

/** What a source does with its observation. */
export interface SourceSink {
  /** A new value. */
  value(value: unknown): void;
  /** There is a new value, to be read when it is needed. */
  stale(read: () => unknown): void;
  /** The source threw. */
  failed(error: unknown): void;
}

function has<Name extends string>(source: object, name: Name): source is Record<Name, () => unknown> {
  return typeof (source as Record<string, unknown>)[name] === 'function';
}

/** Reads the present value of a source that can be asked; `undefined` for one that only delivers. */
export function readerOf(source: ObservationSource): (() => unknown) | undefined {
  if (typeof source === 'function') return () => untracked(source);
  if (has(source, 'peek')) return () => source.peek();
  if (has(source, 'get')) return () => source.get();
  return undefined;
}

/**
 * Whether a source may change without telling. Of a getter nobody knows: it may read plain values beside signals, and in
 * the bundles for the script tag there are no signals that it could be tracked by.
 */
export function isSilent(source: ObservationSource): boolean {
  return typeof source === 'function' || ('silent' in source && source.silent === true);
}

/** Reads the JSON text of a source that has it. */
export function textReaderOf(source: ObservationSource): (() => JsonText) | undefined {
  return typeof source === 'object' && has(source, 'json') ? () => source.json() as JsonText : undefined;
}

/**
 * Connects a source to its observation until released.
 *
 * @throws {TypeError} when it is none of the four kinds.
 */
export function connectSource(source: ObservationSource, sink: SourceSink): Release {
  if (typeof source === 'function') {
    return effect(() => {
      try {
        const value = source();
        untracked(() => sink.value(value));
      } catch (error) {
        untracked(() => sink.failed(error));
      }
    });
  }
  if (!source || !has(source, 'subscribe')) {
    throw new TypeError('An observation source is a signal, a getter, or has subscribe(), with or without get().');
  }
  let subscription: Unsubscribe;
  if (has(source, 'get')) {
    const read = (): unknown => source.get();
    sink.stale(read);
    subscription = source.subscribe(() => sink.stale(read)) as Unsubscribe;
  } else {
    subscription = source.subscribe((value: unknown) => sink.value(value));
  }
  return () => {
    const end = subscription;
    subscription = undefined;
    if (typeof end === 'function') end();
    else end?.unsubscribe();
  };
}
