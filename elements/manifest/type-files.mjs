import { elementsOf, moduleOf } from './analyze.mjs';
import { FRAMEWORK_TYPES } from './framework-types.mjs';

/**
 * @typedef {import('./manifest-types.js').Manifest} Manifest
 * @typedef {import('./manifest-types.js').Declaration} Declaration
 * @typedef {import('./manifest-types.js').Member} Member
 */

/** The type files of `dist/types`, by name, each beside an empty module. @param {Manifest} manifest */
export function typeFiles(manifest) {
  const files = { 'index.d.ts': elementTypes(manifest), ...FRAMEWORK_TYPES };
  const names = Object.keys(files).map((name) => name.replace('.d.ts', '.js'));
  // What is imported for its types must be there for bundlers too.
  return { ...files, ...Object.fromEntries(names.map((name) => [name, 'export {};\n'])) };
}

/** @param {Manifest} manifest @returns {string} */
function elementTypes(manifest) {
  const elements = elementsOf(manifest);
  const events = elements.flatMap((element) => element.events?.map(({ type }) => type.text) ?? []);
  const imports = [...elements.map(({ name }) => name), ...new Set(events)].map((name) => {
    const path = moduleOf(manifest, name);
    if (path === undefined) throw new Error(`No module of the elements exports ${name}, which an @fires names.`);
    return `import type { ${name} } from '${path.replace(/^dist/, '..')}';`;
  });
  return [
    '// Made from custom-elements.json.',
    ...imports,
    '',
    '/** The classes of the elements. */',
    ...map('OuiElements', elements, ({ name }) => name, ({ description }) => comment(description, '  ')),
    '/** What can be set on each in markup: attributes, and properties that have none. */',
    ...map('OuiElementProps', elements, (element) => lines(props(element))),
    '/** The properties whose attribute is spelled otherwise. */',
    ...map('OuiElementFields', elements, (element) => lines(fields(element))),
    '/** The events of each. */',
    ...map('OuiElementEvents', elements, ({ events: fired = [] }) => (
      lines(fired.map(({ name, type, description }) => ({ name, type: type.text, description }))))),
    NEUTRAL,
  ].join('\n');
}

/**
 * @param {string} name @param {readonly Declaration[]} elements
 * @param {(element: Declaration) => string} typeOf
 * @param {(element: Declaration) => string} [commentOf]
 * @returns {string[]}
 */
function map(name, elements, typeOf, commentOf = () => '') {
  const members = elements.map((element) => `${commentOf(element)}  '${element.tagName}': ${typeOf(element)};`);
  return [`export interface ${name} {`, ...members, '}', ''];
}

/** @typedef {{ name: string, type: string, description?: string | undefined }} Line */

/** @param {readonly Line[]} members @returns {string} */
function lines(members) {
  const texts = members.map(({ name, type, description }) => (
    `${comment(description, '    ')}    '${name}'?: ${type} | undefined;`));
  return texts.length === 0 ? '{}' : `{\n${texts.join('\n')}\n  }`;
}

/** @param {Declaration} element @returns {Line[]} */
function props(element) {
  const attributes = (element.attributes ?? []).map(({ name, fieldName, description, type }) => ({
    name,
    type: name === fieldName && type?.text === 'string' ? `${element.name}['${name}']` : type?.text ?? 'string',
    description,
  }));
  const rich = settable(element).filter(({ attribute }) => attribute === undefined);
  return [...attributes, ...rich.map((each) => field(element, each))];
}

/** @param {Declaration} element @returns {Line[]} */
function fields(element) {
  return settable(element)
    .filter(({ attribute, name }) => attribute !== undefined && attribute !== name)
    .map((each) => {
      const type = element.attributes?.find(({ name }) => name === each.attribute)?.type?.text ?? 'string';
      return type === 'string' ? field(element, each) : { ...field(element, each), type };
    });
}

/** @param {Declaration} element @returns {Member[]} */
function settable({ members = [] }) {
  return members.filter((member) => member.kind === 'field' && member.static !== true && member.readonly !== true);
}

/** @param {Declaration} element @param {Member} member @returns {Line} */
function field(element, { name, description }) {
  return { name, type: `${element.name}['${name}']`, description };
}

/** @param {string | undefined} text @param {string} indent */
function comment(text, indent) {
  if (text === undefined) return '';
  const rows = text.replaceAll('*/', '*\\/').split('\n').map((row) => `${indent} * ${row}`.trimEnd());
  return `${indent}/**\n${rows.join('\n')}\n${indent} */\n`;
}

const NEUTRAL = `/** What any element may have. Of a framework's own: \`children\`, \`key\`, \`ref\`. */
export interface OuiGlobalAttributes {
  id?: string | undefined;
  class?: unknown;
  style?: unknown;
  slot?: string | undefined;
  part?: string | undefined;
  title?: string | undefined;
  lang?: string | undefined;
  dir?: string | undefined;
  role?: string | undefined;
  hidden?: boolean | undefined;
  tabindex?: number | string | undefined;
  children?: unknown;
  key?: unknown;
  ref?: unknown;
  [data: \`data-\${string}\`]: unknown;
  [aria: \`aria-\${string}\`]: unknown;
}

/** Listeners of an element's events: \`onoui-action\` and \`on:oui-action\`. */
export type OuiListeners<Tag extends keyof OuiElements> = {
  [Name in keyof OuiElementEvents[Tag] & string as \`on\${Name}\` | \`on:\${Name}\`]?:
    ((event: NonNullable<OuiElementEvents[Tag][Name]>) => void) | undefined;
};

/** For JSX of any kind: extend its \`JSX.IntrinsicElements\` by this. */
export type OuiIntrinsicElements = {
  [Tag in keyof OuiElements]: OuiGlobalAttributes & OuiElementProps[Tag] & OuiListeners<Tag>;
};

/**
 * The same for templates that set a boolean attribute to the text "false", as Vue and Svelte do: these are spelled as
 * properties (\`singleFlight\`) wherever they may be false.
 */
export type OuiTemplateProps<Tag extends keyof OuiElements> = OuiElementFields[Tag] & {
  [Name in keyof OuiElementProps[Tag]]: Name extends \`\${string}-\${string}\`
    ? boolean extends OuiElementProps[Tag][Name] ? true | '' | null | undefined : OuiElementProps[Tag][Name]
    : OuiElementProps[Tag][Name];
};
`;
