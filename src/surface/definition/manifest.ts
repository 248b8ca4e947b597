import type { ActionPolicies, ActionPolicy } from '../../protocol/engine-messages.js';
import { messageOf } from '../../protocol/error-message.js';
import { appendPointer } from '../../protocol/json-pointer.js';
import { isPureRead } from '../../protocol/manifest.js';
import { isJsonObject } from '../../protocol/shape.js';
import type { ActionDefinition, SurfaceDefinition } from './definition.js';
import { wireSchema } from './wire-schema.js';

/** What of a definition crosses the wire, in this order (PROTOCOL.md §1). Everything else stays in the page. */
const ACTION_MEMBERS = [
  'id', 'title', 'description', 'input', 'output', 'confirm', 'async', 'effect', 'usage', 'preconditions',
  'estimatedDuration', 'tags',
] as const;
const OBSERVATION_MEMBERS = ['id', 'description', 'schema', 'updateFrequency'] as const;
const POLLING_MEMBERS = ['intervalMs', 'maxAttempts', 'maxDurationMs', 'subscribe'] as const;
const SURFACE_MEMBERS = ['id', 'name', 'description', 'version'] as const;

/** Takes what is wrong with a part of a definition, in words that follow on the name of the part. */
type Report = (path: string, rule: string, message: string) => void;

function pick(source: unknown, members: readonly string[]): unknown {
  if (!isJsonObject(source)) return source;
  const picked: Record<string, unknown> = {};
  for (const member of members) picked[member] = source[member];
  return picked;
}

/** A schema as JSON, whatever the author has written it with. */
function schemaText(schema: unknown, side: 'input' | 'output', at: string, report: Report): unknown {
  try {
    return wireSchema(schema, side);
  } catch (error) {
    report(at, 'schema', messageOf(error));
    return {};
  }
}

function wireAction(action: unknown, at: string, report: Report): unknown {
  if (!isJsonObject(action)) return action;
  const { input, output, polling, enabled, disabledReason } = action;
  return {
    ...(pick(action, ACTION_MEMBERS) as object),
    input: schemaText(input, 'input', appendPointer(at, 'input'), report),
    output: schemaText(output, 'output', appendPointer(at, 'output'), report),
    polling: pick(polling, POLLING_MEMBERS),
    ...(enabled === false && { enabled, disabledReason }),
  };
}

function wireObservation(observation: unknown, at: string, report: Report): unknown {
  if (!isJsonObject(observation)) return observation;
  const schema = schemaText(observation['schema'], 'output', appendPointer(at, 'schema'), report);
  return { ...(pick(observation, OBSERVATION_MEMBERS) as object), schema };
}

function mapped(list: unknown, name: string, each: (item: unknown, at: string) => unknown): unknown {
  return Array.isArray(list) ? list.map((item, index) => each(item, appendPointer(`/${name}`, index))) : list;
}

/**
 * The manifest of a surface: a copy in plain JSON, so that it can be hashed, cloned and kept. Reads the definition as
 * unchecked; what it cannot copy is reported, and whether the rest is a manifest is left to `manifestProblems`.
 */
export function buildManifest(definition: SurfaceDefinition<never>, report: Report): unknown {
  const { actions, observations, activation, metadata, concurrent } = definition;
  const parts: Record<string, unknown> = {
    ...(pick(definition, SURFACE_MEMBERS) as object),
    actions: mapped(actions, 'actions', (action, at) => wireAction(action, at, report)),
    observations: mapped(observations, 'observations', (each, at) => wireObservation(each, at, report)),
    activation: pick(activation, ['routes', 'entity', 'condition']),
    metadata,
    concurrent: concurrent || undefined,
  };
  try {
    return JSON.parse(JSON.stringify(parts));
  } catch {
    return JSON.parse(JSON.stringify(withoutOther(parts, '', report, 0)));
  }
}

/** A copy without what is not JSON (a cycle, a BigInt), each reported at the deepest place that has a name. */
function withoutOther(value: unknown, at: string, report: Report, depth: number): unknown {
  try {
    JSON.stringify(value);
    return value;
  } catch (error) {
    // Members of a surface, an action, an observation: below them a name says less than the reason.
    if (depth < 4 && isJsonObject(value)) {
      const members = Object.entries(value).map(([name, member]) => {
        return [name, withoutOther(member, appendPointer(at, name), report, depth + 1)];
      });
      return Object.fromEntries(members) as unknown;
    }
    if (depth < 4 && Array.isArray(value)) {
      return value.map((item, index) => withoutOther(item, appendPointer(at, index), report, depth + 1));
    }
    report(at, 'json', `must be JSON (${messageOf(error)})`);
    return undefined;
  }
}

/** What the engine must know of each action beside the manifest (PROTOCOL.md §2, async actions, and §3). */
export function actionPolicies(definition: SurfaceDefinition<never>): ActionPolicies {
  return Object.fromEntries(definition.actions.map((action) => [action.id, actionPolicy(action)]));
}

export function actionPolicy(action: ActionDefinition<never>): ActionPolicy {
  const settle = action.settle ?? (isPureRead(action) ? 'none' : 'quiet');
  return { settle, ...(action.singleFlight && { singleFlight: true }) };
}
