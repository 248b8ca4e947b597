import { invalidParams } from '../../engine/engine-errors.js';
import type { OUIError, OUIValidationIssue } from '../../protocol/events.js';
import { buildPointer } from '../../protocol/json-pointer.js';
import type { ActionDefinition } from '../definition/definition.js';
import { standardOf } from '../definition/wire-schema.js';

/** As many issues as a model reads. */
const MAX_ISSUES = 100;

/** What is left of `validate`'s result when nothing is taken for granted. */
interface Parsed {
  readonly value?: unknown;
  readonly issues?: readonly StandardIssue[] | undefined;
}

interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/**
 * Params as their handler gets them: where the action's `input` is a library's schema, what its own `validate` makes of
 * them, with its refinements and transformations. They fit its JSON Schema already.
 *
 * @returns `error`: a `VALIDATION_ERROR` with the library's issues.
 * @throws whatever `validate` throws.
 */
export async function parseParams(
  { id, input }: ActionDefinition<never>,
  params: unknown,
): Promise<{ readonly params: unknown; readonly error?: undefined } | { readonly error: OUIError }> {
  const standard = standardOf(input);
  if (typeof standard?.validate !== 'function') return { params };
  const { value, issues } = (await standard.validate.call(standard, params)) as Parsed;
  if (issues === undefined) return { params: value };
  const keyword = typeof standard.vendor === 'string' ? standard.vendor : 'validate';
  return { error: invalidParams(id, issues.slice(0, MAX_ISSUES).map((issue) => toIssue(issue, keyword))) };
}

function toIssue({ message, path = [] }: StandardIssue, keyword: string): OUIValidationIssue {
  const steps = path.map((step) => String(typeof step === 'object' ? step.key : step));
  const pointer = buildPointer(steps);
  return { path: pointer, keyword, message: pointer === '' ? message : `${pointer}: ${message}` };
}
