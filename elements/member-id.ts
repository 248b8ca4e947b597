import * as LIMITS from '../src/protocol/limits.js';

/** The id of an action or observation that comes nearest to a name; `''` when no letter of it is left. */
export function memberIdOf(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '_')
    .slice(0, LIMITS.authorIdMaxLength)
    .replace(/^[_\d]+|_+$/g, '');
}
