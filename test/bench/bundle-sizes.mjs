import { existsSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

/** Sizes to reach (KB are 1,000 bytes), beside those that `.size-limit.json` holds. */
const REACH = new Map([['dist/oui.js', 18], ['dist/oui.iife.js', 18], ['dist/oui.worker.js', 24]]);

const ROOT = new URL('../../', import.meta.url);

/** Bytes of each bundle, as they are and after gzip -9. */
export function bundleSizeTable() {
  /** @type {readonly { name: string, path: string, limit: string }[]} */
  const held = JSON.parse(readFileSync(new URL('.size-limit.json', ROOT), 'utf8'));
  return held
    .filter(({ path }) => existsSync(new URL(path, ROOT)))
    .map(({ name, path, limit }) => {
      const code = readFileSync(new URL(path, ROOT));
      const reach = REACH.get(path);
      return {
        bundle: name,
        bytes: code.length,
        'gzip bytes': gzipSync(code, { level: 9 }).length,
        held: limit,
        reach: reach === undefined ? '' : `${reach} KB`,
      };
    });
}
