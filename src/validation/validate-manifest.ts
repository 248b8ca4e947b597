import { messageOf } from '../protocol/error-message.js';
import { manifestAdvice } from './manifest-advice.js';
import { manifestProblems } from './manifest-problems.js';
import type { ManifestProblem } from './schema-problems.js';

/** What `validateManifest` has found. */
export interface ManifestReport {
  /** Whether there are no problems. */
  readonly valid: boolean;
  /** What keeps the value from being a surface's manifest. */
  readonly problems: readonly ManifestProblem[];
  /** What its author should know of. */
  readonly warnings: readonly ManifestProblem[];
}

/**
 * Checks a surface's manifest, as it crosses the wire, against the specification (§3 to §6): every problem and every
 * piece of advice, each with its JSON Pointer. Never throws, whatever it is given.
 */
export function validateManifest(manifest: unknown): ManifestReport {
  let copy: unknown;
  try {
    // What JSON drops does not cross the wire, and what is no JSON might have no end.
    copy = JSON.parse(JSON.stringify(manifest) ?? 'null');
  } catch (error) {
    const problem = { path: '', rule: 'json', message: `must be JSON (${messageOf(error)})` };
    return { valid: false, problems: [problem], warnings: [] };
  }
  const problems = manifestProblems(copy);
  return { valid: problems.length === 0, problems, warnings: manifestAdvice(copy) };
}
