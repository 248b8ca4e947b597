import { messageOf } from '../src/protocol/error-message.js';
import { warnOnce } from '../src/protocol/warn-once.js';

/**
 * A part of the elements that most pages never need, loaded the first time that it is asked for.
 * @param code The warning that says why it could not be loaded, in the words of `without`.
 * @returns what loads it: never rejects, `null` where there is none.
 */
export function loadOnce<Module>(
  load: () => Promise<Module>,
  code: string,
  without: (why: string) => string,
): () => Promise<Module | null> {
  let loading: Promise<Module | null> | undefined;
  return () => loading ??= load().catch((error: unknown) => {
    warnOnce(code, without(messageOf(error)));
    return null;
  });
}
