import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { z } from 'zod';
import { createSurfaceRuntime, defineSurface } from '../../src/entries/core.js';
import type { JSONSchema } from '../../src/entries/spec.js';

/** Compiled, never run: what a definition says to the compiler. No `as const`, no casts. */

const about = { name: 'Todos', description: 'Create and complete tasks.' };

interface Page {
  readonly names: readonly string[];
  readonly sizes: ('small' | 'large')[];
}

/** Compiles when both types are the same. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
const same = <A, B>(..._proof: Same<A, B> extends true ? [] : ['these types differ']): void => {};

export const todos = defineSurface({
  id: 'todos',
  ...about,
  actions: [
    {
      id: 'add_todo',
      description: 'Adds a todo.',
      effect: 'edit',
      input: {
        type: 'object',
        properties: {
          title: { type: 'string', maxLength: 80 },
          rank: { type: 'integer' },
          kind: { type: 'string', enum: ['task', 'note'] },
          done: { type: 'boolean', default: false },
          tags: { type: 'array', items: { type: 'string' } },
          at: { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] },
          either: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        },
        required: ['title'],
      },
      output: { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] },
      handler: (params, _page: Page, { signal }) => {
        same<typeof params.title, string>();
        same<typeof params.rank, number | undefined>();
        same<typeof params.kind, 'task' | 'note' | undefined>();
        // A declared default is filled in.
        same<typeof params.done, boolean>();
        same<typeof params.tags, string[] | undefined>();
        same<NonNullable<typeof params.at>['x'], number>();
        same<typeof params.either, string | null | undefined>();
        // @ts-expect-error a number is no text
        const wrong: string = params.rank;
        // @ts-expect-error a name that the schema does not have
        void params.titel;
        return signal.aborted || wrong ? { success: true, data: { count: 1 } } : { count: 2 };
      },
    },
    {
      id: 'rename',
      description: 'Renames one.',
      input: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      handler: async ({ name }, page: Page) => page.names.includes(name),
    },
  ],
  observations: [
    { id: 'open_count', description: 'How many are open.', schema: { type: 'integer' } },
    { id: 'titles', description: 'All of them.', schema: { type: 'array', items: { type: 'string' } } },
  ],
});
same<(typeof todos)['id'], 'todos'>();

const runtime = createSurfaceRuntime();
const mounted = runtime.mount(todos, () => ({ names: [], sizes: [] }));
mounted.pushObservation('open_count', 3);
mounted.pushObservation('titles', ['Milk']);
mounted.pushObservation('titles', null);
// @ts-expect-error a text is no integer
mounted.pushObservation('open_count', '3');
// @ts-expect-error no such observation
mounted.pushObservation('open_counts', 3);

const input = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } as const;
const base = { id: 'do_it', description: 'Does it.' };

defineSurface({
  id: 'outputs',
  ...about,
  actions: [
    { ...base, input, output: { type: 'string' }, handler: ({ n }) => String(n) },
    { ...base, input, output: { type: 'string' }, handler: async ({ n }) => ({ success: true, data: String(n) }) },
    { ...base, input, output: { type: 'string' }, handler: () => ({ success: false, error: { code: 'app:no', message: 'No.' } }) },
    // A job's handler returns what the job is known by.
    { ...base, input, output: { type: 'string' }, polling: { intervalMs: 5, resolve: () => ({ done: true }) }, handler: () => ({ job: 1 }) },
    // @ts-expect-error the output is a text
    { ...base, input, output: { type: 'string' }, handler: ({ n }) => n },
    // @ts-expect-error in an envelope too
    { ...base, input, output: { type: 'string' }, handler: async ({ n }) => ({ success: true, data: n }) },
  ],
});

defineSurface({
  id: 'mistakes',
  ...about,
  actions: [
    // @ts-expect-error no handler
    { ...base, input },
    // @ts-expect-error no description
    { id: 'do_it', input, handler: () => 1 },
    // @ts-expect-error a member that there is not
    { ...base, input, handler: () => 1, confrim: true },
    // @ts-expect-error an effect that there is not
    { ...base, input, effect: 'write', handler: () => 1 },
    // @ts-expect-error params are not what the schema says
    { ...base, input, handler: ({ n }: { n: string }) => n },
  ],
});

/** With the context said beforehand, and with nothing but it. */
export const said = defineSurface<Page>()({
  id: 'said',
  ...about,
  actions: [
    {
      ...base,
      enabled: ({ names }) => names.length > 0 || 'there are no names',
      input: {
        type: 'object',
        properties: {
          name: { type: 'string', enum: (page: Page) => page.names },
          size: { enum: (page: Page) => page.sizes },
        },
        required: ['name', 'size'],
      },
      handler: ({ name, size }, { sizes }) => {
        same<typeof name, string>();
        same<typeof size, 'small' | 'large'>();
        return sizes.indexOf(size);
      },
    },
  ],
});
same<(typeof said)['id'], 'said'>();
export const named = defineSurface<Page>({
  id: 'named',
  ...about,
  actions: [
    { ...base, input, handler: (params, { names }) => [params['n'] as number, names] },
    { ...base, input, handler: ({ n }: { n: number }, { sizes }) => sizes[n] },
    // @ts-expect-error params are not inferred beside a context that is named
    { ...base, input, handler: (params) => params.n + 1 },
  ],
});
// @ts-expect-error handlers need their context
runtime.mount(said);
// @ts-expect-error it lacks a member
runtime.mount(said, () => ({ names: [] }));

/** A context that a handler names. */
export const inferred = defineSurface({
  id: 'inferred',
  ...about,
  actions: [{ ...base, input, handler: ({ n }, page: Page) => page.sizes[n] }],
});
// @ts-expect-error it lacks a member
runtime.mount(inferred, () => ({ names: [] }));

defineSurface({
  id: 'libraries',
  ...about,
  actions: [
    {
      ...base,
      input: z.object({ n: z.number(), size: z.string().transform((size) => size.length), unit: z.string().default('px') }),
      output: z.object({ sum: z.number() }),
      handler: ({ n, size, unit }) => {
        same<typeof unit, string>();
        return { sum: n + size };
      },
    },
    { ...base, input: toStandardJsonSchema(v.object({ n: v.number() })), handler: ({ n }) => n + 1 },
    { ...base, input: type({ n: 'number', 's?': 'string' }), handler: ({ n, s }) => [n + 1, s?.length] },
    // @ts-expect-error the output has a number
    { ...base, input: z.object({}), output: z.object({ sum: z.number() }), handler: () => ({ sum: 'x' }) },
    // @ts-expect-error a valibot schema alone has no JSON Schema
    { ...base, input: v.object({ n: v.number() }), handler: () => 1 },
  ],
  observations: [{ id: 'names', description: 'All names.', schema: z.array(z.string()) }],
});

declare const known: JSONSchema;
export const later = defineSurface({
  id: 'later',
  ...about,
  actions: [
    // Known at run time only: members are unknown until the handler says what it expects.
    { ...base, input: known, handler: (params) => String(params['x']) },
    { ...base, input: known, handler: ({ x }: { x: string }) => x.length },
    // @ts-expect-error unknown is no number
    { ...base, input: known, handler: (params) => params['x'] + 1 },
  ],
});
