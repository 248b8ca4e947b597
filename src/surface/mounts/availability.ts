import { effect, untracked } from '@preact/signals-core';
import { messageOf } from '../../protocol/error-message.js';
import type { OUIError } from '../../protocol/events.js';
import type { OUISurface } from '../../protocol/manifest.js';
import type { Release } from '../../protocol/ports.js';
import { warnOnce } from '../../protocol/warn-once.js';
import * as WARNINGS from '../../protocol/warning-codes.js';
import { actionDisabled } from '../../engine/engine-errors.js';
import type { ActionDefinition, DefinedSurface } from '../definition/definition.js';

/** The part of a mount that says what of it can be used. */
export interface ConditionalMount {
  readonly surface: DefinedSurface<never>;
  readonly getContext: () => never;
}

/** Why actions cannot be used now, by action id; `undefined` where no reason is given. Others can be used. */
export type Unavailable = ReadonlyMap<string, string | undefined>;

/** Whether any action of a surface has an `enabled` function. */
export function hasConditions(surface: DefinedSurface<never>): boolean {
  return surface.actions.some(({ enabled }) => typeof enabled === 'function');
}

/** Asks every `enabled` function once, about one context. */
export function findUnavailable({ surface, getContext }: ConditionalMount): Unavailable {
  const unavailable = new Map<string, string | undefined>();
  let context: { readonly value: never } | undefined;
  const getOnce = (): never => (context ??= { value: getContext() }).value;
  for (const action of surface.actions) {
    if (typeof action.enabled !== 'function') continue;
    const verdict = ask(surface, action, getOnce);
    if (verdict !== true) unavailable.set(action.id, verdict || action.disabledReason);
  }
  return unavailable;
}

/** Asked right before a handler starts: why it must not, if so. */
export function refusalNow({ surface, getContext }: ConditionalMount, action: ActionDefinition<never>): OUIError | undefined {
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

/**
 * Asks again whenever a signal changes that the functions or the context getter read, until released; the first time
 * at once. `found` gets what they said.
 */
export function watchConditions(mount: ConditionalMount, found: (unavailable: Unavailable) => void): Release {
  return effect(() => {
    const unavailable = findUnavailable(mount);
    untracked(() => found(unavailable));
  });
}
