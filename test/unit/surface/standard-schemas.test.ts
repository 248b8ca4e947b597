import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { defineSurface } from '../../../src/surface/definition/define-surface.js';
import { SURFACE_BRAND } from '../../../src/surface/definition/definition.js';
import type { StandardInput } from '../../../src/surface/definition/definition.js';
import { pass, wholePage } from './whole-page.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const handler = vi.fn((params: unknown): unknown => params);
beforeEach(() => void handler.mockClear());

const surfaceOf = (input: StandardInput, more: object = {}) =>
  defineSurface({
    id: 'shop',
    name: 'Shop',
    description: 'Things to order.',
    actions: [{ id: 'order', description: 'Orders a thing.', effect: 'view', input, handler, ...more }],
  });

async function order(input: StandardInput, params: unknown) {
  const page = await wholePage(surfaceOf(input), () => undefined);
  await page.request('r1', 'order', { params });
  await pass(0);
  return page.results('r1')[0]!;
}

const wire = { type: 'object', properties: { count: { type: 'integer' }, note: { type: 'string' } }, required: ['count'] };

describe('a schema of a library as input', () => {
  it.each<[library: string, schema: StandardInput]>([
    ['zod', z.object({ count: z.int(), note: z.string().optional() })],
    ['valibot', toStandardJsonSchema(v.object({ count: v.pipe(v.number(), v.integer()), note: v.optional(v.string()) }))],
    ['arktype', type({ count: 'number.integer', 'note?': 'string' })],
  ])('goes on the wire as JSON Schema: %s', async (_library, schema) => {
    const { manifest } = surfaceOf(schema)[SURFACE_BRAND];
    expect(manifest.actions[0]?.input).toMatchObject(wire);
    expect(manifest.actions[0]?.input).not.toHaveProperty('$schema');
    expect(await order(schema, { count: 2 })).toMatchObject({ success: true, data: { count: 2 } });
    const { error } = await order(schema, { count: 'two' });
    expect(error).toMatchObject({ code: 'VALIDATION_ERROR', details: { errors: [{ path: '/count', keyword: 'type' }] } });
  });

  it('hands the handler what the library makes of the params', async () => {
    const schema = z.object({ name: z.string().transform((name) => name.length), size: z.string().default('large') });
    await order(schema, { name: 'tea' });
    expect(handler.mock.calls).toEqual([[{ name: 3, size: 'large' }, undefined, expect.anything()]]);
  });

  it('refuses what only the library can judge, with its issues', async () => {
    const range = z.object({ from: z.number(), to: z.number(), list: z.array(z.string().refine((each) => each !== 'x')) });
    const ordered = range.refine(({ from, to }) => from <= to, { path: ['to'], message: 'ends before it begins' });
    const { success, error } = await order(ordered, { from: 2, to: 1, list: [] });
    expect(success).toBe(false);
    expect(error).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining('/to: ends before it begins'),
      details: { ran: false, errors: [{ path: '/to', keyword: 'zod', message: '/to: ends before it begins' }] },
    });
    const inside = await order(ordered, { from: 1, to: 2, list: ['a', 'x'] });
    expect(inside.error?.details).toMatchObject({ errors: [{ path: '/list/1' }] });
    expect(handler).not.toHaveBeenCalled();
  });

  it('waits for a library that takes its time', async () => {
    const known = z.object({ id: z.string().refine(async (id) => Promise.resolve(id === 'a')) });
    expect(await order(known, { id: 'a' })).toMatchObject({ success: true });
    expect(await order(known, { id: 'b' })).toMatchObject({ success: false, error: { code: 'VALIDATION_ERROR' } });
  });

  it('reports a library that throws as the handler\'s failure', async () => {
    const schema = z.object({ id: z.string().transform(() => { throw new Error('Out of order.'); }) });
    expect(await order(schema, { id: 'a' })).toMatchObject({ error: { code: 'EXECUTION_ERROR', message: 'Out of order.' } });
  });

  it('serves outputs and observations too, as what comes out of the library', () => {
    const defined = defineSurface({
      id: 'shop',
      name: 'Shop',
      description: 'Things to order.',
      actions: [{ id: 'order', description: 'Orders.', input: {}, output: z.object({ n: z.number() }), handler: () => ({ n: 1 }) }],
      observations: [{ id: 'cart', description: 'What is in it.', schema: z.array(z.string().default('x')) }],
    });
    const { actions, observations } = defined[SURFACE_BRAND].manifest;
    expect(actions[0]?.output).toMatchObject({ type: 'object', properties: { n: { type: 'number' } } });
    expect(observations?.[0]?.schema).toEqual({ type: 'array', items: { type: 'string', default: 'x' } });
  });

  it.each<[what: string, schema: unknown, message: RegExp]>([
    ['no JSON Schema', v.object({}), /action "order": input is a schema of "valibot" without a JSON Schema.*wrap it/],
    ['nothing that JSON Schema can say', z.object({ at: z.date() }), /input has no form as JSON Schema: "zod" says "Date/],
  ])('is refused when it has %s', (_what, schema, message) => {
    expect(() => surfaceOf(schema as StandardInput)).toThrow(message);
  });
});
