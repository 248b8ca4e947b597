import * as LIMITS from '../../src/protocol/limits.js';
import { cutEnd } from '../../src/rules/clip-text.js';
import { visibleJson, visibleText } from '../../src/rules/visible-text.js';

/** JSON on several lines, as far as it is shown. `more`: UTF-16 units that are left out. */
export interface ShownText {
  readonly text: string;
  readonly more: number;
}

/** A value as it is shown. */
export function shownValue(value: unknown): ShownText {
  const text = JSON.stringify(value);
  return text === undefined ? { text: 'nothing', more: 0 } : shownJson(text);
}

/**
 * JSON text as it is shown: on several lines, its beginning where it is long. No more is read than is shown: values of
 * megabytes change while they are looked at. Text that is no JSON is shown as it is.
 */
export function shownJson(json: string): ShownText {
  const most = LIMITS.inspectedShownLength;
  if (json.length <= most) return clipped(readable(json));
  let lines = '';
  let at = 0;
  let depth = 0;
  while (at < json.length && lines.length < most) {
    const character = json[at]!;
    if (character === '"') {
      const end = endOfString(json, at, Math.min(json.length, at + most));
      lines += json.slice(at, end);
      at = end;
      continue;
    }
    at += 1;
    if (character === '{' || character === '[') {
      const closing = character === '{' ? '}' : ']';
      if (json[at] === closing) {
        lines += character + closing;
        at += 1;
      } else {
        depth += 1;
        lines += `${character}\n${indent(depth)}`;
      }
    } else if (character === '}' || character === ']') {
      depth -= 1;
      lines += `\n${indent(depth)}${character}`;
    } else if (!/\s/.test(character)) {
      lines += character === ',' ? `,\n${indent(depth)}` : character === ':' ? ': ' : character;
    }
  }
  const end = cutEnd(lines, most);
  return { text: visibleText(lines.slice(0, end)), more: json.length - at + lines.length - end };
}

/** A value in one line of at most so many UTF-16 units. */
export function inOneLine(value: unknown, length = 120): string {
  return jsonInOneLine(JSON.stringify(value) ?? '', length);
}

/** The same of its JSON text. */
export function jsonInOneLine(json: string, length = 120): string {
  const text = visibleText(json.slice(0, cutEnd(json, length + 1)));
  return text.length <= length ? text : `${text.slice(0, cutEnd(text, length - 1))}…`;
}

function readable(json: string): string {
  try {
    return visibleJson(JSON.parse(json));
  } catch {
    return visibleText(json);
  }
}

function clipped(text: string): ShownText {
  const end = cutEnd(text, LIMITS.inspectedShownLength);
  return { text: text.slice(0, end), more: text.length - end };
}

/** Deeper, and lines would be nothing but white space. */
function indent(depth: number): string {
  return '  '.repeat(Math.min(32, Math.max(0, depth)));
}

/** Behind the quotation mark that ends it; `most` when it goes on so far. */
function endOfString(json: string, start: number, most: number): number {
  for (let at = start + 1; at < most; at += 1) {
    if (json[at] === '\\') at += 1;
    else if (json[at] === '"') return at + 1;
  }
  return most;
}
