import type { Cut, Fit, OUIObservationValues } from '../protocol/events.js';
import type { JsonText } from '../protocol/json.js';
import { utf8Length } from '../protocol/byte-length.js';
import { cutValues } from './fit-steps.js';
import type { outlineValue } from './fit-steps.js';
import { fitsWhole } from './fitted-value.js';
import type { FittedValues, FitValue } from './fitted-value.js';
import { objectText } from './frame-text.js';

/** JSON texts of values: by surface id, then by observation id. */
export type ObservationTexts = ReadonlyMap<string, ReadonlyMap<string, JsonText>>;

/** Observations that were fitted, as JSON texts. */
export interface FittedTexts {
  /** The texts given where nothing was cut. */
  readonly observations: ObservationTexts;
  /** Empty when nothing was cut. */
  readonly cuts: readonly Cut[];
  /** False when the budget is too small even for what is left: `null`s, what is shorter than its report, and ids. */
  readonly fits: boolean;
  /** As in `FittedValues`. */
  readonly pending?: true;
}

/** Observations that were fitted. */
export interface FittedObservations {
  /** The values given where nothing was cut, copies elsewhere. */
  readonly observations: OUIObservationValues;
  /** The member that goes beside them; absent when nothing was cut. */
  readonly fit?: Pick<Fit, 'observations'>;
  /** False when the budget is too small even for what is left: `null`s, what is shorter than its report, and ids. */
  readonly fits: boolean;
}

/** One observation's value that was fitted. */
export interface FittedText {
  readonly value: JsonText;
  readonly cuts: readonly Cut[];
  /** False when the budget is smaller than `null` and the report of it. */
  readonly fits: boolean;
}

function fitValues(values: readonly FitValue[], room: number, outlineOf?: typeof outlineValue): FittedValues {
  if (fitsWhole(values, room)) return { texts: values.map(({ text }) => text), cuts: [], fits: true };
  return cutValues(values, room, outlineOf);
}

/** JSON text of the `observations` member. */
export function observationsText(observations: ObservationTexts): JsonText {
  return objectText([...observations].map(([surface, values]) => [surface, objectText([...values])]));
}

/**
 * Fits observations into a budget, from JSON text to JSON text (PROTOCOL.md §4, step 3): every list is cut to 200
 * rows, then to 50, 20, 5, 0; then every text over 2,000 UTF-16 units to that; then whole observations become `null`,
 * the largest first. It stops as soon as the observations fit, with the report of what was cut.
 *
 * @param budgetBytes UTF-8 bytes for the text of the observations together with the whole `fit` member
 * @param outlineOf reads a value; by default anew each time
 */
export function fitObservationTexts(
  observations: ObservationTexts,
  budgetBytes: number,
  outlineOf?: typeof outlineValue,
): FittedTexts {
  const values: FitValue[] = [];
  for (const [surface, texts] of observations) {
    for (const [observation, text] of texts) values.push({ surface, observation, text });
  }
  const { texts, cuts, fits, pending } = fitValues(values, budgetBytes - idBytes(observations), outlineOf);
  if (cuts.length === 0) return { observations, cuts, fits, ...(pending && { pending }) };
  let index = 0;
  const fitted = new Map<string, ReadonlyMap<string, JsonText>>();
  for (const [surface, { size }] of observations) {
    const own = values.slice(index, index + size);
    fitted.set(surface, new Map(own.map(({ observation }, at) => [observation, texts[index + at] as JsonText])));
    index += size;
  }
  return { observations: fitted, cuts, fits };
}

/** What the ids and braces around the values take. */
function idBytes(observations: ObservationTexts): number {
  const empty = [...observations].map(([surface, values]): [string, ReadonlyMap<string, JsonText>] => {
    return [surface, new Map([...values.keys()].map((observation) => [observation, '']))];
  });
  return utf8Length(observationsText(new Map(empty)));
}

/**
 * Fits one observation's value, as an observation update carries it. As `fitObservationTexts`.
 *
 * @param budgetBytes UTF-8 bytes for the value together with the whole `fit` member
 */
export function fitValueText(surface: string, observation: string, text: JsonText, budgetBytes: number): FittedText {
  const { texts, cuts, fits } = fitValues([{ surface, observation, text }], budgetBytes);
  return { value: texts[0] ?? text, cuts, fits };
}

/**
 * Fits observations into a budget (PROTOCOL.md §4, step 3): every list is cut to 200 rows, then to 50, 20, 5, 0; then
 * every text over 2,000 UTF-16 units to that; then whole observations become `null`, the largest first. It stops as
 * soon as the observations fit, with the report of what was cut. A cut never splits a surrogate pair.
 *
 * The values are never changed. Observations that are `undefined` or a function are no values, and are left out when
 * something is cut.
 *
 * @param observations values by surface id, then by observation id
 * @param budgetBytes UTF-8 bytes of the JSON of the observations together with the whole `fit` member
 * @throws {TypeError} as `JSON.stringify` does: for a cycle or a bigint.
 */
export function fitObservations(observations: OUIObservationValues, budgetBytes: number): FittedObservations {
  const sources = Object.entries(observations).map(([surface, values]) => {
    const texts = Object.entries(values).flatMap(([observation, value]): [string, JsonText][] => {
      const text = JSON.stringify(value) as JsonText | undefined;
      return text === undefined ? [] : [[observation, text]];
    });
    return [surface, new Map(texts)] as const;
  });
  const fitted = fitObservationTexts(new Map(sources), budgetBytes);
  if (fitted.cuts.length === 0) return { observations, fits: fitted.fits };

  // Object.fromEntries defines its members, so that no id can reach a prototype.
  const cut = sources.map(([surface, texts]) => {
    const values = [...texts].map(([observation, text]): [string, unknown] => {
      const short = fitted.observations.get(surface)?.get(observation) ?? text;
      return [observation, short === text ? observations[surface]?.[observation] : (JSON.parse(short) as unknown)];
    });
    return [surface, Object.fromEntries(values)] as const;
  });
  return { observations: Object.fromEntries(cut), fit: { observations: fitted.cuts }, fits: fitted.fits };
}
