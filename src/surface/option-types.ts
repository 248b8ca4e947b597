import type { SurfaceRuntimeOptions } from './runtime-options.js';

type Kind = 'text' | 'flag' | 'function' | 'object';

interface Option {
  readonly kinds: readonly Kind[];
  /** The option as an author would write it. */
  readonly such: string;
}

/** What each option is. Numbers and choices are checked where they are read (`runtime-options.ts`). */
const OPTIONS: { readonly [name in keyof SurfaceRuntimeOptions]: Option } = {
  url: { kinds: ['text'], such: "'wss://agent.example/oui/v1'" },
  insecureUrl: { kinds: ['flag'], such: 'true' },
  token: { kinds: ['function'], such: '() => fetchToken()' },
  socket: { kinds: ['object'], such: 'io()' },
  transport: { kinds: ['object'], such: "{ namespace: 'oui' }" },
  accept: { kinds: ['function'], such: '(request) => true' },
  approve: { kinds: ['function'], such: '(request) => ask(request)' },
  onExtension: { kinds: ['function'], such: '(type, payload) => {}' },
  settle: { kinds: ['object'], such: '{ quietMs: 250 }' },
  rateLimit: { kinds: ['object'], such: '{ perSecond: 50, burst: 100 }' },
  budgets: { kinds: ['object'], such: '{ resultBytes: 480 * 1024 }' },
  worker: { kinds: ['flag', 'text', 'object'], such: "'/oui.worker.js'" },
  attachments: { kinds: ['object'], such: '{ resolve: (id) => openFile(id) }' },
  advice: { kinds: ['flag'], such: 'false' },
  software: { kinds: ['text'], such: "'todo-app/1.0.0'" },
};

const SAID: { readonly [kind in Kind]: string } = {
  text: 'a text', flag: 'true or false', function: 'a function', object: 'an object',
};

const IS: { readonly [kind in Kind]: (value: unknown) => boolean } = {
  text: (value) => typeof value === 'string',
  flag: (value) => typeof value === 'boolean',
  function: (value) => typeof value === 'function',
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
};

/**
 * Checks that options are of the types they have, for pages without a compiler: an address that a page does not find is
 * `null`, and would fail somewhere inside.
 *
 * @throws {TypeError} naming the option, what it is, and what it must be.
 */
export function checkOptionTypes(options: SurfaceRuntimeOptions): void {
  if (!IS.object(options)) throw new TypeError(`The options of a runtime are ${shown(options)}; they must be an object.`);
  for (const [name, { kinds, such }] of Object.entries(OPTIONS)) {
    const value = options[name as keyof SurfaceRuntimeOptions];
    if (value === undefined || kinds.some((kind) => IS[kind](value))) continue;
    const wanted = kinds.map((kind) => SAID[kind]).join(', ');
    throw new TypeError(`Option ${name} is ${shown(value)}; it must be ${wanted}, such as ${such}.`
      + (value === null ? ' Leave it out, or give undefined, where there is none.' : ''));
  }
}

function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return String(value);
  return Array.isArray(value) ? 'a list' : 'an object';
}
