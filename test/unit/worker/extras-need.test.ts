import { describe, expect, it } from 'vitest';
import type { EngineConfig } from '../../../src/protocol/engine-config.js';
import type { EngineInput } from '../../../src/protocol/engine-messages.js';
import type { JSONSchema, JsonText } from '../../../src/protocol/json.js';
import { ExtrasNeed } from '../../../worker/extras-need.js';
import { CONFIG, surface } from '../engine/engine-bench.js';

const configure = (config: Partial<EngineConfig> = {}): EngineInput => ({ kind: 'configure', config: { ...CONFIG, ...config } });
const request = { requestId: 'r', surfaceId: 'todo-app', actionId: 'read', params: {}, timestamp: 1 };
const own = { ...request, surfaceId: 'oui' };

function mountWith(input: JSONSchema): EngineInput {
  const [action, ...others] = surface().actions;
  return { kind: 'mount', mountId: 1, surface: { ...surface(), actions: [{ ...action!, input }, ...others] }, policies: {} };
}

const text = (units: number): JsonText => JSON.stringify('x'.repeat(units - 2));
const observe = (units: number): EngineInput => ({ kind: 'observe', mountId: 1, observationId: 'a', value: text(units) });

describe('what needs the extras of the engine', () => {
  it.each<[string, EngineInput]>([
    ['a pattern', mountWith({ type: 'object', properties: { code: { pattern: '^a' } } })],
    ['a pattern of names', mountWith({ type: 'object', patternProperties: { '^a': true } })],
    ['an attachment', mountWith({ type: 'object', properties: { logo: { type: 'string', format: 'oui-attachment' } } })],
    ['its details alone', mountWith({ type: 'object', properties: { logo: { 'x-oui-attachment': { as: 'file' } } } })],
    ['a request of an agent for the runtime itself', { kind: 'message', message: { type: 'action:request', payload: own } }],
    ['one of the page', { kind: 'execute', request: own, nested: false }],
    ['the index form', configure({ form: 'index' })],
    ['a large value', observe(90_000)],
    ['a large outcome', { kind: 'returned', requestId: 'r', outcome: { success: true, data: text(90_000) } }],
    [
      'a large error',
      {
        kind: 'returned',
        requestId: 'r',
        outcome: { success: false, error: { code: 'a', message: 'b', details: { c: ['x'.repeat(90_000)] } } },
      },
    ],
    ['a large manifest', mountWith({ type: 'object', description: 'x'.repeat(90_000) })],
  ])('is %s', (_what, input) => {
    const need = new ExtrasNeed();
    need.of(configure());
    expect(need.of(input)).toBe(true);
  });

  it.each<[string, EngineInput]>([
    ['a surface without patterns', mountWith({ type: 'object', properties: { title: { type: 'string' } } })],
    ['a request for it', { kind: 'message', message: { type: 'action:request', payload: request } }],
    ['a message of any shape', { kind: 'message', message: null }],
    ['a value', observe(1_000)],
  ])('is not %s', (_what, input) => {
    const need = new ExtrasNeed();
    expect([configure(), input].map((each) => need.of(each))).toEqual([false, false]);
  });

  it('is what comes when so much has come that a frame may not hold it', () => {
    const need = new ExtrasNeed();
    need.of(configure());
    const needed = Array.from({ length: 10 }, () => need.of(observe(10_000)));
    expect(needed.indexOf(true)).toBe(8);
  });

  it('is less where frames are smaller, by the page\'s budgets or by the connection', () => {
    const small = new ExtrasNeed();
    expect(small.of(configure({ budgets: { resultBytes: 40_000, updateBytes: 262_144 } }))).toBe(false);
    expect(small.of(observe(9_000))).toBe(true);
    const narrow = new ExtrasNeed();
    expect([configure(), observe(9_000)].map((each) => narrow.of(each))).toEqual([false, false]);
    expect(narrow.of({ kind: 'connected', frameBytes: 40_000 })).toBe(true);
  });
});
