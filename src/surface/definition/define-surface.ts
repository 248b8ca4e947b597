import { MEMBER_ID_PATTERN, RESERVED_SURFACE_ID, SURFACE_ID_PATTERN } from '../../protocol/author-ids.js';
import * as LIMITS from '../../protocol/limits.js';
import { asyncProblems } from './async-rules.js';
import { SURFACE_BRAND } from './definition.js';
import type { DefinedSurface, SurfaceDefinition } from './definition.js';
import { buildManifest } from './manifest.js';

function idProblem(id: unknown, pattern: RegExp): string | undefined {
  const fits = (length: number): boolean =>
    length >= LIMITS.authorIdMinLength && length <= LIMITS.authorIdMaxLength;
  if (typeof id === 'string' && pattern.test(id) && fits(id.length)) return undefined;
  const lengths = `${LIMITS.authorIdMinLength} to ${LIMITS.authorIdMaxLength} characters`;
  return `id ${JSON.stringify(id)} must match ${pattern.source} and have ${lengths}`;
}

const filled = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';
const isSchema = (value: unknown): boolean =>
  typeof value === 'boolean' || (typeof value === 'object' && value !== null && !Array.isArray(value));

/** Everything that keeps a definition from being a surface. Reads it as unchecked: JavaScript authors have no types. */
function findProblems(definition: SurfaceDefinition<never>): string[] {
  const problems: string[] = [];
  const check = (place: string, ok: boolean, rule: string): void => void (ok || problems.push(place + rule));

  const idRule = idProblem(definition.id, SURFACE_ID_PATTERN);
  if (idRule) problems.push(idRule);
  check('', definition.id !== RESERVED_SURFACE_ID, `id "${RESERVED_SURFACE_ID}" is the runtime's own`);
  check('', filled(definition.name), 'name is missing: say in a few words what this part of the page is');
  check('', filled(definition.description), 'description is missing: the agent chooses by it');
  const actions = Array.isArray(definition.actions) ? definition.actions : [];
  check('', actions.length > 0, 'actions is empty: a surface has at least one action');

  const kinds = new Map<string, string>();
  const members = (kind: string, list: readonly SurfaceDefinition<never>['actions'][number][]): void => {
    list.forEach((member, index) => {
      const place = `${kind} ${filled(member?.id) ? `"${member.id}"` : index + 1}: `;
      const rule = idProblem(member?.id, MEMBER_ID_PATTERN);
      if (rule) problems.push(place + rule);
      const other = kinds.get(member?.id);
      check(place, other === undefined, `id is taken by an ${other} of this surface; ids are unique within it`);
      kinds.set(member?.id, kind);
      check(place, filled(member?.description), 'description is missing: the agent chooses by it');
      if (kind === 'action') {
        check(place, isSchema(member?.input), 'input must be a JSON Schema; { type: "object" } when it takes nothing');
        check(place, typeof member?.handler === 'function', 'handler must be a function');
        for (const problem of asyncProblems(member ?? {})) problems.push(place + problem);
        const given = typeof member?.enabled;
        check(place, /^(undefined|boolean|function)$/.test(given), 'enabled must be true, false or a function');
      } else {
        const { schema } = (member ?? {}) as { schema?: unknown };
        check(place, isSchema(schema), 'schema must be a JSON Schema; {} accepts every value');
      }
    });
  };
  members('action', actions);
  members('observation', (definition.observations ?? []) as never);
  return problems;
}

/**
 * Checks a surface and freezes it, ready to be mounted (specification §3.2, §4.2, §5.2).
 *
 * @throws {TypeError} naming the surface, the place and the rule: an id that breaks its pattern or is taken, the
 * reserved id `oui`, no actions, a missing name, description, input, schema or handler, polling that cannot work, a
 * schema that is not JSON.
 */
export function defineSurface<Ctx = unknown>(definition: SurfaceDefinition<Ctx>): DefinedSurface<Ctx> {
  const problems = findProblems(definition as SurfaceDefinition<never>);
  let manifest;
  try {
    if (problems.length === 0) manifest = buildManifest(definition as SurfaceDefinition<never>);
  } catch (error) {
    problems.push(`schemas and metadata must be JSON (${(error as Error).message})`);
  }
  if (!manifest) throw new TypeError(`Surface ${JSON.stringify(definition?.id)}: ${problems.join('; ')}.`);
  return Object.freeze({
    ...definition,
    actions: Object.freeze(definition.actions.map((action) => Object.freeze({ ...action }))),
    ...(definition.observations && { observations: Object.freeze([...definition.observations]) }),
    [SURFACE_BRAND]: { manifest },
  });
}

/** Whether this came from `defineSurface`, of this copy of the library or another. */
export function isDefinedSurface(value: unknown): value is DefinedSurface<never> {
  return typeof value === 'object' && value !== null && SURFACE_BRAND in value;
}

/** @throws {TypeError} when it did not. */
export function assertDefinedSurface(value: unknown): asserts value is DefinedSurface<never> {
  if (!isDefinedSurface(value)) throw new TypeError('A runtime mounts what defineSurface() returned, nothing else.');
}
