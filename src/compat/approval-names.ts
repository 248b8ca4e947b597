import { requiresApproval as actionRequiresApproval } from '../protocol/manifest.js';
import { READ_EFFECTS } from '../protocol/manifest.js';
import { argsHash as hashOf } from '../rules/args-hash.js';
import type { OUIEffectKind } from './wire-types.js';

/** Approvals by `oui-spec`'s names. */

/** Every effect: those that read, then those that write. */
export const OUI_EFFECT_KINDS: readonly OUIEffectKind[] = [
  'view', 'selection', 'navigate', 'open', 'edit', 'file', 'mutate', 'job', 'transaction',
];

/** An action that says no effect writes: nothing says that it only shows. */
export function effectAccess(effect: OUIEffectKind | undefined): 'read' | 'write' {
  return effect !== undefined && READ_EFFECTS.has(effect) ? 'read' : 'write';
}

export const OUI_EFFECT_ACCESS: Readonly<Record<OUIEffectKind, 'read' | 'write'>> = Object.fromEntries(
  OUI_EFFECT_KINDS.map((effect) => [effect, effectAccess(effect)]),
) as Record<OUIEffectKind, 'read' | 'write'>;

/** Whether an action needs the user's approval: a `transaction` always, a write when it is destructive. */
export function requiresApproval(effect: OUIEffectKind | undefined, destructive = false): boolean {
  return actionRequiresApproval({ confirm: destructive, ...(effect !== undefined && { effect }) });
}

/** An args hash: 64 lowercase hex digits. */
export const ARGS_HASH_PATTERN = /^[0-9a-f]{64}$/;

/**
 * SHA-256 of the canonical JSON of a request's params, lowercase hex. A promise as in `oui-spec`; it needs no WebCrypto.
 *
 * @throws {TypeError} (rejects) for what is not I-JSON, naming the place.
 */
export async function argsHash(params: unknown): Promise<string> {
  return hashOf(params);
}
