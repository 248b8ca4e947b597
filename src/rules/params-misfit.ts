import type { OUIValidationIssue } from '../protocol/events.js';

/** How many problems a message names; `details.errors` has them all. */
const NAMED = 3;

/** Says that parameters do not fit, and names the first problems. `name`: the action's or tool's, as its caller has it. */
export function paramsMisfit(name: string, errors: readonly OUIValidationIssue[]): string {
  const first = errors.slice(0, NAMED).map(({ message }) => message).join('; ');
  const more = errors.length > NAMED ? `; and ${errors.length - NAMED} more` : '';
  return `Parameters of "${name}" do not fit its input schema: ${first}${more}.`;
}
