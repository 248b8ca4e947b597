import { sortedJson } from '../rules/surfaces-hash.js';
import type { TestAgent } from './test-agent.js';

/** What a matcher says: the same in vitest, Jest and Playwright. */
export interface Verdict {
  readonly pass: boolean;
  message(): string;
}

/** The matchers, as a test's author calls them. `R` is what `expect` gives back. */
export interface OuiMatchers<R = unknown> {
  /** A result that is a success; with `data`, one with just these, equal as JSON or said yes to by the function. */
  toSucceed(data?: unknown): R;
  /** A result that is a failure with this error code, and a message that has this text or fits this pattern. */
  toFailWith(code: string, message?: string | RegExp): R;
  /** An agent that holds this observation; with a value, just this one, equal as JSON or said yes to. */
  toHaveObservation(surfaceId: string, observationId: string, value?: unknown): R;
  /** An agent that can call this tool now: `todo-app__add_todo`. */
  toOffer(tool: string): R;
}

interface Result {
  readonly success: boolean;
  readonly data?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
}

const shown = (value: unknown): string => (value === undefined ? 'nothing' : (JSON.stringify(value) ?? typeof value));

function fits(value: unknown, expected: unknown): boolean {
  if (typeof expected === 'function') return Boolean((expected as (value: unknown) => unknown)(value));
  return value !== undefined && sortedJson(value) === sortedJson(expected);
}

/** Takes a result, or what `call` of an agent runtime gives, which holds one. */
function resultOf(received: unknown, matcher: string): Result {
  const { result = received } = (received ?? {}) as { readonly result?: unknown };
  if (typeof (result as Result | undefined)?.success === 'boolean') return result as Result;
  throw new TypeError(`${matcher} is for the result of a call; it got ${shown(received)}. Has the call been awaited?`);
}

function agentOf(received: unknown, matcher: string): TestAgent {
  const agent = received as TestAgent | undefined;
  if (typeof agent?.observation === 'function' && typeof agent.tools === 'function') return agent;
  throw new TypeError(`${matcher} is for an agent; it got ${shown(received)}.`);
}

const told = ({ success, data, error }: Result): string =>
  success ? `It succeeded with ${shown(data)}.` : `It failed with ${error?.code}: ${error?.message}`;

/** For `expect.extend` of vitest, Jest or Playwright. `oui-elements/testing/vitest` does so by itself. */
export const ouiMatchers = {
  toSucceed(received: unknown, ...wanted: readonly unknown[]): Verdict {
    const result = resultOf(received, 'toSucceed');
    const pass = result.success && (wanted.length === 0 || fits(result.data, wanted[0]));
    const what = wanted.length === 0 || typeof wanted[0] === 'function' ? '' : ` with ${shown(wanted[0])}`;
    return { pass, message: () => `The call was ${pass ? 'not ' : ''}expected to succeed${what}. ${told(result)}` };
  },
  toFailWith(received: unknown, code: string, message?: string | RegExp): Verdict {
    const result = resultOf(received, 'toFailWith');
    const text = result.error?.message ?? '';
    const said = typeof message === 'string' ? text.includes(message) : (message?.test(text) ?? true);
    const pass = !result.success && result.error?.code === code && said;
    const what = message === undefined ? code : `${code} and ${String(message)}`;
    return { pass, message: () => `The call was ${pass ? 'not ' : ''}expected to fail with ${what}. ${told(result)}` };
  },
  toHaveObservation(received: unknown, surfaceId: string, id: string, ...wanted: readonly unknown[]): Verdict {
    const value = agentOf(received, 'toHaveObservation').observation(surfaceId, id);
    const pass = wanted.length === 0 ? value !== undefined : fits(value, wanted[0]);
    const what = wanted.length === 0 || typeof wanted[0] === 'function' ? '' : ` as ${shown(wanted[0])}`;
    const expected = `The agent was ${pass ? 'not ' : ''}expected to have ${surfaceId}/${id}${what}.`;
    return { pass, message: () => `${expected} It has ${shown(value)}.` };
  },
  toOffer(received: unknown, tool: string): Verdict {
    const names = agentOf(received, 'toOffer').tools().map(({ name }) => name);
    const pass = names.includes(tool);
    const expected = `The page was ${pass ? 'not ' : ''}expected to offer ${tool}.`;
    return { pass, message: () => `${expected} It offers ${names.join(', ') || 'nothing'}.` };
  },
};
