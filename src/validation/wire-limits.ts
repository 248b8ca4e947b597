import { appendPointer } from '../protocol/json-pointer.js';
import * as LIMITS from '../protocol/limits.js';
import type { Report } from './member-rules.js';

/**
 * What no message may have (PROTOCOL.md §1): agents drop the registration of a surface that has it, and the offered
 * part of every result.
 */
export function checkWireLimits(manifest: unknown, report: Report): void {
  look(manifest, '', 1, report);
}

function look(value: unknown, at: string, depth: number, report: Report): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth > LIMITS.valueDepth) {
    return report(at, 'depth', `is nested deeper than ${LIMITS.valueDepth} levels, which no agent takes; use $ref under $defs`);
  }
  for (const [key, member] of Object.entries(value as object)) {
    const place = appendPointer(at, key);
    if (key === '__proto__') report(place, 'key', 'has a name that no message may have: call it something else');
    else look(member, place, depth + 1, report);
  }
}
