import { sha256Hex } from './args-hash.js';

/** What every model provider takes: at most 64 of `[A-Za-z0-9_-]`. */
const MAX_LENGTH = 64;
const HASH_DIGITS = 16;
/** What a hashed name leaves for the two ids: less the hash, `_` before it and `__` after it. */
const ROOM = MAX_LENGTH - HASH_DIGITS - 3;
const ACTION_ROOM = 27;

/** No underscore: `a_` with `b` and `a` with `_b` would be the same name. */
const PLAIN_SURFACE = /^[A-Za-z0-9-]+$/;
const PLAIN_ACTION = /^[A-Za-z0-9_-]+$/;

/**
 * The name of an action as a tool: `<surface-id>__<action_id>`, at most 64 characters of `[A-Za-z0-9_-]`, the same
 * every time. Ids that are too long, have other characters, or would make the name ambiguous (an underscore in the
 * surface's) get `<surface>_<hash>__<action>`.
 *
 * No two different pairs share a name: in a plain name the first underscore is followed by another, in a hashed one
 * by the hash, 64 bits of SHA-256 over both ids.
 */
export function toolName(surfaceId: string, actionId: string): string {
  const plain = `${surfaceId}__${actionId}`;
  if (plain.length <= MAX_LENGTH && PLAIN_SURFACE.test(surfaceId) && PLAIN_ACTION.test(actionId)) return plain;
  const hash = sha256Hex(JSON.stringify([surfaceId, actionId])).slice(0, HASH_DIGITS);
  const action = actionId.replace(/[^A-Za-z0-9_-]/g, '-');
  const surface = surfaceId.replace(/[^A-Za-z0-9-]/g, '-').slice(0, Math.max(ROOM - ACTION_ROOM, ROOM - action.length));
  return `${surface}_${hash}__${action.slice(0, ROOM - surface.length)}`;
}
