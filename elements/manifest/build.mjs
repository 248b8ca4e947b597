/**
 * Writes `dist/custom-elements.json`, and what is made of it: data for editors, types for frameworks.
 * Runs after `tsc -b`: the classes are asked too.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { analyze } from './analyze.mjs';
import { cssData, htmlData } from './editor-data.mjs';
import { typeFiles } from './type-files.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const { manifest } = await analyze(ROOT, (path) => (
  import(new URL(`../../dist/${path.replace(/\.ts$/, '.js')}`, import.meta.url).href)));

mkdirSync(`${ROOT}/dist/types`, { recursive: true });
write('custom-elements.json', json(manifest));
write('html-custom-data.json', json(htmlData(manifest)));
write('css-custom-data.json', json(cssData(manifest)));
for (const [name, text] of Object.entries(typeFiles(manifest))) write(`types/${name}`, text);

/** @param {string} name @param {string} text */
function write(name, text) {
  writeFileSync(`${ROOT}/dist/${name}`, text);
}

/** @param {unknown} value */
function json(value) {
  return `${JSON.stringify(value, null, 2)}\n`;
}
