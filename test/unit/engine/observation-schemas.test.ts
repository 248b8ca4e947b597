import { describe, expect, it, vi } from 'vitest';
import type { EngineConfig } from '../../../src/protocol/engine-config.js';
import type { JSONSchema } from '../../../src/protocol/json.js';
import * as LIMITS from '../../../src/protocol/limits.js';
import { createInterpretedValidator } from '../../../src/validation/interpreted.js';
import { EngineBench, surface } from './engine-bench.js';

type Mode = EngineConfig['observationSchemas'];

const LIST = { type: 'array', items: { type: 'object', required: ['id'] } };

function open(mode: Mode, schema: JSONSchema = LIST) {
  // How often a value is looked at is what a sample is about.
  const checked = vi.fn();
  const interpreted = createInterpretedValidator();
  const bench = new EngineBench({ observationSchemas: mode }, {
    compile: (each) => {
      const fits = interpreted.compile(each);
      return (value) => {
        checked(value);
        return fits(value);
      };
    },
  });
  const manifest = (of: JSONSchema) => ({
    ...surface(),
    observations: [
      { id: 'todo_list', description: 'The list', schema: of },
      { id: 'weight', description: 'Read when asked', schema: { type: 'number' }, updateFrequency: 'polling' as const },
    ],
  });
  bench.mount(manifest(schema));
  bench.connect();
  return {
    bench,
    checked,
    observe: (value: unknown, version?: number) => bench.give({
      kind: 'observe', mountId: 1, observationId: 'todo_list', value: JSON.stringify(value), ...(version && { version }),
    }),
    redefine: (of: JSONSchema) => bench.give({ kind: 'define', mountId: 1, surface: manifest(of) }),
    sent: () => bench.frames('observation:update').map(({ payload }) => (payload as { value: unknown }).value),
    warnings: () => bench.of('warn').map(({ message }) => message),
  };
}

const NAME = 'Observation "todo_list" of surface "todo-app" has a value that does not fit its schema';

describe('observationSchemas: warn', () => {
  it('sends what does not fit, and says where', () => {
    const { observe, sent, bench } = open('warn');
    observe([{ id: 1 }, { name: 'x' }]);
    expect(sent()).toEqual([[{ id: 1 }, { name: 'x' }]]);
    expect(bench.of('warn')).toMatchObject([{ code: 'OUI1601', key: 'Observation "todo_list" of surface "todo-app"' }]);
    expect(bench.of('warn')[0]?.message).toMatch(new RegExp(`^${NAME}: /1/id.*; it was sent as it is\\.$`));
  });

  it('looks at the first value, then at one in five seconds', () => {
    const { observe, checked, bench } = open('warn');
    for (let index = 0; index < 120; index++) {
      observe([{ id: index }]);
      bench.pass(100);
    }
    expect(checked.mock.calls.map(([value]) => (value as { id: number }[])[0]?.id)).toEqual([0, 50, 100]);
  });

  it('looks at larger values only when they are the first, and never at huge ones', () => {
    const { observe, checked, bench } = open('warn');
    const sized = (units: number) => [{ id: 'x'.repeat(units) }];
    observe(sized(100_000));
    bench.pass(LIMITS.observationCheckMs);
    observe(sized(100_001));
    observe(sized(10));
    expect(checked).toHaveBeenCalledTimes(2);
    const huge = open('warn');
    huge.observe(sized(LIMITS.firstObservationCheckLength));
    expect(huge.checked).not.toHaveBeenCalled();
    expect(huge.sent()).toHaveLength(1);
  });

  it('does not try patterns, which may take for ever', () => {
    const text = { type: 'string', pattern: '^(a+)+$', maxLength: 30 };
    const { observe, warnings, sent } = open('warn', { type: 'object', properties: { pattern: text } });
    observe({ pattern: `${'a'.repeat(29)}!` });
    expect(sent()).toHaveLength(1);
    expect(warnings()).toEqual([]);
    const named = open('warn', { type: 'object', properties: { a: text }, patternProperties: { '^x-': {} }, additionalProperties: false });
    named.observe({ 'x-1': 1 });
    named.observe({ a: 5 });
    expect(named.warnings()).toEqual([]);
    const long = open('warn', { type: 'object', properties: { pattern: text } });
    long.observe({ pattern: 'a'.repeat(31) });
    expect(long.warnings()[0]).toMatch(/\/pattern/);
  });

  it('says once that a schema is broken, and sends', () => {
    const { observe, warnings, sent } = open('warn', { type: 'array', items: { $ref: '#/nowhere' } });
    observe([1]);
    observe([2]);
    expect(sent()).toEqual([[1], [2]]);
    expect(warnings()).toHaveLength(1);
    expect(warnings()[0]).toMatch(/the schema is broken/);
  });

  it('takes null for a value that there is not', () => {
    const { observe, warnings, checked } = open('warn');
    observe(null);
    expect(checked).not.toHaveBeenCalled();
    observe(5);
    expect(warnings()).toHaveLength(1);
  });
});

