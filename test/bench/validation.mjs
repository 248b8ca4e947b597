/**
 * `node test/bench/validation.mjs`: one call's params against their schema, interpreted and compiled, for params of a
 * usual size and of ten times as many rows. Needs the build.
 */
import { pathToFileURL } from 'node:url';
import { compileTest } from '../../dist/src/validation/compile-test.js';
import { createCompiledValidator } from '../../dist/src/validation/compiled.js';
import { createInterpretedValidator } from '../../dist/src/validation/interpreted.js';
import { fastestOf } from './statistics.mjs';

const SCHEMA = {
  type: 'object',
  properties: {
    title: { type: 'string', minLength: 1, maxLength: 200, pattern: '^\\S.*$' },
    due: { type: 'string', format: 'date' },
    priority: { enum: ['low', 'medium', 'high'] },
    rows: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          id: { type: 'integer', minimum: 0 },
          name: { type: 'string' },
          shape: { oneOf: [{ $ref: '#/$defs/circle' }, { $ref: '#/$defs/box' }] },
        },
        required: ['id', 'shape'],
        additionalProperties: false,
      },
    },
  },
  required: ['title'],
  additionalProperties: false,
  $defs: {
    circle: { type: 'object', properties: { kind: { const: 'circle' }, r: { type: 'number' } }, required: ['kind', 'r'] },
    box: { type: 'object', properties: { kind: { const: 'box' }, w: { type: 'number' } }, required: ['kind', 'w'] },
  },
};

/** @param {number} rows */
const params = (rows) => ({
  title: 'Monthly report',
  due: '2026-11-30',
  priority: 'high',
  rows: Array.from({ length: rows }, (_, id) => ({
    id, name: `Row ${id}`, shape: id % 2 === 0 ? { kind: 'circle', r: id } : { kind: 'box', w: id },
  })),
});

export async function validationTable() {
  const compiler = Promise.resolve({ compileTest });
  const compiled = createCompiledValidator({ load: () => compiler });
  await compiler;
  const validators = { interpreted: createInterpretedValidator(), compiled };
  return Object.entries(validators).map(([validator, { compile }]) => {
    const first = fastestOf(() => compile(SCHEMA)(params(1)), 5);
    const check = compile(SCHEMA);
    /** Microseconds for one. @param {unknown} value @param {number} times @param {boolean} fits */
    const time = (value, times, fits) => {
      if ((check(value).length === 0) !== fits) throw new Error(`${validator} is wrong`);
      const run = () => {
        for (let round = 0; round < times; round++) check(value);
      };
      return (fastestOf(run) / times) * 1_000;
    };
    const small = time(params(10), 1_000, true);
    const large = time(params(100), 200, true);
    const wrong = time({ ...params(10), due: 'tomorrow', colour: 1 }, 100, false);
    return {
      validator,
      'schema ms': first.toFixed(2),
      '10 rows µs': small.toFixed(1),
      '100 rows µs': large.toFixed(1),
      'growth over × 10': (large / small).toFixed(1),
      'refused µs': wrong.toFixed(1),
    };
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.table(await validationTable());
