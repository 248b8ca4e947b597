import { Ajv2020 } from 'ajv/dist/2020.js';

/** Whether a value fits. May throw, for a text that is not to be tried or a value too deep for the stack. */
export type QuickTest = (value: unknown) => boolean;

/** What a schema's texts are checked with. */
export interface TextTests {
  /** By the names that `format` says. */
  readonly formats: { readonly [name: string]: (text: string) => boolean };
  /** For the names in `patternProperties`. */
  compilePattern(pattern: string): (text: string) => boolean;
}

/**
 * Makes a function of a schema (draft 2020-12), by writing its source and evaluating it: many times faster than
 * interpreting, where that is allowed.
 *
 * @param schema checked already, with known keywords only
 * @throws {EvalError} where a policy forbids evaluating source. {Error} for schemas that the compiler does not take.
 */
export function compileTest(schema: object, { formats, compilePattern }: TextTests): QuickTest {
  // One for each schema: it keeps what it has compiled, and two schemas may have the same $id.
  const ajv = new Ajv2020({
    strict: false,
    meta: false,
    validateSchema: false,
    addUsedSchema: false,
    ownProperties: true,
    messages: false,
    logger: false,
    formats,
    code: {
      // `code` is for modules that are written out; this one never is.
      regExp: Object.assign((pattern: string) => ({ test: compilePattern(pattern), toString: () => pattern }), {
        code: 'new RegExp',
      }),
    },
  });
  // Its own divides, which is wrong for decimal fractions.
  ajv.removeKeyword('multipleOf');
  ajv.addKeyword({ keyword: 'multipleOf', type: 'number', schemaType: 'number', validate: isMultiple });
  const test = ajv.compile(schema);
  return (value) => test(value);
}

/** In decimal, as both numbers are written: 0.3 is a multiple of 0.1. */
function isMultiple(divisor: number, value: number): boolean {
  if (Number.isSafeInteger(divisor) && Number.isSafeInteger(value)) return value % divisor === 0;
  const [a, aPlaces] = decimal(value);
  const [b, bPlaces] = decimal(divisor);
  const places = Math.max(aPlaces, bPlaces);
  return (a * 10n ** BigInt(places - aPlaces)) % (b * 10n ** BigInt(places - bPlaces)) === 0n;
}

/** A number's digits, and how many of them are behind the point: fewer than none for 1e21. */
function decimal(value: number): [digits: bigint, places: number] {
  const [digits = '', exponent = '0'] = String(Math.abs(value)).split('e');
  const [whole = '', fraction = ''] = digits.split('.');
  return [BigInt(whole + fraction), fraction.length - Number(exponent)];
}
