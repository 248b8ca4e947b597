import { utf8Length } from '../protocol/byte-length.js';
import type { Cut } from '../protocol/events.js';
import type { JsonText } from '../protocol/json.js';

/** One observation's value. */
export interface FitValue {
  readonly surface: string;
  readonly observation: string;
  readonly text: JsonText;
}

/** One value as a step leaves it. */
export interface SteppedValue {
  readonly text: JsonText;
  readonly cuts: readonly Cut[];
}

/** Several values. */
export interface FittedValues {
  /** In the order given; the very same text where nothing was cut. */
  readonly texts: readonly JsonText[];
  readonly cuts: readonly Cut[];
  /** False when even the smallest form is over: then `texts` and `cuts` are that form. */
  readonly fits: boolean;
  /** What cuts is on its way: until then the values are whole. */
  readonly pending?: true;
}

/** What a report adds to a frame beside its cuts, each with a comma after it: the last has none. */
export const REPORT_BYTES = 25;

/** Of what `measure` gives for each. */
export function sum<T>(items: readonly T[], measure: (item: T) => number): number {
  return items.reduce((total, item) => total + measure(item), 0);
}

/** Whether the values need no cut. A unit is one to three bytes: most frames need no counting. */
export function fitsWhole(values: readonly FitValue[], room: number): boolean {
  const units = sum(values, ({ text }) => text.length);
  return units * 3 <= room || (units <= room && sum(values, ({ text }) => utf8Length(text)) <= room);
}

/** UTF-8 bytes of the value with the report of its cuts, each with the comma after it. */
export function bytesOf({ text, cuts }: SteppedValue): number {
  return utf8Length(text) + sum(cuts, (cut) => utf8Length(JSON.stringify(cut)) + 1);
}

/** The value left out, and the report of it. */
export function dropped({ surface, observation, text }: FitValue): SteppedValue {
  const cut: Cut = { surface, observation, path: '', kind: 'value', total: utf8Length(text), kept: 0 };
  return { text: 'null', cuts: [cut] };
}

export function together(stepped: readonly SteppedValue[]): Omit<FittedValues, 'fits'> {
  return { texts: stepped.map(({ text }) => text), cuts: stepped.flatMap(({ cuts }) => cuts) };
}
