import { clipText } from '../rules/clip-text.js';
import { AGENT_LIMITS } from './agent-limits.js';

/** Text of the page's or the caller's, short enough for an error message. `limit` in UTF-16 units. */
export function clipped(text: string, limit: number = AGENT_LIMITS.quotedUnits): string {
  return clipText(text, limit);
}
