import { expect } from 'vitest';
import type { Validator } from '../../../src/protocol/ports.js';
import { compileTest } from '../../../src/validation/compile-test.js';
import { createCompiledValidator } from '../../../src/validation/compiled.js';
import { createInterpretedValidator } from '../../../src/validation/interpreted.js';
import { createLinearValidator } from '../../../src/validation/linear.js';

/** What the compiler was asked, and said. */
export interface CompilerTally {
  yes: number;
  no: number;
  /** The last answer; undefined when it was not asked since that was taken. */
  last: boolean | undefined;
  readonly failures: unknown[];
}

/** A compiled validator whose compiler is there, and what that one says. */
export async function compiledValidator(): Promise<{ validator: Validator; tally: CompilerTally }> {
  const tally: CompilerTally = { yes: 0, no: 0, last: undefined, failures: [] };
  const loading = Promise.resolve({
    compileTest: (schema: object, tests: Parameters<typeof compileTest>[1]) => {
      try {
        const test = compileTest(schema, tests);
        return (value: unknown) => {
          const fits = test(value);
          tally.last = fits;
          if (fits) tally.yes++;
          else tally.no++;
          return fits;
        };
      } catch (error) {
        tally.failures.push(error);
        throw error;
      }
    },
  });
  const warn = (code: string, message: string): void => expect.fail(`${code} ${message}`);
  const validator = createCompiledValidator({ load: () => loading, warn });
  await loading;
  return { validator, tally };
}

/** Every validator that there is, under its name; the linear one with patterns that it can check. */
export const VALIDATORS: readonly (readonly [name: string, validator: Validator])[] = [
  ['interpreted', createInterpretedValidator()],
  ['compiled', (await compiledValidator()).validator],
  ['linear', createLinearValidator({ onUnsupported: (pattern) => expect.fail(`no linear form of ${pattern}`) })],
];
