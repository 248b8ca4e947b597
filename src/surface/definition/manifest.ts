import type { ActionPolicies, ActionPolicy } from '../../protocol/engine-messages.js';
import { isPureRead } from '../../protocol/manifest.js';
import type { OUISurface } from '../../protocol/manifest.js';
import type { ActionDefinition, SurfaceDefinition } from './definition.js';

/** What of a definition crosses the wire, in this order (PROTOCOL.md §1). Everything else stays in the page. */
const ACTION_MEMBERS = [
  'id', 'title', 'description', 'input', 'output', 'confirm', 'async', 'effect', 'usage', 'preconditions',
  'estimatedDuration', 'tags',
] as const;
const OBSERVATION_MEMBERS = ['id', 'description', 'schema', 'updateFrequency'] as const;
const POLLING_MEMBERS = ['intervalMs', 'maxAttempts', 'maxDurationMs', 'subscribe'] as const;

function pick(source: object, members: readonly string[]): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const member of members) picked[member] = (source as Record<string, unknown>)[member];
  return picked;
}

/**
 * The manifest of a surface: a copy in plain JSON, so that it can be hashed, cloned and kept.
 *
 * @throws {TypeError} when a schema or the metadata is not JSON (a cycle, a BigInt).
 */
export function buildManifest(definition: SurfaceDefinition<never>): OUISurface {
  const { id, name, description, version, actions, observations, activation, metadata, concurrent } = definition;
  const text = JSON.stringify({
    id,
    name,
    description,
    version,
    actions: actions.map((action) => ({
      ...pick(action, ACTION_MEMBERS),
      polling: action.polling && pick(action.polling, POLLING_MEMBERS),
      ...(action.enabled === false && { enabled: false, disabledReason: action.disabledReason }),
    })),
    observations: observations?.map((observation) => pick(observation, OBSERVATION_MEMBERS)),
    activation: activation && pick(activation, ['routes', 'entity', 'condition']),
    metadata,
    concurrent: concurrent || undefined,
  });
  return JSON.parse(text) as OUISurface;
}

/** What the engine must know of each action beside the manifest (PROTOCOL.md §2, async actions, and §3). */
export function actionPolicies(definition: SurfaceDefinition<never>): ActionPolicies {
  return Object.fromEntries(definition.actions.map((action) => [action.id, actionPolicy(action)]));
}

export function actionPolicy(action: ActionDefinition<never>): ActionPolicy {
  const settle = action.settle ?? (isPureRead(action) ? 'none' : 'quiet');
  return { settle, ...(action.singleFlight && { singleFlight: true }) };
}
