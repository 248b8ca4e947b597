import { messageOf } from '../protocol/error-message.js';
import { warnOnce } from '../protocol/warn-once.js';
import * as WARNINGS from '../protocol/warning-codes.js';
import type { cutValues as cutWhole, outlineValue as outlineWhole } from '../rules/fit-steps.js';

let loaded: typeof import('../rules/fit-steps.js') | undefined;
let loading: Promise<void> | undefined;

/** Asked for by the whole `cutValues` only. */
export const outlineValue: typeof outlineWhole = (...value) => loaded!.outlineValue(...value);

/**
 * In the bundles for the script tag in the place of `fit-steps.ts`, which few pages need: on the page's thread it cuts
 * snapshots alone, and these are seldom over their budget. `snapshot()` does not wait: until the code is there, its
 * values are whole. Agents are not concerned: what they get is cut by the engine.
 */
export const cutValues: typeof cutWhole = (values, room, outlineOf) => {
  if (loaded) return loaded.cutValues(values, room, outlineOf);
  loading ??= import('../rules/fit-steps.js').then(
    (module) => void (loaded = module),
    (error: unknown) => warnOnce(WARNINGS.FITTING_UNAVAILABLE, 'The code that cuts snapshots could not be loaded '
      + `(${messageOf(error)}): runtime.snapshot() goes over its budget. Put oui.fit.js beside oui.js.`),
  );
  return { texts: values.map(({ text }) => text), cuts: [], fits: false, pending: true };
};
