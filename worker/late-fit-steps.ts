import type { cutValues as cutWhole, outlineValue as outlineWhole } from '../src/rules/fit-steps.js';
import { bytesOf, dropped, REPORT_BYTES, sum, together } from '../src/rules/fitted-value.js';
import { extras, loadedExtras } from './late-extras.js';

/** In the worker's script in the place of `fit-steps.ts`, which comes with the extras. */
export const outlineValue: typeof outlineWhole = (...value) => extras().outlineValue(...value);

/**
 * The driver counts what comes, and lets nothing through that could make a frame too large before the extras are there.
 * Should it ever count wrong, what is too large is left out whole, and the frame says so.
 */
export const cutValues: typeof cutWhole = (values, room, outlineOf) => {
  const whole = loadedExtras();
  if (whole) return whole.cutValues(values, room, outlineOf);
  const left = values.map(dropped);
  return { ...together(left), fits: sum(left, bytesOf) + REPORT_BYTES <= room };
};
