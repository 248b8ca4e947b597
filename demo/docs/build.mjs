/** Writes the documentation to `dist/docs`. Runs after `tsc -b`. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildSite } from './site.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const files = await buildSite({
  root: ROOT,
  load: (path) => import(new URL(`../../dist/${path.replace(/\.ts$/, '.js')}`, import.meta.url).href),
});
rmSync(`${ROOT}/dist/docs`, { recursive: true, force: true });
mkdirSync(`${ROOT}/dist/docs`, { recursive: true });
for (const [name, text] of files) writeFileSync(`${ROOT}/dist/docs/${name}`, text);
