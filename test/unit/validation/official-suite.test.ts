import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { JSONSchema } from '../../../src/protocol/json.js';
import { compiledValidator, VALIDATORS } from './validators.js';

/** The official suite for draft 2020-12: its required tests that need no remote documents (test/vectors/README.md). */
interface Case {
  readonly description: string;
  readonly schema: JSONSchema;
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[];
}

const folder = new URL('../../vectors/json-schema/', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
const suite = files.map((file) => ({
  file,
  cases: JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Case[],
}));

/** Where we differ on purpose, each with its reason. */
interface Differences {
  readonly refused: readonly { readonly why: string; readonly cases: readonly string[] }[];
  readonly otherwise: readonly { readonly why: string; readonly tests: readonly string[] }[];
}

const differences = JSON.parse(
  readFileSync(new URL('../json-schema-differences.json', folder), 'utf8'),
) as Differences;
const refused = new Set(differences.refused.flatMap(({ cases }) => cases));
const otherwise = new Set(differences.otherwise.flatMap(({ tests }) => tests));

const compiled = await compiledValidator();
const validators = VALIDATORS.map(([name, validator]) => {
  return [name, name === 'compiled' ? compiled.validator : validator] as const;
});

describe.each(validators)('the official suite, %s', (_name, validator) => {
  describe.each(suite)('$file', ({ file, cases }) => {
    it.each(cases)('$description', ({ description, schema, tests }) => {
      const name = `${file}: ${description}`;
      if (refused.has(name)) {
        expect(() => validator.compile(schema)).toThrow(/^broken schema/);
        return;
      }
      const check = validator.compile(schema);
      for (const test of tests) {
        const expected = otherwise.has(`${name}: ${test.description}`) ? !test.valid : test.valid;
        compiled.tally.last = undefined;
        expect(check(test.data).length === 0, test.description).toBe(expected);
        // Where it was asked, the compiled function alone says the same.
        expect(compiled.tally.last ?? expected, test.description).toBe(expected);
      }
    });
  });
});

it('compiles nearly all of it', () => {
  expect(compiled.tally.failures.map((error) => (error as Error).message)).toEqual([
    'enum must have non-empty array',
    expect.stringContaining("can't resolve reference urn:uuid:"),
  ]);
  expect(compiled.tally.yes).toBeGreaterThan(400);
  expect(compiled.tally.no).toBeGreaterThan(300);
});

it('lists no difference that the suite does not have', () => {
  const cases = suite.flatMap(({ file, cases: all }) => {
    return all.map((one) => ({ name: `${file}: ${one.description}`, one }));
  });
  const tests = cases.flatMap(({ name, one }) => one.tests.map(({ description }) => `${name}: ${description}`));
  expect(cases.map(({ name }) => name)).toEqual(expect.arrayContaining([...refused]));
  expect(tests).toEqual(expect.arrayContaining([...otherwise]));
});
