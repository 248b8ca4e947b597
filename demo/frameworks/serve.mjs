import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createNotesServer } from './htmx/notes-server.mjs';

/** @typedef {'react' | 'vue' | 'svelte' | 'angular' | 'html' | 'htmx'} AppName */

const HERE = fileURLToPath(new URL('.', import.meta.url));
const PACKAGE = join(HERE, 'node_modules/oui-elements/dist');

/** Where an application's files are. @type {{ readonly [name in AppName]: string }} */
const FOLDERS = {
  react: 'react/dist',
  vue: 'vue/dist',
  svelte: 'svelte/dist',
  angular: 'angular/dist',
  html: 'html',
  htmx: 'htmx',
};

/** @type {{ readonly [extension: string]: string }} */
const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/**
 * A server for one application, not listening yet. Each has its own address, so that `/oui/v1` of it is its agent's.
 *
 * @param {AppName} name
 * @param {{ readonly [path: string]: string }} [firstScripts] more scripts, by their addresses, that its pages load first
 * @returns {import('node:http').Server}
 */
export function createAppServer(name, firstScripts = {}) {
  const tags = Object.keys(firstScripts).map((path) => `<script src="${path}"></script>`).join('');
  const answerNotes = name === 'htmx' ? createNotesServer() : undefined;
  return createServer((request, response) => {
    void (async () => {
      if (await answerNotes?.(request, response)) return;
      const { pathname } = new URL(request.url ?? '/', 'http://localhost');
      const script = firstScripts[pathname];
      if (script !== undefined) return void response.writeHead(200, { 'Content-Type': TYPES['.js'] }).end(script);
      const file = fileOf(name, decodeURIComponent(pathname));
      const content = file === undefined ? undefined : await readFile(file).catch(() => undefined);
      if (file === undefined || content === undefined) return void response.writeHead(404).end();
      const isPage = extname(file) === '.html';
      response.writeHead(200, { 'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream' });
      response.end(isPage ? String(content).replace('<head>', `<head>${tags}`) : content);
    })().catch(() => response.destroy());
  });
}

/** @param {AppName} name @param {string} path @returns {string | undefined} */
function fileOf(name, path) {
  if (path === '/htmx.js') return join(HERE, 'node_modules/htmx.org/dist/htmx.min.js');
  if (path.startsWith('/package/')) return inside(PACKAGE, path.slice('/package/'.length));
  if (path === '/shared/notes.css') return join(HERE, 'shared/notes.css');
  return inside(join(HERE, FOLDERS[name]), path === '/' ? 'index.html' : path);
}

/** @param {string} folder @param {string} path @returns {string | undefined} nothing for what lies outside */
function inside(folder, path) {
  const file = normalize(join(folder, path));
  return file.startsWith(folder + sep) ? file : undefined;
}
