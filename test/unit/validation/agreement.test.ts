import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { JSONSchema } from '../../../src/protocol/json.js';
import { createInterpretedValidator } from '../../../src/validation/interpreted.js';
import { createLinearValidator } from '../../../src/validation/linear.js';
import { compiledValidator } from './validators.js';

const name = fc.constantFrom('a', 'b', 'c', 'x-y', '__proto__', 'constructor', 'é/~');
const text = fc.constantFrom('', 'a', 'b', 'ab', 'x1', 'é', '😀', '2026-02-29', '2024-02-29', 'a@b.cc', '12:00:00Z');
const number = fc.constantFrom(-1, -0, 0, 0.1, 0.3, 0.5, 1, 1.5, 2, 3, 7, 1e21, 9007199254740992, 1e-7);

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constantFrom(null, true, false),
    text,
    number,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

const type = fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'array', 'object');
const count = fc.integer({ min: 0, max: 3 });
const pattern = fc.constantFrom('^a', 'b$', '^(a+)+$', '^x-', '[0-9]', '^\\S*$', '^.$');
const { schema } = fc.letrec<{ schema: JSONSchema }>((tie) => {
  const some = tie('schema');
  const map = fc.dictionary(name, some, { maxKeys: 3 });
  const list = fc.array(some, { minLength: 1, maxLength: 3 });
  const rules: fc.Arbitrary<object>[] = [
    fc.record({ type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })) }),
    fc.record({ const: value }),
    fc.record({ enum: fc.array(value, { minLength: 1, maxLength: 3 }) }),
    fc.record({ minLength: count, maxLength: count }, { requiredKeys: [] }),
    fc.record({ minimum: number, exclusiveMaximum: number }, { requiredKeys: [] }),
    fc.record({ multipleOf: fc.constantFrom(0.1, 0.01, 0.3, 1, 1.5, 2, 1e-8) }),
    fc.record({ pattern }),
    fc.record({ format: fc.constantFrom('date', 'email', 'time', 'uri', 'url', 'regex', 'no-such') }),
    fc.record({ properties: map, required: fc.uniqueArray(name, { maxLength: 2 }) }, { requiredKeys: ['properties'] }),
    fc.record({ patternProperties: fc.dictionary(pattern, some, { maxKeys: 2 }), additionalProperties: some }),
    fc.record({ properties: map, additionalProperties: fc.boolean() }),
    fc.record({ propertyNames: fc.record({ pattern }), minProperties: count }, { requiredKeys: [] }),
    fc.record({ maxProperties: count }),
    fc.record({ items: some, prefixItems: list, minItems: count }, { requiredKeys: ['items'] }),
    fc.record({ uniqueItems: fc.boolean(), maxItems: count }),
    fc.record({ contains: some, minContains: count, maxContains: count }, { requiredKeys: ['contains'] }),
    fc.record({ dependentRequired: fc.dictionary(name, fc.uniqueArray(name, { maxLength: 2 }), { maxKeys: 2 }) }),
    fc.record({ dependentSchemas: map }),
    fc.record({ allOf: list }),
    fc.record({ anyOf: list }),
    fc.record({ oneOf: list }),
    fc.record({ not: some }),
    fc.record({ if: some, then: some, else: some }, { requiredKeys: ['if'] }),
    fc.record({ properties: map, unevaluatedProperties: fc.boolean() }),
    fc.record({ $ref: fc.constantFrom('#/$defs/a', '#/$defs/b') }),
  ];
  const merged = fc.array(fc.oneof(...rules), { maxLength: 2 }).map((parts): JSONSchema => Object.assign({}, ...parts));
  return { schema: fc.oneof({ maxDepth: 3, depthSize: 'small' }, fc.boolean(), merged, merged, merged) };
});
const whole = fc.record({ schema, a: schema, b: schema }).map(({ schema: main, a, b }): JSONSchema => {
  return typeof main === 'boolean' ? main : { ...main, $defs: { a, b } };
});

it.each([{ not: { enum: [{}] } }, { const: { a: [] } }, { uniqueItems: true }])(
  '%j: an object is what it holds, whatever its prototype',
  async (made) => {
    const { validator: compiled } = await compiledValidator();
    const bare = Object.assign(Object.create(null) as object, { a: [] });
    for (const value of [Object.create(null), bare, [{ a: [] }, bare]]) {
      expect(compiled.compile(made)(value)).toEqual(createInterpretedValidator().compile(made)(value));
    }
  },
);

it('all validators say the same of made-up values and schemas, word for word', async () => {
  const { validator: compiled, tally } = await compiledValidator();
  const interpreted = createInterpretedValidator();
  const linear = createLinearValidator();
  let fitting = 0;
  fc.assert(
    fc.property(whole, fc.array(value, { minLength: 1, maxLength: 5 }), (made, values) => {
      let check;
      try {
        check = interpreted.compile(made);
      } catch (error) {
        for (const other of [compiled, linear]) expect(() => other.compile(made)).toThrow((error as Error).message);
        return;
      }
      const others = [compiled.compile(made), linear.compile(made)];
      for (const one of values) {
        const issues = check(one);
        if (issues.length === 0) fitting++;
        tally.last = undefined;
        for (const other of others) expect(other(one)).toEqual(issues);
        // The compiled function alone, without what is asked after it, says the same where it is asked.
        expect(tally.last ?? issues.length === 0).toBe(issues.length === 0);
      }
    }),
    // The same ones each time: what is counted below must not depend on chance.
    { numRuns: 1_000, seed: 2 },
  );
  // The compiler is really asked, and says yes to most of what fits.
  expect(tally.failures).toEqual([]);
  expect(tally.no).toBeGreaterThan(50);
  expect(tally.yes).toBeGreaterThan(fitting * 0.6);
});
