import { RESERVED_SURFACE_ID } from '../protocol/author-ids.js';
import * as ERROR_CODES from '../protocol/error-codes.js';
import { messageOf } from '../protocol/error-message.js';
import { warnOnce } from '../protocol/warn-once.js';
import * as WARNINGS from '../protocol/warning-codes.js';
import { SURFACE_BRAND } from '../surface/definition/definition.js';
import { defineSurface as defineStrictly } from '../surface/definition/define-surface.js';
import { buildManifest } from '../surface/definition/manifest.js';
import { wireCode } from './policy.js';
import { runnableActions } from './runnable-actions.js';
import type { ActionHandlerResult, DefinedSurface, SurfaceDefinition, UncheckedContext } from './surface-types.js';
import type { OUISurface } from './wire-types.js';

type Definition = SurfaceDefinition<UncheckedContext>;
type Manifest = DefinedSurface[typeof SURFACE_BRAND]['manifest'];

/**
 * Makes a surface of a definition, as `oui-spec` does: whatever it lets pass is let pass here. Rules that the protocol
 * has beyond that are warnings (`OUI1802`), each surface's once.
 *
 * @throws {Error} for the id `oui`, and for two actions, or two observations, with one id.
 */
export function defineSurface<TContext = UncheckedContext, const TId extends string = string>(
  definition: SurfaceDefinition<TContext> & { id: TId },
): DefinedSurface<TContext> & { id: TId } {
  refuse(definition);
  const actions = runnableActions(definition.actions);
  const manifest = manifestOf({ ...definition, actions });
  const surface = {
    ...definition,
    actions,
    [SURFACE_BRAND]: { manifest, enums: [], undeclaredObservations: true },
    toManifest: () => structuredClone(manifest) as OUISurface,
    async executeAction(actionId: string, params: Record<string, unknown>, context: TContext) {
      const action = definition.actions.find(({ id }) => id === actionId);
      if (!action) {
        return failed(ERROR_CODES.ACTION_NOT_FOUND, `Surface "${definition.id}" has no action "${actionId}".`);
      }
      try {
        return await action.handler(params, context);
      } catch (error) {
        return failed(ERROR_CODES.EXECUTION_ERROR, messageOf(error));
      }
    },
    getActionIds: () => definition.actions.map(({ id }) => id),
    getPollingConfig: (actionId: string) => definition.actions.find(({ id }) => id === actionId)?.polling,
  };
  return surface as unknown as DefinedSurface<TContext> & { id: TId };
}

function refuse({ id, actions, observations = [] }: Definition): void {
  if (id === RESERVED_SURFACE_ID) {
    throw new Error(`Surface id "${id}" is the runtime's own; give the surface another.`);
  }
  for (const [kind, members] of [['Action', actions], ['Observation', observations]] as const) {
    const ids = members.map((member) => member.id);
    const twice = ids.find((each, index) => ids.indexOf(each) !== index);
    if (twice === undefined) continue;
    throw new Error(`${kind} id "${twice}" is there twice in surface "${id}"; ids are unique within it.`);
  }
}

/** What crosses the wire. */
function manifestOf(definition: Definition): Manifest {
  try {
    return defineStrictly(definition as never)[SURFACE_BRAND].manifest;
  } catch (error) {
    const message = `${messageOf(error)} It is offered all the same, as oui-spec does; agents of other makers may refuse it.`;
    warnOnce(WARNINGS.DEFINITION_LENIENT, message, definition.id);
  }
  // What is wrong with it has been said.
  return buildManifest(inJson(definition) as never, () => {}) as Manifest;
}

/** Without schemas that are not JSON: nothing could be offered of a surface that has one. */
function inJson(definition: Definition): Definition {
  const { actions, observations, metadata } = definition;
  return {
    ...definition,
    actions: actions.map((action) => ({ ...action, input: jsonOr({}, action.input), output: jsonOr(undefined, action.output) })),
    ...(observations && { observations: observations.map((each) => ({ ...each, schema: jsonOr({}, each.schema) })) }),
    metadata: jsonOr(undefined, metadata),
  } as Definition;
}

function jsonOr<T>(fallback: T, value: T): T {
  try {
    JSON.stringify(value);
    return value;
  } catch {
    return fallback;
  }
}

function failed(code: string, message: string): ActionHandlerResult {
  return { success: false, error: { code: wireCode(code), message } };
}
