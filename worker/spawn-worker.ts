import { trustedPolicy } from '../src/protocol/trusted-policy.js';

/** Where a worker's script is, or what makes the worker. */
export type WorkerSource = string | URL | (() => Worker);

/** Addresses of scripts that import others, by what they import. Workers that follow on a lost one use the same. */
const importing = new Map<string, string>();

/**
 * Starts a worker.
 *
 * @throws {Error} where there are no workers, or the page's policies forbid this one and say so. Most say nothing: a
 * worker that never answers is the usual sign.
 */
export function spawnWorker(source: WorkerSource): Worker {
  if (typeof Worker === 'undefined') throw new Error('there are no workers here');
  if (typeof source === 'function') return source();
  const { href, protocol, origin } = new URL(source, document.baseURI);
  // Browsers refuse it as well: some without a word, some with a report of a violated policy.
  if (/^http/.test(protocol) && origin !== self.origin) {
    throw new Error(`the worker script ${href} is on another origin than this page, and browsers start none of those; `
      + 'worker-src="blob" does, or a file of your own that imports it');
  }
  return new Worker(trustedScriptUrl(href), { type: 'module', name: 'oui' });
}

/** What a worker is called in messages. */
export function describeSource(source: WorkerSource): string {
  return typeof source === 'function' ? 'the worker' : `the worker script ${String(source)}`;
}

/**
 * Starts a worker whose script may lie on another origin: its own script is a Blob of a few words, which loads the other.
 * The page's policies must allow `worker-src blob:`, and the other's origin as `script-src`.
 *
 * A classic worker: Chromium starts no modules of Blobs in frames whose origin is opaque.
 *
 * @throws {Error} as `spawnWorker` does.
 */
export function spawnBlobWorker({ href }: URL): Worker {
  let script = importing.get(href);
  if (script === undefined) {
    // It has the policies of the page, and a `trustedTypes` of its own.
    const words = `let url = ${JSON.stringify(href)};
try { url = trustedTypes.createPolicy('oui', { createScriptURL: () => url }).createScriptURL(''); } catch {}
importScripts(url);`;
    script = URL.createObjectURL(new Blob([words], { type: 'text/javascript' }));
    importing.set(href, script);
  }
  return new Worker(trustedScriptUrl(script), { name: 'oui' });
}

/** Under `require-trusted-types-for 'script'` a worker's address must come from a policy that the page allows. */
function trustedScriptUrl(href: string): string {
  try {
    return (trustedPolicy()?.createScriptURL(href) ?? href) as string;
  } catch {
    // Not allowed. Where trusted types are not enforced plain text works; where they are, the page's default policy
    // decides.
    return href;
  }
}
