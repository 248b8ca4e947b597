/** Where a worker's script is, or what makes the worker. */
export type WorkerSource = string | URL | (() => Worker);

interface ScriptUrlPolicy {
  createScriptURL(url: string): unknown;
}

interface TrustedTypePolicies {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): ScriptUrlPolicy;
}

/** The name to list in a `trusted-types` policy of the page. */
const POLICY_NAME = 'oui';
let policy: ScriptUrlPolicy | undefined;

/**
 * Starts a worker.
 *
 * @throws {Error} where there are no workers, or the page's policies forbid this one and say so. Most say nothing: a
 * worker that never answers is the usual sign.
 */
export function spawnWorker(source: WorkerSource): Worker {
  if (typeof Worker === 'undefined') throw new Error('there are no workers here');
  if (typeof source === 'function') return source();
  const { href } = new URL(source, document.baseURI);
  return new Worker(trustedScriptUrl(href), { type: 'module', name: 'oui' });
}

/** What a worker is called in messages. */
export function describeSource(source: WorkerSource): string {
  return typeof source === 'function' ? 'the worker' : `the worker script ${String(source)}`;
}

/** Under `require-trusted-types-for 'script'` a worker's address must come from a policy that the page allows. */
function trustedScriptUrl(href: string): string {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypePolicies };
  if (trustedTypes === undefined) return href;
  try {
    policy ??= trustedTypes.createPolicy(POLICY_NAME, { createScriptURL: (url) => url });
  } catch {
    // Not allowed, or another copy of this library has it. Where trusted types are not enforced plain text works;
    // where they are, the page's default policy decides.
    return href;
  }
  return policy.createScriptURL(href) as string;
}
