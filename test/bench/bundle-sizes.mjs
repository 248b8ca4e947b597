import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

/** What each bundle is for, and the size to reach in KB (1,000 bytes) where there is one. */
const BUNDLES = [
  { file: 'oui.js', what: 'page, module', reach: 18 },
  { file: 'oui.iife.js', what: 'page, classic script', reach: 18 },
  { file: 'oui.worker.js', what: 'worker, loaded when a surface exists', reach: 24 },
  { file: 'oui.attachments.js', what: 'opens attachments, loaded at the first' },
  { file: 'oui.advice.js', what: 'advice for authors, loaded on pages of their own machine' },
  { file: 'oui.presence.js', what: 'sign of an acting agent, loaded with <oui-presence>' },
  { file: 'oui.dialog.js', what: 'approval dialog, loaded at the first question' },
  { file: 'oui.compiler.js', what: 'compiler of schemas, loaded with validator="compiled"' },
  { file: 'oui.engine.js', what: 'engine in the page, loaded when no worker can start' },
  { file: 'oui.markup.js', what: 'for, from and toolname in markup, loaded with the first of them' },
];

/** Bytes of each bundle, as they are and after gzip -9. */
export function bundleSizeTable() {
  return BUNDLES.map(({ file, what, reach }) => {
    const code = readFileSync(new URL(`../../dist/${file}`, import.meta.url));
    return {
      bundle: file,
      for: what,
      bytes: code.length,
      'gzip bytes': gzipSync(code, { level: 9 }).length,
      reach: reach === undefined ? '' : `${reach} KB`,
    };
  });
}
