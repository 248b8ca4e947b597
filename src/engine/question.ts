import type { ApprovalRequest } from '../protocol/approval.js';
import type { OUIAction } from '../protocol/manifest.js';
import { fillDefaults } from '../rules/fill-defaults.js';
import type { LedgerEntry } from './ledger.js';
import type { Mount } from './registry.js';

/** What the user is shown of a request: the action, and exactly the parameters that will run. */
export function questionOf(entry: LedgerEntry, mount: Mount, action: OUIAction): ApprovalRequest {
  const { requestId, request, argsHash, question } = entry;
  return {
    requestId,
    surfaceId: mount.surface.id,
    surfaceName: mount.surface.name,
    actionId: action.id,
    ...(action.title === undefined ? {} : { title: action.title }),
    description: action.description,
    // A copy: what the page does with it must not change what was hashed and will run.
    params: JSON.parse(JSON.stringify(request.params)),
    defaults: fillDefaults(action.input, request.params).filled,
    argsHash: argsHash!,
    expiresAt: question!.expiresAt,
  };
}

/**
 * What the user decides about, as one text: the action as the question shows it, and what the page says of its effect.
 * Beside it stand the parameters, which never change.
 */
export function shownText({ request }: LedgerEntry, { surface }: Mount, action: OUIAction): string {
  const { id, title, description, effect, confirm, input } = action;
  const defaults = fillDefaults(input, request.params).filled;
  return JSON.stringify([surface.id, surface.name, id, title, description, effect, confirm, defaults]);
}

/** The same for all requests of v1 agents that one answer is for. */
export function askedKey(mount: Mount, action: OUIAction, hash: string): string {
  return `${mount.surface.id} ${action.id} ${hash}`;
}
