import type { SurfaceRuntimeOptions } from './runtime-options.js';

/** Options by what they are. Numbers and choices are checked where they are read (`runtime-options.ts`). */
const OPTIONS: { readonly [kind: string]: readonly (keyof SurfaceRuntimeOptions)[] } = {
  string: ['url', 'software'],
  boolean: ['insecureUrl', 'advice'],
  function: ['token', 'accept', 'approve', 'onExtension'],
  object: ['socket', 'transport', 'settle', 'rateLimit', 'budgets', 'attachments'],
  'boolean, string or URL': ['worker'],
};

/**
 * Checks that options are of the types they have, for pages without a compiler: an address that a page does not find is
 * `null`, and would fail somewhere inside.
 *
 * @throws {TypeError} naming the option, what it is, and what it must be.
 */
export function checkOptionTypes(options: SurfaceRuntimeOptions): void {
  if (kindOf(options) !== 'object') refuse('The runtime\'s options', options, 'object');
  for (const [kinds, names] of Object.entries(OPTIONS)) {
    for (const name of names) {
      const value = options[name];
      const kind = isUrl(value) ? 'URL' : kindOf(value);
      if (kind !== 'undefined' && !kinds.includes(kind)) refuse(`Option ${name}`, value, kinds);
    }
  }
}

function refuse(what: string, value: unknown, kinds: string): never {
  const kind = kindOf(value);
  const shown = kind === 'string' ? JSON.stringify(value) : /boolean|number|null/.test(kind) ? String(value) : `of type ${kind}`;
  throw new TypeError(`${what}: must be of type ${kinds}, and is ${shown}.`
    + (value === null ? ' Where there is none, leave it out or give undefined.' : ''));
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}

/** Of whichever window. */
function isUrl(value: unknown): boolean {
  return Object.prototype.toString.call(value) === '[object URL]';
}
