import type { Cut } from '../protocol/events.js';
import type { JsonText } from '../protocol/json.js';
import { bytesOf, dropped, REPORT_BYTES, sum, together } from './fitted-value.js';
import type { FittedValues, FitValue, SteppedValue } from './fitted-value.js';
import { outlineJson } from './json-outline.js';
import type { JsonOutline } from './json-outline.js';
import { LIST_STEPS, listStepOf, TEXT_STEP } from './step-estimates.js';

interface OutlinedValue extends FitValue {
  /** Undefined when no step is enough for this value alone. */
  readonly outline: JsonOutline | undefined;
}

/**
 * Fits values that are too large and the report of what was cut into `room` bytes: step 3 of PROTOCOL.md §4, every list
 * to 200, 50, 20, 5 and 0 rows, every text over 2,000 units, then whole values, the largest first.
 *
 * The values are read once. How long each step would leave them follows from that by subtraction, in UTF-16 units,
 * of which there are never more than bytes; only a form that could fit is put together and counted.
 *
 * @param outlineOf reads a value; one that was read with more room does as well
 */
export function cutValues(values: readonly FitValue[], room: number, outlineOf = outlineValue): FittedValues {
  const outlined = values.map((value) => ({ ...value, outline: outlineOf(value, room) }));
  for (let step = 0; step <= TEXT_STEP; step++) {
    if (sum(outlined, ({ outline }) => outline?.least[step] ?? Infinity) + REPORT_BYTES > room) continue;
    const stepped = outlined.map((value) => applyStep(value, step));
    if (sum(stepped, bytesOf) + REPORT_BYTES <= room) return { ...together(stepped), fits: true };
  }
  return dropValues(outlined, room);
}

/** What of a value can be cut; undefined when no step brings it into the room. */
export function outlineValue(value: FitValue, room: number): JsonOutline | undefined {
  return outlineJson(value.text, room, cutUnits(value));
}

function cutUnits({ surface, observation }: FitValue): number {
  return JSON.stringify({ surface, observation, path: '', kind: 'list', total: 1, kept: 0 }).length;
}

interface Removal {
  readonly from: number;
  readonly to: number;
  readonly cut: Cut;
}

function applyStep({ surface, observation, text, outline }: OutlinedValue, step: number): SteppedValue {
  const removals: Removal[] = [];
  const listStep = listStepOf(step);
  const kept = LIST_STEPS[listStep] ?? 0;
  for (const { path, rows: total, reach, cuts, end } of outline?.lists ?? []) {
    const from = listStep < reach ? cuts[listStep] : 0;
    if (from === undefined || from === 0) continue;
    removals.push({ from, to: end, cut: { surface, observation, path, kind: 'list', total, kept } });
  }
  if (step === TEXT_STEP && outline !== undefined && outline.texts.length > 0) {
    for (const { path, total, kept: units, cut, end } of outline.texts) {
      removals.push({ from: cut, to: end, cut: { surface, observation, path, kind: 'text', total, kept: units } });
    }
    removals.sort((one, other) => one.from - other.from);
  }
  return { text: without(text, removals), cuts: removals.map(({ cut }) => cut) };
}

function without(text: JsonText, removals: readonly Removal[]): JsonText {
  if (removals.length === 0) return text;
  const pieces: string[] = [];
  let at = 0;
  for (const { from, to } of removals) {
    pieces.push(text.slice(at, from));
    at = to;
  }
  pieces.push(text.slice(at));
  return pieces.join('');
}

/** The last step: whole values become `null`, the largest first, as far as that makes the frame smaller. */
function dropValues(outlined: readonly OutlinedValue[], room: number): FittedValues {
  // A value that is over the room by itself goes in any case, and is larger than any that is not.
  const values = outlined.map((value) => {
    return (value.outline?.least[TEXT_STEP] ?? Infinity) > room ? dropped(value) : applyStep(value, TEXT_STEP);
  });
  const sizes = values.map(bytesOf);
  let bytes = sum(sizes, (size) => size) + REPORT_BYTES;
  const replace = (index: number, form: SteppedValue): void => {
    const size = bytesOf(form);
    const saved = (sizes[index] ?? 0) - size;
    if (saved <= 0) return;
    values[index] = form;
    sizes[index] = size;
    bytes -= saved;
  };

  const largestFirst = [...sizes.keys()].sort((one, other) => (sizes[other] ?? 0) - (sizes[one] ?? 0));
  for (const index of largestFirst) {
    if (bytes <= room) break;
    replace(index, dropped(outlined[index] as OutlinedValue));
  }
  // A report may be longer than what it reports: the smallest form of all has those values whole.
  if (bytes > room) outlined.forEach((value, index) => replace(index, whole(value)));
  return { ...together(values), fits: bytes <= room };
}

function whole({ text }: FitValue): SteppedValue {
  return { text, cuts: [] };
}
