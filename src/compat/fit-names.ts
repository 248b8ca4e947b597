import * as LIMITS from '../protocol/limits.js';
import { appendPointer, parsePointer, resolvePointer } from '../protocol/json-pointer.js';
import { fitObservations as fit } from '../rules/fit.js';
import type { OUIFitCut, OUIObservationSnapshot } from './wire-types.js';

/** Fitting by `oui-spec`'s names. */

export const FIT_LIST_STEPS = LIMITS.cutRows;
export const FIT_TEXT_CHARS = LIMITS.cutTextLength;

/**
 * Observations within a budget of UTF-8 bytes, and where they were cut. Where nothing is to be cut they come back as
 * they were given. The report of the cuts counts towards the budget.
 */
export function fitObservations(
  observations: OUIObservationSnapshot,
  budget: number,
): { observations: OUIObservationSnapshot; cuts: OUIFitCut[] } {
  const fitted = fit(observations, budget);
  const cuts = (fitted.fit?.observations ?? []) as OUIFitCut[];
  return { observations: cuts.length === 0 ? observations : (fitted.observations as OUIObservationSnapshot), cuts };
}

/** The pointer to a member or an item. */
export const pointerStep = (pointer: string, key: string | number): string => appendPointer(pointer, key);

/** The steps of a JSON Pointer. @throws {Error} when the text is none. */
export function pointerSteps(pointer: string): string[] {
  const steps = parsePointer(pointer);
  if (steps) return steps;
  throw new Error(`${JSON.stringify(pointer)} is no JSON Pointer (RFC 6901): it must be "" or begin with "/".`);
}

/** What a pointer points to; `undefined` when nothing is there. @throws {Error} when the text is no pointer. */
export function atPointer(value: unknown, pointer: string): unknown {
  pointerSteps(pointer);
  return resolvePointer(value, pointer);
}
