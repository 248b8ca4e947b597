import { readFile } from 'node:fs/promises';
import { extname, normalize } from 'node:path';

/** The files that a page without a build step loads, served at the root as the hub does. */
const BUNDLE = /^\/(oui(\.[a-z]+)?\.js(\.map)?)$/;

/** A script without the files that lie beside it. */
const ALONE = /^\/__alone__(\/oui(?:\.iife)?\.js)$/;

/** `/__headers__/<JSON of headers, URI-encoded>/<path>`: the file at `path`, with these headers. */
const WITH_HEADERS = /^\/__headers__\/([^/]+)(\/.*)$/;

/**
 * Special pages for tests.
 *
 * - `/oui.js` and its siblings come from `dist/`.
 * - `/__alone__/oui.js` is the script by itself: nothing that it loads is beside it.
 * - `/__headers__/<encodeURIComponent(JSON.stringify(headers))>/<path>` is the file at `path` with these response
 *   headers. Relative addresses in it keep the prefix, so its scripts and workers have the headers too.
 *   HTML is sent as it stands, without the runner's own scripts.
 * - Sandboxed frames, whose origin is `null`, may load modules.
 *
 * @param {string} rootDir
 * @returns {import('@web/dev-server-core').Middleware}
 */
export function serveSpecialPages(rootDir) {
  return async (context, next) => {
    context.path = ALONE.exec(context.path)?.[1] ?? context.path;
    const bundle = BUNDLE.exec(context.path);
    if (bundle !== null) context.path = `/dist/${bundle[1]}`;
    if (context.get('Origin') === 'null') context.set('Access-Control-Allow-Origin', '*');
    const special = WITH_HEADERS.exec(context.path);
    if (special === null) return next();
    /** @type {{ [name: string]: string }} */
    const headers = JSON.parse(decodeURIComponent(/** @type {string} */ (special[1])));
    context.path = /** @type {string} */ (special[2]);
    if (extname(context.path) === '.html') {
      const file = new URL(`.${normalize(context.path)}`, `file://${rootDir}/`);
      context.type = 'html';
      context.body = await readFile(file, 'utf8');
    } else {
      await next();
    }
    for (const [name, value] of Object.entries(headers)) context.set(name, value);
  };
}
