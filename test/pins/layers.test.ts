import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LAYERS, layerOf } from './layer-table.js';
import { ROOT, shippedSources } from './project-sources.js';

const sources = shippedSources();

/** `lit/html.js` → `lit`, `@noble/hashes/sha2.js` → `@noble/hashes`, `node:fs` → `node:`. */
function packageName(specifier: string): string {
  if (specifier.startsWith('node:')) return 'node:';
  return specifier.split('/').slice(0, specifier.startsWith('@') ? 2 : 1).join('/');
}

function targetOf(path: string, specifier: string): string {
  return posix.normalize(posix.join(posix.dirname(path), specifier));
}

const relative = sources.flatMap(({ path, imports }) =>
  imports.filter((name) => name.startsWith('.')).map((specifier) => ({ path, specifier })),
);
const external = sources.flatMap(({ path, imports }) =>
  imports.filter((name) => !name.startsWith('.')).map((specifier) => ({ path, specifier })),
);

describe('layers', () => {
  it('finds the sources and their imports', () => {
    expect(sources.length).toBeGreaterThan(50);
    expect(relative.length).toBeGreaterThan(100);
    expect(external.length).toBeGreaterThan(5);
  });

  it('holds every source in a layer of the table', () => {
    expect(sources.map(({ path }) => path).filter((path) => layerOf(path) === undefined)).toEqual([]);
  });

  it('imports from the layers above only', () => {
    const wrong = relative.filter(({ path, specifier }) => {
      const from = layerOf(path);
      const to = layerOf(targetOf(path, specifier));
      return from === undefined || to === undefined || (to !== from && !from.layers.includes(to.folder));
    });
    expect(wrong).toEqual([]);
  });

  it('imports packages only where the table names them', () => {
    const wrong = external.filter(({ path, specifier }) => !layerOf(path)?.packages.includes(packageName(specifier)));
    expect(wrong).toEqual([]);
  });

  it('writes relative imports with the ending .js of a file that exists', () => {
    const wrong = relative.filter(
      ({ path, specifier }) =>
        !specifier.endsWith('.js') || !existsSync(`${ROOT}/${targetOf(path, specifier).replace(/\.js$/, '.ts')}`),
    );
    expect(wrong).toEqual([]);
  });

  it('lets no layer import a later one, in the table itself', () => {
    const order = LAYERS.map(({ folder }) => folder);
    const wrong = LAYERS.flatMap(({ folder, layers }) =>
      layers.filter((other) => order.indexOf(other) >= order.indexOf(folder)).map((other) => `${folder} → ${other}`),
    );
    expect(wrong).toEqual([]);
  });

  it('depends at run time on exactly the packages that are imported', () => {
    const manifest = JSON.parse(readFileSync(`${ROOT}/package.json`, 'utf8')) as {
      readonly dependencies: object;
      readonly peerDependencies: object;
    };
    // A framework's bindings are for pages that have the framework. The fixture for Playwright imports nothing of it.
    const { '@playwright/test': _fixtures, ...peers } = manifest.peerDependencies as { readonly [name: string]: string };
    const imported = new Set(external.map(({ specifier }) => packageName(specifier)));
    const declared = ['node:', ...Object.keys(manifest.dependencies), ...Object.keys(peers)];
    expect(declared.sort()).toEqual([...imported].sort());
  });

  it('has no other folders', () => {
    const made = ['node_modules', 'dist', 'coverage', 'test-results'];
    const folders = readdirSync(ROOT, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !made.includes(entry.name))
      .map(({ name }) => name);
    expect(folders.sort()).toEqual(['demo', 'elements', 'src', 'test', 'worker']);
    const layers = readdirSync(`${ROOT}/src`).map((name) => `src/${name}`);
    expect(layers.filter((folder) => !LAYERS.some((layer) => layer.folder === folder))).toEqual([]);
  });
});
