import type { Fit, OUIActionResult } from '../protocol/events.js';

/** What goes first when a receiver refuses a result. Of the first step's two a result has one. */
const STEPS: readonly (readonly (keyof OUIActionResult)[])[] = [['index', 'surfaces'], ['observations'], ['data']];

/**
 * The next smaller form of a result that its receiver refused (PROTOCOL.md §4): without the offered part, then also
 * without the observations and what was said of their cuts, then also without `data`. A step that would take nothing
 * is passed over, so that no frame is sent twice. `delivery` names all that was left out so far, and why.
 *
 * The outcome, the hash, the ids and every other member stay as they are. Undefined when there is nothing left to
 * leave out: four sends at most.
 *
 * @param result as it was sent last
 * @param reason the receiver's, for the agent to read
 */
export function trimResult(result: OUIActionResult, reason: string): OUIActionResult | undefined {
  const present = STEPS.map((step) => step.filter((name) => result[name] !== undefined));
  const step = present.find((names) => names.length > 0);
  if (step === undefined) return undefined;
  const members = Object.entries(result).filter(([name]) => !(step as readonly string[]).includes(name));
  const trimmed = Object.fromEntries(members) as unknown as OUIActionResult;
  const omitted = [...(result.delivery?.omitted ?? []), ...step];
  const delivery = { trimmed: true, reason, omitted };
  return step.includes('observations') ? { ...withoutCuts(trimmed), delivery } : { ...trimmed, delivery };
}

/** There is nothing left that the cuts were of; that data was left out is still worth knowing. */
function withoutCuts(result: OUIActionResult): OUIActionResult {
  const { fit, ...rest } = result;
  const data: Fit['data'] = fit?.data;
  return data === undefined ? rest : { ...rest, fit: { data } };
}
