import type { JsonObject } from '../../protocol/json.js';
import { warnOnce } from '../../protocol/warn-once.js';
import * as WARNINGS from '../../protocol/warning-codes.js';
import type { ManifestProblem } from '../../validation/schema-problems.js';
import { SURFACE_BRAND } from './definition.js';
import type { DefinedSurface } from './definition.js';

/** What is loaded to look surfaces over: much for a page, and of use to its author only. */
export interface AdviceModule {
  manifestAdvice(manifest: unknown): readonly ManifestProblem[];
}

/** How many pieces of advice one warning names, and of how many surfaces; `oui validate` has them all. */
const NAMED = 5;
const SURFACES = 3;

/** Looks surfaces over, each once. */
export type Advise = (surface: DefinedSurface<never>) => void;

/**
 * Warns once for each surface of what its author should know of. Does nothing without `load`, or where nobody looks at
 * the console: unless `wanted` says otherwise, that is a page that comes from another machine.
 */
export function createAdviser(load: (() => Promise<AdviceModule>) | undefined, wanted = isAuthors()): Advise {
  if (load === undefined || !wanted) return () => {};
  const seen = new WeakSet<DefinedSurface<never>>();
  let loading: Promise<AdviceModule | undefined> | undefined;
  let left = SURFACES;
  return (surface) => {
    if (left === 0 || surface[SURFACE_BRAND].strangers || seen.has(surface)) return;
    seen.add(surface);
    // Without the file there is no advice, and nothing is lost.
    loading ??= load().catch(() => undefined);
    void loading.then((module) => {
      const advice = module && left > 0 ? module.manifestAdvice(surface[SURFACE_BRAND].manifest) : [];
      if (advice.length === 0) return;
      left -= 1;
      warn(surface, advice);
    });
  };
}

function isAuthors(): boolean {
  if (typeof location === 'undefined') return true;
  const { hostname } = location;
  return /^(localhost|.*\.localhost|127\.[\d.]+|\[::1\]|)$/.test(hostname);
}

function warn(surface: DefinedSurface<never>, advice: readonly ManifestProblem[]): void {
  const lines = advice.slice(0, NAMED).map(({ path, rule, message }) => `\n  ${placeOf(path, surface)} ${message} (${rule})`);
  const more = advice.length > NAMED ? `\n  and ${advice.length - NAMED} more, all of which "npx oui-elements validate" prints` : '';
  warnOnce(WARNINGS.SURFACE_ADVICE, `Surface "${surface.id}" could be better for agents:${lines.join('')}${more}`);
}

/** `action "add_todo" /input/properties/title`. */
function placeOf(path: string, surface: DefinedSurface<never>): string {
  const [, list, index, rest] = /^\/(actions|observations)\/(\d+)(.*)$/.exec(path) ?? [];
  if (list === undefined) return path;
  const members = surface[SURFACE_BRAND].manifest as unknown as { readonly [list: string]: readonly JsonObject[] };
  return `${list.slice(0, -1)} "${String(members[list]?.[Number(index)]?.['id'])}" ${rest ?? ''}`;
}
