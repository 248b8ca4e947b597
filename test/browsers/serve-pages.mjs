import { readFile } from 'node:fs/promises';
import { extname, normalize } from 'node:path';

/** The files that a page without a build step loads, served at the root as the hub does. */
const BUNDLE = /^\/(oui(\.[a-z]+)?\.js(\.map)?)$/;

/** A script without the files that lie beside it. */
const ALONE = /^\/__alone__(\/oui(?:\.iife)?\.js)$/;

/** `/__headers__/<JSON of headers, URI-encoded>/<path>`: the file at `path`, with these headers. */
const WITH_HEADERS = /^\/__headers__\/([^/]+)(\/.*)$/;

/** Files with `{{name}}`: the value of that name in the address, escaped for HTML; `{{{name}}}`: as it is. */
const TEMPLATE = /\.html$|\/script-tag-worker\.js$/;

/** `/__violations__/<id>`: where policies report to. `GET …/<text>` answers once a report with this text has come. */
const VIOLATIONS = /^\/__violations__\/([^/]+)(?:\/(.+))?$/;

/** @type {Map<string, { readonly reports: string[], readonly heard: Set<() => void> }>} */
const violations = new Map();

/** @param {import('koa').Context} context @param {string} id @param {string | undefined} awaited */
async function answerViolations(context, id, awaited) {
  const { reports, heard } = violations.get(id) ?? { reports: [], heard: new Set() };
  violations.set(id, { reports, heard });
  if (context.method === 'POST') {
    let text = '';
    for await (const part of context.req) text += String(part);
    reports.push(text);
    for (const look of [...heard]) look();
    context.status = 204;
    return;
  }
  await new Promise((/** @type {(value?: undefined) => void} */ resolve) => {
    const look = () => {
      if (awaited !== undefined && !reports.some((report) => report.includes(awaited))) return;
      heard.delete(look);
      resolve();
    };
    heard.add(look);
    look();
  });
  context.body = reports;
}

/** @param {string} text @param {URLSearchParams} values */
function filled(text, values) {
  const escaped = (/** @type {string} */ name) =>
    (values.get(name) ?? '').replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return text
    .replace(/\{\{\{(\w+)\}\}\}/g, (_, name) => values.get(name) ?? '')
    .replace(/\{\{(\w+)\}\}/g, (_, name) => escaped(name));
}

/**
 * Special pages for tests.
 *
 * - `/oui.js` and its siblings come from `dist/`.
 * - `/__alone__/oui.js` is the script by itself: nothing that it loads is beside it.
 * - `/__headers__/<encodeURIComponent(JSON.stringify(headers))>/<path>` is the file at `path` with these response
 *   headers. Relative addresses in it keep the prefix, so its scripts and workers have the headers too.
 *   HTML is sent as it stands, without the runner's own scripts; in it `{{name}}` is a value of the address.
 * - `/__violations__/<id>` collects the reports of policies.
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
    // Named, or a cache would give one page's answer to the other.
    context.vary('Origin');
    if (context.get('Origin') === 'null') context.set('Access-Control-Allow-Origin', '*');
    const [, id, awaited] = VIOLATIONS.exec(context.path) ?? [];
    if (id !== undefined) return answerViolations(context, id, awaited);
    const special = WITH_HEADERS.exec(context.path);
    if (special === null) return next();
    /** @type {{ [name: string]: string }} */
    const headers = JSON.parse(decodeURIComponent(/** @type {string} */ (special[1])));
    context.path = /** @type {string} */ (special[2]);
    if (TEMPLATE.test(context.path)) {
      const file = new URL(`.${normalize(context.path)}`, `file://${rootDir}/`);
      context.type = extname(context.path);
      context.body = filled(await readFile(file, 'utf8'), context.URL.searchParams);
    } else {
      await next();
    }
    for (const [name, value] of Object.entries(headers)) context.set(name, value);
  };
}
