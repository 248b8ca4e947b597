import { parsePointer, resolvePointer } from '../../protocol/json-pointer.js';
import type { OUISurface } from '../../protocol/manifest.js';
import { manifestProblems } from '../../validation/manifest-problems.js';
import type { ManifestProblem } from '../../validation/schema-problems.js';
import { SURFACE_BRAND } from './definition.js';
import type { DefinedSurface, EnumSource, SurfaceDefinition } from './definition.js';
import { enumSources } from './enum-sources.js';
import { buildManifest } from './manifest.js';
import { checkPageParts } from './page-rules.js';
import type { ObservationValues, TypedSurface } from './typed-definition.js';

/** `defineSurface` for handlers that get this context. */
export type DefineSurface<Ctx> = <
  const Id extends string,
  const Inputs extends readonly unknown[],
  const Outputs extends readonly unknown[],
  const Intervals extends readonly unknown[],
  const ObservationIds extends readonly string[] = readonly string[],
  const Schemas extends readonly unknown[] = readonly unknown[],
>(
  definition: TypedSurface<Ctx, Id, Inputs, Outputs, Intervals, ObservationIds, Schemas>,
) => DefinedSurface<Ctx, Id, ObservationValues<ObservationIds, Schemas>>;

/**
 * Gives back `defineSurface` for handlers that get a context of this type: `defineSurface<Page>()({ … })`. With the
 * context said this way everything else is still inferred.
 */
export function defineSurface<Ctx>(): DefineSurface<Ctx>;
/**
 * Checks a surface and freezes it, ready to be mounted (specification §3 to §6).
 *
 * The params of each handler are inferred from its `input`, a literal JSON Schema or a schema of a library (zod,
 * valibot, arktype), and what it returns is checked against its `output`. The context is what the first handler that
 * has a second argument says of its type. Where that is not enough, `defineSurface<Page>()({ … })` says it; so does
 * `defineSurface<Page>({ … })`, but then params are not inferred.
 *
 * @throws {TypeError} with everything that is wrong, naming the surface, the place and the rule: ids that break their
 * pattern or are taken, the reserved id `oui`, no actions, members that are missing or of another type, schemas that
 * are malformed or refer to other documents, attachments where none are resolved, polling that cannot work.
 */
export function defineSurface<
  Ctx = unknown,
  const Id extends string = string,
  const Inputs extends readonly unknown[] = readonly unknown[],
  const Outputs extends readonly unknown[] = readonly unknown[],
  const Intervals extends readonly unknown[] = readonly unknown[],
  const ObservationIds extends readonly string[] = readonly string[],
  const Schemas extends readonly unknown[] = readonly unknown[],
>(
  definition: TypedSurface<Ctx, Id, Inputs, Outputs, Intervals, ObservationIds, Schemas>,
): DefinedSurface<Ctx, Id, ObservationValues<ObservationIds, Schemas>>;
export function defineSurface(...args: readonly unknown[]): unknown {
  if (args.length === 0) return (definition: SurfaceDefinition<never>) => define(definition);
  return define(args[0] as SurfaceDefinition<never>);
}

/** Polling has parts that stay in the page, and is checked with them. */
const POLLING = /^\/actions\/\d+\/polling/;

function define(definition: SurfaceDefinition<never>): DefinedSurface<never> {
  if (typeof definition !== 'object' || definition === null) {
    throw new TypeError('defineSurface takes an object: { id, name, description, actions, … }.');
  }
  const problems: ManifestProblem[] = [];
  const report = (path: string, rule: string, message: string): void => {
    // A member that was reported already is not there in what is checked next.
    if (!problems.some((problem) => problem.path === path)) problems.push({ path, rule, message });
  };
  const manifest = buildManifest(definition, report);
  for (const { path, rule, message } of manifestProblems(manifest)) {
    if (!POLLING.test(path)) report(path, rule, message);
  }
  checkPageParts(definition, report);
  if (problems.length > 0) {
    const all = problems.map((problem) => sentence(problem, definition)).join('; ');
    throw new TypeError(`Surface ${JSON.stringify(definition.id)}: ${all}.`);
  }
  return Object.freeze({
    ...definition,
    actions: Object.freeze(definition.actions.map((action) => Object.freeze({ ...action }))),
    ...(definition.observations && { observations: Object.freeze([...definition.observations]) }),
    [SURFACE_BRAND]: { manifest: manifest as OUISurface, enums: enumsOf(definition) },
  });
}

function enumsOf({ actions }: SurfaceDefinition<never>): EnumSource[] {
  return actions.flatMap(({ id, input }) => enumSources(input).map((source) => ({ actionId: id, ...source })));
}

/** `action "add_todo": input/properties/title/type must be …`. */
function sentence({ path, message }: ManifestProblem, definition: SurfaceDefinition<never>): string {
  const tokens = parsePointer(path) ?? [];
  const [list, index] = tokens;
  const kind = list === 'actions' ? 'action' : list === 'observations' ? 'observation' : undefined;
  if (kind === undefined || index === undefined) return `${tokens.join('/')} ${message}`.trim();
  const id = resolvePointer(definition, `/${list}/${index}/id`);
  const name = typeof id === 'string' && id.trim() !== '' ? JSON.stringify(id) : String(Number(index) + 1);
  return `${kind} ${name}: ${`${tokens.slice(2).join('/')} ${message}`.trim()}`;
}

/** Whether this came from `defineSurface`, of this copy of the library or another. */
export function isDefinedSurface(value: unknown): value is DefinedSurface<never> {
  return typeof value === 'object' && value !== null && SURFACE_BRAND in value;
}

/** @throws {TypeError} when it did not. */
export function assertDefinedSurface(value: unknown): asserts value is DefinedSurface<never> {
  if (!isDefinedSurface(value)) throw new TypeError('A runtime mounts what defineSurface() returned, nothing else.');
}
