import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A folder that the hub serves. */
export interface StaticFolder {
  /** Path of the folder. */
  readonly folder: string;
  /** Where it appears, `/` by default. */
  readonly prefix?: string;
}

/** The bundles of this package that the hub serves to pages. */
export const BUNDLES: readonly string[] = [
  '', 'advice.', 'attachments.', 'compiler.', 'dialog.', 'engine.', 'extras.', 'fit.', 'frame.', 'inspector.', 'lit.',
  'markup.', 'presence.', 'worker.', 'iife.',
].map((part) => `oui.${part}js`);

const TYPES: { readonly [extension: string]: string } = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.ico': 'image/x-icon',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.pdf': 'application/pdf',
  '.mp3': 'audio/mpeg',
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
};

/** Whether a path is one of this package's bundles (or the source map of one), which the hub serves at its root. */
export function isBundlePath(path: string): boolean {
  return BUNDLES.some((name) => path === `/${name}` || path === `/${name}.map`);
}

/**
 * Serves one of this package's bundles to any page. They are public code, and a module script from another origin
 * needs the permission to load; what may connect is decided at the socket.
 */
export async function serveBundle(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
  for (const place of ['../../', '../../dist/']) {
    const file = await findFile(fileURLToPath(new URL(place, import.meta.url)), path);
    if (file === undefined) continue;
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
    return sendFile(request, response, file);
  }
  sendText(response, 404, `${path} has not been built here: run "npm run build".\n`);
}

/**
 * Serves a file of the given folders. A path without a file and without an extension gets the nearest `index.html`
 * above it, so that an application with its own routes can be opened at any of them.
 * Resolves with false when nothing fits; then nothing was written.
 */
export async function serveStatic(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  folders: readonly StaticFolder[],
): Promise<boolean> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  const byLength = [...folders].sort((a, b) => prefixOf(b).length - prefixOf(a).length);
  for (const entry of byLength) {
    const rest = pathBelow(prefixOf(entry), path);
    if (rest === undefined) continue;
    const root = resolve(entry.folder);
    const file = (await findFile(root, rest)) ?? (extname(rest) === '' ? await findFile(root, '/') : undefined);
    if (file === undefined) continue;
    sendFile(request, response, file);
    return true;
  }
  return false;
}

/** What a file is, as far as its name's ending tells. */
export function mediaTypeOf(file: string): string {
  return TYPES[extname(file).toLowerCase()] ?? 'application/octet-stream';
}

export function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' });
  response.end(text);
}

function prefixOf(entry: StaticFolder): string {
  return `/${(entry.prefix ?? '').split('/').filter(Boolean).join('/')}`;
}

function pathBelow(prefix: string, path: string): string | undefined {
  if (prefix === '/') return path;
  if (path === prefix) return '/';
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : undefined;
}

/** A readable file below `root`, by its URL path; a folder stands for its `index.html`. */
async function findFile(root: string, path: string): Promise<string | undefined> {
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return undefined;
  }
  // Hidden files (.env, .git) and climbing out are never what a page needs.
  if (decoded.includes('\0') || decoded.split(/[\\/]/).some((part) => part.startsWith('.'))) return undefined;
  try {
    const realRoot = await realpath(root);
    let file = await realpath(join(realRoot, decoded));
    if ((await stat(file)).isDirectory()) file = await realpath(join(file, 'index.html'));
    // After links are resolved: one that points out of the folder leads nowhere.
    return file.startsWith(realRoot.endsWith(sep) ? realRoot : realRoot + sep) ? file : undefined;
  } catch {
    return undefined;
  }
}

function sendFile(request: IncomingMessage, response: ServerResponse, file: string): void {
  response.setHeader('Content-Type', mediaTypeOf(file));
  response.setHeader('Cache-Control', 'no-cache');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  const stream = createReadStream(file);
  stream.on('error', () => response.destroy());
  response.on('close', () => stream.destroy());
  stream.pipe(response);
}
