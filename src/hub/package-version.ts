import { readFileSync } from 'node:fs';

let version: string | undefined;

/** The version of this package, from its own package.json. */
export function packageVersion(): string {
  return (version ??= readVersion());
}

/** This file lies at another depth below the package in the sources than in `dist`. */
function readVersion(): string {
  for (const place of ['../../package.json', '../../../package.json']) {
    try {
      const manifest: unknown = JSON.parse(readFileSync(new URL(place, import.meta.url), 'utf8'));
      const { name, version: found } = manifest as { name?: unknown; version?: unknown };
      if (name === 'oui-elements' && typeof found === 'string') return found;
    } catch {
      // Not there: the other place is tried.
    }
  }
  return '0.0.0';
}
