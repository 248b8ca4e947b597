import { effect, untracked } from '@preact/signals-core';
import type { OUISurface } from '../../protocol/manifest.js';
import type { Release } from '../../protocol/ports.js';
import { SURFACE_BRAND } from '../definition/definition.js';
import type { DefinedSurface } from '../definition/definition.js';
import { findUnavailable, sameUnavailable, withAvailability } from './availability.js';
import type { AskedMount, Unavailable } from './availability.js';
import { findEnumValues, sameEnumValues, withEnumValues } from './dynamic-enums.js';
import type { EnumValues } from './dynamic-enums.js';

/** What of a manifest follows the page: what the functions in its surface's definition said last. */
export interface Conditions {
  readonly unavailable: Unavailable;
  readonly enums: EnumValues;
}

export const UNCONDITIONAL: Conditions = { unavailable: new Map(), enums: new Map() };

/** A mount that keeps what its functions said. */
export interface ConditionalMount extends AskedMount {
  readonly conditions: Conditions;
}

/** Whether a surface has functions that are asked about the page: `enabled`, or enums. */
export function hasConditions(surface: DefinedSurface<never>): boolean {
  if (surface[SURFACE_BRAND].enums.length > 0) return true;
  return surface.actions.some(({ enabled }) => typeof enabled === 'function');
}

/** Asks every function once, about one context. */
function findConditions({ surface, getContext, conditions }: ConditionalMount): Conditions {
  let context: { readonly value: never } | undefined;
  const getOnce = (): never => (context ??= { value: getContext() }).value;
  const { enums } = surface[SURFACE_BRAND];
  return {
    unavailable: findUnavailable(surface, getOnce),
    enums: findEnumValues(surface.id, enums, getOnce, conditions.enums),
  };
}

export function sameConditions(first: Conditions, second: Conditions): boolean {
  return sameUnavailable(first.unavailable, second.unavailable) && sameEnumValues(first.enums, second.enums);
}

/** The manifest as it is offered under these conditions. */
export function offeredManifest(surface: DefinedSurface<never>, { unavailable, enums }: Conditions): OUISurface {
  const { manifest, enums: sources } = surface[SURFACE_BRAND];
  return withAvailability(withEnumValues(manifest, sources, enums), unavailable);
}

/**
 * Asks again whenever a signal changes that the functions or the context getter read, until released; the first time
 * at once. `found` gets what they said.
 */
export function watchConditions(mount: ConditionalMount, found: (conditions: Conditions) => void): Release {
  return effect(() => {
    const conditions = findConditions(mount);
    untracked(() => found(conditions));
  });
}