describe('observationSchemas: enforce', () => {
  it('sends null instead of what does not fit, and says each place once', () => {
    const { observe, sent, bench } = open('enforce');
    observe([{ id: 1 }], 1);
    observe([{ name: 'x' }], 2);
    observe('no list', 3);
    observe([{ id: 2 }], 4);
    expect(sent()).toEqual([[{ id: 1 }], null, [{ id: 2 }]]);
    expect(bench.of('checked').map(({ version, fits }) => [version, fits])).toEqual([
      [1, true], [2, false], [3, false], [4, true],
    ]);
    const warnings = bench.of('warn');
    expect(warnings.map(({ message }) => message)).toEqual([
      expect.stringMatching(new RegExp(`^${NAME}: /0/id.*; null was sent instead\\.$`)) as unknown,
      expect.stringMatching(new RegExp(`^${NAME}: .*array.*; null was sent instead\\.$`)) as unknown,
    ]);
    expect(new Set(warnings.map(({ key }) => key)).size).toBe(2);
  });

  it('checks every value, whatever its size and its patterns', () => {
    const { observe, checked, sent } = open('enforce', { type: 'string', pattern: '^a' });
    for (const value of ['a', 'b', `a${'x'.repeat(300_000)}`]) observe(value);
    expect(checked).toHaveBeenCalledTimes(3);
    expect(sent().slice(0, 2)).toEqual(['a', null]);
  });

  it('holds in results, in what is asked for, and for what is read', () => {
    const { bench, observe } = open('enforce');
    observe([{ name: 'x' }]);
    const id = bench.request('list_todos');
    bench.finish(id);
    expect(bench.result(id).observations).toEqual({ 'todo-app': { todo_list: null } });
    bench.receive('observation:request', { surfaceId: 'todo-app', observationId: 'weight', requestId: 'p1', timestamp: 1 });
    bench.give({ kind: 'observed', mountId: 1, observationId: 'weight', value: '"heavy"' });
    expect(bench.frames('observation:update').at(-1)?.payload).toMatchObject({ observationId: 'weight', value: null });
    const read = bench.request('read', { surface: 'todo-app', observation: 'weight' }, { surfaceId: 'oui' });
    bench.give({ kind: 'observed', mountId: 1, observationId: 'weight', value: '"heavy"', requestId: read });
    expect(bench.result(read).data).toEqual({ value: null });
  });

  it('sends null where the schema is broken', () => {
    const { observe, sent } = open('enforce', { $ref: '#/nowhere' });
    observe(1);
    expect(sent()).toEqual([null]);
  });

  it('follows a schema that changes', () => {
    const { observe, redefine, sent } = open('enforce');
    observe('a');
    redefine({ type: 'string' });
    observe('a');
    expect(sent()).toEqual([null, 'a']);
  });
});

describe('observationSchemas: off', () => {
  it('looks at nothing', () => {
    const { observe, checked, sent, warnings } = open('off');
    observe('no list');
    expect(checked).not.toHaveBeenCalled();
    expect(sent()).toEqual(['no list']);
    expect(warnings()).toEqual([]);
  });
});

it('values without a schema to speak of are not looked at', () => {
  for (const schema of [true, {}]) {
    const { observe, checked } = open('enforce', schema);
    observe(5);
    expect(checked).not.toHaveBeenCalled();
  }
  const { observe, sent } = open('enforce', false);
  observe(5);
  expect(sent()).toEqual([null]);
});
