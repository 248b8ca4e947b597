import type { Cut, Fit } from '../protocol/events.js';
import type { JsonText } from '../protocol/json.js';

/** JSON text of the `fit` member, which says what was cut and left out (PROTOCOL.md §4); undefined when nothing was. */
export function fitText(cuts: readonly Cut[], data?: Fit['data']): JsonText | undefined {
  if (cuts.length === 0 && data === undefined) return undefined;
  return JSON.stringify({ observations: cuts.length === 0 ? undefined : cuts, data });
}
