import type { OUIError } from '../protocol/events.js';
import type { OUIAction } from '../protocol/manifest.js';
import type { EngineContext } from './context.js';
import type { LedgerEntry } from './ledger.js';
import { actionDisabled, actionNotFound, pausedByUser, surfaceUnavailable, switchedOff } from './refusals.js';
import { findAction, type Mount } from './registry.js';

/** What a request is aimed at, once it was found. */
export interface Target {
  readonly mount: Mount;
  readonly action: OUIAction;
}

/** Steps 4 to 6: the user's pause, what is mounted and declared, the user's switches. */
export function findTarget(context: EngineContext, entry: LedgerEntry): Target | OUIError {
  const { registry } = context;
  const { surfaceId, actionId } = entry.request;
  if (context.paused) return pausedByUser();
  const mount = registry.offered(surfaceId);
  if (!mount) {
    const active = registry.allOffered().map(({ surface }) => surface.id);
    return surfaceUnavailable(surfaceId, active);
  }
  const action = findAction(mount.surface, actionId);
  if (!action) return actionNotFound(mount.surface, actionId);
  if (action.enabled === false) return actionDisabled(mount.surface, action);
  if (registry.isActionOff(surfaceId, actionId)) return switchedOff(surfaceId, actionId);
  return { mount, action };
}
