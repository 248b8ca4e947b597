import * as ERROR_CODES from '../protocol/error-codes.js';
import { parsePointer } from '../protocol/json-pointer.js';
import { isJsonObject } from '../protocol/shape.js';
import { AGENT_LIMITS } from './agent-limits.js';
import { AgentReadError } from './agent-read-error.js';
import type { AgentReadOptions, AgentReadPart } from './agent-types.js';

/** Asks the page for a part of one observation. */
type AskForPart = (options: AgentReadOptions) => Promise<AgentReadPart>;

/**
 * Reads a value that is too large for one frame: page after page of a list, an object or a text, and then whatever
 * was cut inside of those. Every number comes from a stranger: the pages are counted, and each must lead on.
 *
 * @throws {AgentReadError} rejects when a page cannot be had, or when there are too many.
 */
export async function readWhole(ask: AskForPart): Promise<unknown> {
  let pages = 0;
  let units = 0;

  async function readAt(path: string, depth: number): Promise<unknown> {
    let whole: unknown;
    for (let offset = 0; ; ) {
      const part = await ask({ path, offset, limit: AGENT_LIMITS.piecesAsked });
      const piece = copied(part.rows ?? part.value);
      pages += 1;
      units += piece.units;
      if (pages > AGENT_LIMITS.readPages || units > AGENT_LIMITS.observationUnits || depth > AGENT_LIMITS.readDepth) {
        throw new AgentReadError(ERROR_CODES.INVALID_PARAMS, TOO_LARGE);
      }
      whole = offset === 0 ? piece.value : joined(whole, piece.value);
      for (const cut of part.fit?.observations ?? []) {
        const place = cut.path.startsWith(path) ? parsePointer(cut.path.slice(path.length)) : undefined;
        // A value that is cut itself, and comes in no pages, cannot be had whole.
        if (!place || place.length === 0) continue;
        put(whole, place, await readAt(cut.path, depth + 1));
      }
      if (part.more !== true || part.next === undefined || part.next <= offset) return whole;
      offset = part.next;
    }
  }

  return readAt('', 0);
}

const TOO_LARGE =
  'The observation is larger than what is kept of it here. Read it in parts: give a path, an offset or a limit.';

/** A copy, since what is cut in it is filled in, and its length. */
function copied(value: unknown): { readonly value: unknown; readonly units: number } {
  const text = JSON.stringify(value ?? null);
  return { value: JSON.parse(text) as unknown, units: text.length };
}

/** The next page behind the ones before. */
function joined(before: unknown, next: unknown): unknown {
  if (Array.isArray(before) && Array.isArray(next)) {
    for (const row of next) before.push(row);
    return before;
  }
  if (typeof before === 'string' && typeof next === 'string') return before + next;
  if (isJsonObject(before) && isJsonObject(next)) return { ...before, ...next };
  return next;
}

/** Sets an own member or an existing item; a place that is not there is passed over. */
function put(root: unknown, place: readonly string[], value: unknown): void {
  let holder: unknown = root;
  for (const token of place.slice(0, -1)) {
    holder = isContainer(holder) && Object.hasOwn(holder, token) ? holder[token] : undefined;
  }
  const last = place[place.length - 1];
  if (last !== undefined && isContainer(holder) && Object.hasOwn(holder, last)) holder[last] = value;
}

function isContainer(value: unknown): value is { [key: string]: unknown } {
  return typeof value === 'object' && value !== null;
}
