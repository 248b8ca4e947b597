import type { JSONSchema } from '../../src/protocol/json.js';
import type { CompiledSchema, Validator } from '../../src/protocol/ports.js';
import { argsHash } from '../../src/rules/args-hash.js';
import { canonicalJson } from '../../src/rules/canonical-json.js';
import { fillDefaults } from '../../src/rules/fill-defaults.js';
import { definitionHash, sortedJson, surfacesHash } from '../../src/rules/surfaces-hash.js';

/** All of `test/vectors/`, as test/browsers/serve-vectors.mjs reads it. */
export interface Vectors {
  readonly suite: readonly { readonly file: string; readonly cases: readonly SuiteCase[] }[];
  readonly differences: {
    readonly refused: readonly { readonly cases: readonly string[] }[];
    readonly otherwise: readonly { readonly tests: readonly string[] }[];
  };
  readonly cases: readonly {
    readonly id: string;
    readonly input?: JSONSchema;
    readonly calls?: readonly {
      readonly params: unknown;
      readonly valid?: boolean;
      readonly path?: string;
      readonly handlerSees?: unknown;
      readonly ends?: string;
    }[];
  }[];
  readonly approval: {
    readonly vectors: readonly { readonly json: string; readonly canonical: string; readonly sha256: string }[];
    readonly invalid: readonly { readonly json: string }[];
  };
  readonly jcs: readonly { readonly file: string; readonly input: string; readonly output: string }[];
  readonly surfaces: {
    readonly cases: readonly {
      readonly value: unknown;
      readonly sortedJson: string;
      readonly surfacesHash?: string;
      readonly definitionHash8?: string;
    }[];
  };
}

interface SuiteCase {
  readonly description: string;
  readonly schema: JSONSchema;
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[];
}

/** What was checked, and what came out wrong: a line for each. */
export class VectorReport {
  readonly counts: { [what: string]: number } = {};
  readonly failures: string[] = [];

  check(what: string, name: string, expected: unknown, result: () => unknown): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
    let came: unknown;
    try {
      came = result();
    } catch (error) {
      came = `threw ${String(error)}`;
    }
    if (JSON.stringify(came) === JSON.stringify(expected)) return;
    this.failures.push(`${what}, ${name}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(came)}`);
  }
}

/** The official suite for draft 2020-12, with the listed differences. */
export function checkSuite(report: VectorReport, name: string, validator: Validator, vectors: Vectors): void {
  const refused = new Set(vectors.differences.refused.flatMap(({ cases }) => cases));
  const otherwise = new Set(vectors.differences.otherwise.flatMap(({ tests }) => tests));
  for (const { file, cases } of vectors.suite) {
    for (const { description, schema, tests } of cases) {
      const at = `${file}: ${description}`;
      if (refused.has(at)) {
        report.check(`suite ${name}`, at, 'refused', () => isRefused(validator, schema));
        continue;
      }
      let check: CompiledSchema | undefined;
      for (const test of tests) {
        const one = `${at}: ${test.description}`;
        report.check(`suite ${name}`, one, otherwise.has(one) ? !test.valid : test.valid, () => {
          check ??= validator.compile(schema);
          return check(test.data).length === 0;
        });
      }
    }
  }
}

function isRefused(validator: Validator, schema: JSONSchema): string {
  try {
    validator.compile(schema);
    return 'taken';
  } catch {
    return 'refused';
  }
}

/** Every call of the small inputs that broke others. One that "ends" must be refused; were it not to end, nor would this. */
export function checkCases(report: VectorReport, name: string, validator: Validator, vectors: Vectors): void {
  for (const { id, input, calls = [] } of vectors.cases) {
    if (input === undefined) continue;
    for (const { params, valid, path, handlerSees, ends } of calls) {
      const check = (): readonly { readonly path: string }[] => validator.compile(input)(params);
      if (valid !== undefined || ends !== undefined) {
        report.check(`cases ${name}`, id, valid ?? false, () => check().length === 0);
      }
      if (path !== undefined) report.check(`cases ${name}`, `${id}, where`, [path], () => check().map((one) => one.path));
      if (handlerSees === undefined) continue;
      report.check(`cases ${name}`, `${id}, defaults`, [0, handlerSees], () => {
        return [check().length, fillDefaults(input, params).params];
      });
    }
  }
}

/** `argsHash`, canonical JSON, and the hashes of surfaces. */
export function checkHashes(report: VectorReport, { approval, jcs, surfaces }: Vectors): void {
  for (const { json, canonical, sha256 } of approval.vectors) {
    report.check('approval', json, [canonical, sha256], () => {
      return [canonicalJson(JSON.parse(json)), argsHash(JSON.parse(json))];
    });
  }
  for (const { json } of approval.invalid) {
    report.check('approval', json, true, () => {
      try {
        return argsHash(JSON.parse(json));
      } catch (error) {
        return error instanceof TypeError && error.message.includes('not I-JSON');
      }
    });
  }
  for (const { file, input, output } of jcs) {
    report.check('jcs', file, output, () => canonicalJson(JSON.parse(input)));
  }
  for (const { value, sortedJson: sorted, surfacesHash: hash, definitionHash8 } of surfaces.cases) {
    report.check('surfaces', sorted, sorted, () => sortedJson(value));
    if (Array.isArray(value)) report.check('surfaces', sorted, hash, () => surfacesHash(value));
    if (definitionHash8 !== undefined) report.check('surfaces', sorted, definitionHash8, () => definitionHash(value));
  }
}
