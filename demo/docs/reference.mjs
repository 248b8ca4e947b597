import { readFileSync } from 'node:fs';
import { elementsOf } from '../../elements/manifest/analyze.mjs';
import { escapeHtml } from './code-block.mjs';

/**
 * The parts of the documentation that are read off the code: the elements, and the tables of the protocol.
 *
 * @typedef {import('../../elements/manifest/manifest-types.js').Manifest} Manifest
 * @typedef {import('../../elements/manifest/manifest-types.js').Declaration} Declaration
 */

/** Text of a comment as HTML: paragraphs, with code in backquotes. @param {string | undefined} text */
function prose(text = '') {
  return text.split(/\n\s*\n/).map((paragraph) => `<p>${inline(paragraph)}</p>`).join('\n');
}

/** @param {string | undefined} text */
function inline(text = '') {
  return escapeHtml(text.replace(/\s+/g, ' ')).replace(/`([^`]+)`/g, '<code>$1</code>');
}

/** @param {string} caption @param {readonly string[]} heads @param {readonly (readonly string[])[]} rows */
function table(caption, heads, rows) {
  if (rows.length === 0) return '';
  const head = heads.map((text) => `<th scope="col">${text}</th>`).join('');
  const body = rows.map(([first, ...rest]) => (
    `<tr><th scope="row">${first}</th>${rest.map((cell) => `<td>${cell}</td>`).join('')}</tr>`));
  const region = `<div class="scroll" tabindex="0" role="group" aria-label="${escapeHtml(caption)}">`;
  return `${region}<table><caption>${escapeHtml(caption)}</caption>`
    + `<thead><tr>${head}</tr></thead><tbody>${body.join('\n')}</tbody></table></div>`;
}

/** @param {string} text */
const code = (text) => `<code>${escapeHtml(text)}</code>`;

/** Every element with all that it takes. @param {Manifest} manifest */
export function elementReference(manifest) {
  return elementsOf(manifest).map((element) => elementSection(element)).join('\n');
}

/** @param {Declaration} element */
function elementSection(element) {
  const { tagName, description, attributes = [], members = [] } = element;
  const { events = [], slots = [], cssParts = [], cssProperties = [] } = element;
  const own = members.filter((member) => member.inheritedFrom === undefined && member.attribute === undefined);
  const properties = own.filter((member) => member.kind === 'field');
  const described = (/** @type {readonly { name: string, description?: string | undefined }[]} */ list) => (
    list.map(({ name, description: text }) => [code(name || '(default)'), inline(text)]));
  return [
    `<h2 id="${tagName}"><code>&lt;${tagName}&gt;</code></h2>`,
    prose(description),
    table(`Attributes of <${tagName}>`, ['Attribute', 'Values', 'Meaning'], attributes.map((attribute) => (
      [code(attribute.name), values(attribute.type?.text), inline(attribute.description)]))),
    table(`Properties of <${tagName}>`, ['Property', 'Type', 'Meaning'], properties.map((property) => (
      [code(property.name), code(property.type?.text ?? ''), inline(property.description)]))),
    table(`Events of <${tagName}>`, ['Event', 'Class', 'Meaning'], events.map((event) => (
      [code(event.name), code(event.type.text), inline(event.description)]))),
    table(`Slots of <${tagName}>`, ['Slot', 'Holds'], described(slots)),
    table(`Parts of <${tagName}>`, ['Part', 'Is'], described(cssParts)),
    table(`CSS properties of <${tagName}>`, ['Property', 'Sets'], described(cssProperties)),
  ].filter(Boolean).join('\n');
}

/** @param {string | undefined} type */
function values(type = 'string') {
  if (type === 'string') return 'text';
  if (type === 'boolean') return 'there or not';
  return type.split('|').map((value) => code(value.replace(/^'|'$/g, ''))).join(' ');
}

/**
 * The constants of a module with the comments above them. A comment stands for all constants up to the next one.
 *
 * @param {string} file
 * @returns {{ name: string, text: string }[]}
 */
export function commentedConstants(file) {
  const source = readFileSync(file, 'utf8');
  let text = '';
  const found = [];
  for (const [, comment, name] of source.matchAll(/\/\*\*([\s\S]*?)\*\/|^export const (\w+) =/gm)) {
    if (comment !== undefined) text = comment.replace(/^\s*\* ?/gm, '').trim();
    else if (name !== undefined) found.push({ name, text });
  }
  return found;
}

/** What each of the specification's codes means, which the code has no comments for. */
const STANDARD = {
  ACTION_NOT_FOUND: 'The surface is there and has no such action. The message lists those that it has.',
  VALIDATION_ERROR: 'The parameters do not fit the input; `details.errors` has each place. Or the form refused them.',
  PRECONDITION_FAILED: 'The action is not available now. The message says why.',
  ACTION_DENIED: 'The user said no, has switched it off, or has stopped the agent.',
  EXECUTION_ERROR: 'The handler threw, or nobody answered the event. The message is the error\'s.',
  TIMEOUT: 'It took longer than its deadline. With `details.ran: false` it never started.',
  SURFACE_UNAVAILABLE: 'No such surface is there now. `details.ran` says whether the handler may have run.',
  INTERNAL_ERROR: 'Something failed in the runtime or in the hub.',
};

/** @param {string} root @param {{ readonly [name: string]: unknown }} codes the module of error codes */
export function errorReference(root, codes) {
  const rows = commentedConstants(`${root}/src/protocol/error-codes.ts`).map(({ name, text }) => {
    const standard = STANDARD[/** @type {keyof typeof STANDARD} */ (name)];
    const origin = standard === undefined ? 'this project' : 'the specification';
    return [code(String(codes[name])), origin, inline(standard ?? text)];
  });
  return table('Error codes of results', ['Code', 'Of', 'Means'], rows);
}

/** @param {string} root @param {{ readonly [name: string]: unknown }} codes the module of warning codes */
export function warningReference(root, codes) {
  const rows = commentedConstants(`${root}/src/protocol/warning-codes.ts`)
    .map(({ name, text }) => [String(codes[name]), text])
    .sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
  return table('Warnings in the console', ['Code', 'Means'], rows.map(([id = '', text]) => [code(id), inline(text)]));
}

/** @param {string} root @param {{ readonly [name: string]: unknown }} limits the module of limits */
export function limitReference(root, limits) {
  const rows = commentedConstants(`${root}/src/protocol/limits.ts`).map(({ name, text }) => (
    [code(name), inline(amount(name, limits[name])), inline(text)]));
  return table('Limits', ['Name', 'Value', 'Why'], rows);
}

/** @param {string} name @param {unknown} value */
function amount(name, value) {
  if (typeof value !== 'number') return JSON.stringify(value)?.replaceAll(',', ', ') ?? '';
  if (/Ms$/.test(name)) {
    if (value >= 60_000 && value % 60_000 === 0) return `${value / 60_000} min`;
    return value >= 1_000 ? `${value / 1_000} s` : `${value} ms`;
  }
  if (/Bytes$/.test(name) && value % 1024 === 0) {
    return value >= 1024 * 1024 ? `${value / 1024 / 1024} MiB` : `${value / 1024} KiB`;
  }
  return value.toLocaleString('en');
}
