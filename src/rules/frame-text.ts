import type { JsonText } from '../protocol/json.js';

/**
 * The text of a JSON object whose members are JSON texts already, in the order given. Members without a text are
 * left out. It lets a large value be stringified once and put into any number of frames.
 */
export function objectText(members: readonly (readonly [key: string, text: JsonText | undefined])[]): JsonText {
  let text = '';
  for (const [key, member] of members) {
    if (member === undefined) continue;
    text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${member}`;
  }
  return `{${text}}`;
}
