import type { OUIError } from '../protocol/events.js';
import type { JSONSchema } from '../protocol/json.js';
import type { OUIAction } from '../protocol/manifest.js';
import * as WARNINGS from '../protocol/warning-codes.js';
import type { EngineContext } from './context.js';
import type { LedgerEntry } from './ledger.js';
import {
  actionDisabled,
  actionNotFound,
  brokenSchema,
  invalidParams,
  pausedByUser,
  runtimeDisposed,
  surfaceUnavailable,
  switchedOff,
} from './engine-errors.js';
import { findAction, type Mount } from './registry.js';

/** What a request is aimed at, once it was found. */
export interface Target {
  readonly mount: Mount;
  readonly action: OUIAction;
}

/** Step 4: nothing of an agent's runs while the user has paused agents, nothing at all once the runtime has ended. */
export function stoppedFor(context: EngineContext, entry: LedgerEntry): OUIError | undefined {
  if (context.disposed) return runtimeDisposed(false);
  // The user pauses agents, not the page itself.
  return context.paused && entry.origin === 'agent' ? pausedByUser() : undefined;
}

/** Steps 4 to 6: the user's pause, what is mounted and declared, the user's switches. */
export function findTarget(context: EngineContext, entry: LedgerEntry): Target | OUIError {
  const { registry } = context;
  const { surfaceId, actionId } = entry.request;
  const stopped = stoppedFor(context, entry);
  if (stopped) return stopped;
  const mount = registry.offered(surfaceId);
  if (!mount) {
    const active = registry.allOffered().map(({ surface }) => surface.id);
    return surfaceUnavailable(surfaceId, active);
  }
  const action = findAction(mount.surface, actionId);
  if (!action) return actionNotFound(mount.surface, actionId);
  if (action.enabled === false) return actionDisabled(surfaceId, actionId, action.disabledReason);
  if (registry.isActionOff(surfaceId, actionId)) return switchedOff(surfaceId, actionId);
  return { mount, action };
}

/** Step 8: the parameters, as sent, against the action's input. */
export function validate(context: EngineContext, entry: LedgerEntry, target: Target): OUIError | undefined {
  const problem = misfit(context, entry, target);
  if (!problem || context.policy.misfits === 'refuse') return problem;
  const key = `${target.mount.surface.id} ${target.action.id}`;
  const message = `${problem.message} It ran all the same; with validate: true such a request is refused.`;
  context.emit({ kind: 'warn', code: WARNINGS.PARAMS_MISFIT, message, key });
  return undefined;
}

function misfit(context: EngineContext, entry: LedgerEntry, { mount, action }: Target): OUIError | undefined {
  let errors;
  try {
    errors = context.registry.schemaOf(mount, action, 'input')(entry.request.params);
  } catch (error) {
    return brokenSchema(action.id, (error as Error).message);
  }
  return errors.length > 0 ? invalidParams(action.id, errors) : undefined;
}

/** Whether a schema holds patterns, whose time has no bound. */
export function hasPatterns(schema: JSONSchema): boolean {
  return /"pattern(Properties)?":/.test(JSON.stringify(schema));
}
