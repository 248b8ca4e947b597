import { messageOf } from '../../protocol/error-message.js';
import type { OUIError } from '../../protocol/events.js';
import type { OUISurface } from '../../protocol/manifest.js';
import { warnOnce } from '../../protocol/warn-once.js';
import * as WARNINGS from '../../protocol/warning-codes.js';
import { actionDisabled } from '../../engine/engine-errors.js';
import type { ActionDefinition, DefinedSurface } from '../definition/definition.js';

/** The part of a mount that its functions are asked about. */
export interface AskedMount {
  readonly surface: DefinedSurface<never>;
  readonly getContext: () => never;
}

/** Why actions cannot be used now, by action id; `undefined` where no reason is given. Others can be used. */
export type Unavailable = ReadonlyMap<string, string | undefined>;

/** Asks every `enabled` function of a surface once, about one context. */
export function findUnavailable(surface: DefinedSurface<never>, getContext: () => never): Unavailable {
  const unavailable = new Map<string, string | undefined>();
  for (const action of surface.actions) {
    if (typeof action.enabled !== 'function') continue;
    const verdict = ask(surface, action, getContext);
    if (verdict !== true) unavailable.set(action.id, verdict || action.disabledReason);
  }
  return unavailable;
}

/** Asked right before a handler starts: why it must not, if so. */
export function refusalNow({ surface, getContext }: AskedMount, action: ActionDefinition<never>): OUIError | undefined {
  const verdict = ask(surface, action, getContext);
  return verdict === true ? undefined : actionDisabled(surface.id, action.id, verdict || action.disabledReason);
}

/** `true`, or the reason against it, or `false` when there is none. */
function ask(surface: DefinedSurface<never>, action: ActionDefinition<never>, getContext: () => never): boolean | string {
  const { enabled } = action;
  if (typeof enabled !== 'function') return enabled !== false;
  try {
    const verdict = enabled(getContext());
    return typeof verdict === 'string' ? verdict : Boolean(verdict);
  } catch (error) {
    const reason = `whether it is could not be found out (${messageOf(error)})`;
    const message = `Action "${action.id}" of surface "${surface.id}" counts as not available: its enabled function, or `
      + `the getter of its context, threw (${messageOf(error)}).`;
    warnOnce(WARNINGS.AVAILABILITY_UNKNOWN, message, `${surface.id} ${action.id}`);
    return reason;
  }
}

export function sameUnavailable(first: Unavailable, second: Unavailable): boolean {
  if (first.size !== second.size) return false;
  return [...first].every(([id, reason]) => second.has(id) && second.get(id) === reason);
}

/** The manifest as it is offered while these actions cannot be used. */
export function withAvailability(manifest: OUISurface, unavailable: Unavailable): OUISurface {
  if (unavailable.size === 0) return manifest;
  const actions = manifest.actions.map((action) => {
    if (!unavailable.has(action.id)) return action;
    const disabledReason = unavailable.get(action.id);
    return { ...action, enabled: false, ...(disabledReason !== undefined && { disabledReason }) };
  });
  return { ...manifest, actions };
}
