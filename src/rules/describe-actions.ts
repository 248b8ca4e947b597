import { utf8Length } from '../protocol/byte-length.js';
import type { JsonText } from '../protocol/json.js';
import type { OUIAction } from '../protocol/manifest.js';
import { objectText } from './frame-text.js';

/** An action by name, as `oui.describe` takes it. */
export interface ActionName {
  readonly surface: string;
  readonly action: string;
}

/**
 * What `oui.describe` answers (PROTOCOL.md §7), as JSON text: the definitions in the order asked. The first one found
 * always goes; those that do not fit are `deferred`, to be asked for again; `missing` are not there.
 *
 * @param budgetBytes UTF-8 bytes for the whole of it
 */
export function describeActions(
  asked: readonly ActionName[],
  find: (name: ActionName) => OUIAction | undefined,
  budgetBytes: number,
): JsonText {
  const definitions: JsonText[] = [];
  const missing: JsonText[] = [];
  const deferred: JsonText[] = [];
  const namesOf = ({ surface, action }: ActionName): JsonText => JSON.stringify({ surface, action });
  // Every name is reserved its place in a list, so that the names of those that are left over always fit.
  let left = budgetBytes - utf8Length('{"definitions":[],"missing":[],"deferred":[]}');
  for (const name of asked) left -= utf8Length(namesOf(name)) + 1;
  for (const name of asked) {
    const action = find(name);
    if (action === undefined) {
      missing.push(namesOf(name));
      continue;
    }
    const text = objectText([
      ['surface', JSON.stringify(name.surface)],
      ['action', JSON.stringify(action)],
    ]);
    const bytes = utf8Length(text) - utf8Length(namesOf(name));
    if (definitions.length > 0 && bytes > left) {
      deferred.push(namesOf(name));
    } else {
      definitions.push(text);
      left -= bytes;
    }
  }
  const list = (texts: readonly JsonText[]): JsonText | undefined => (texts.length > 0 ? `[${texts.join(',')}]` : undefined);
  return objectText([
    ['definitions', `[${definitions.join(',')}]`],
    ['missing', list(missing)],
    ['deferred', list(deferred)],
  ]);
}
