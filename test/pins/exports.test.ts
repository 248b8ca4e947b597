import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BUNDLES } from '../../src/hub/static-files.js';
import { filesUnder, ROOT } from './project-sources.js';

interface Manifest {
  readonly name: string;
  readonly type: string;
  readonly license: string;
  readonly engines: object;
  readonly bin: { readonly [name: string]: string };
  readonly files: readonly string[];
  readonly sideEffects: readonly string[];
  readonly exports: { readonly [subpath: string]: string | { readonly types: string; readonly default: string } };
}

const manifest = JSON.parse(readFileSync(`${ROOT}/package.json`, 'utf8')) as Manifest;

/** The public face: each subpath and the module behind it, without its ending. Changing it is a decision. */
const MODULES: { readonly [subpath: string]: string } = {
  '.': 'src/entries/index',
  './spec': 'src/entries/spec',
  './core': 'src/entries/core',
  './transport': 'src/entries/transport',
  './agent': 'src/entries/agent',
  './compat': 'src/entries/compat',
  './compat/core': 'src/entries/compat-core',
  './compat/spec': 'src/entries/compat-spec',
  './compat/transport': 'src/entries/compat-transport',
  './plugins': 'src/entries/plugins',
  './react': 'src/entries/react',
  './vue': 'src/entries/vue',
  './svelte': 'src/entries/svelte',
  './angular': 'src/entries/angular',
  './hub': 'src/entries/hub',
  './testing': 'src/entries/testing',
  './testing/playwright': 'src/entries/testing-playwright',
  './testing/vitest': 'src/entries/testing-vitest',
  './worker': 'src/entries/worker',
  './elements': 'src/entries/elements',
  './elements/define': 'src/entries/elements-define',
  './elements/oui-action': 'elements/oui-action',
  './elements/oui-action/define': 'elements/oui-action.define',
  './elements/oui-approval': 'elements/oui-approval',
  './elements/oui-approval/define': 'elements/oui-approval.define',
  './elements/oui-frame': 'elements/oui-frame',
  './elements/oui-frame/define': 'elements/oui-frame.define',
  './elements/oui-hold': 'elements/oui-hold',
  './elements/oui-hold/define': 'elements/oui-hold.define',
  './elements/oui-inspector': 'elements/oui-inspector',
  './elements/oui-inspector/define': 'elements/oui-inspector.define',
  './elements/oui-observation': 'elements/oui-observation',
  './elements/oui-observation/define': 'elements/oui-observation.define',
  './elements/oui-param': 'elements/oui-param',
  './elements/oui-param/define': 'elements/oui-param.define',
  './elements/oui-presence': 'src/entries/elements-presence',
  './elements/oui-presence/define': 'src/entries/elements-presence-define',
  './elements/oui-runtime': 'src/entries/elements-runtime',
  './elements/oui-runtime/define': 'src/entries/elements-runtime-define',
  './elements/oui-surface': 'elements/oui-surface',
  './elements/oui-surface/define': 'elements/oui-surface.define',
};

/** Types alone, made from `custom-elements.json`; beside each is an empty module, for bundlers. */
const TYPES = ['./types', './types/react', './types/svelte', './types/vue'];

/** Files that are fetched by a page, not imported by a program. */
const FILES = [
  './dist/oui.js',
  './dist/oui.iife.js',
  './dist/oui.attachments.js',
  './dist/oui.compiler.js',
  './dist/oui.advice.js',
  './dist/oui.dialog.js',
  './dist/oui.presence.js',
  './dist/oui.engine.js',
  './dist/oui.extras.js',
  './dist/integrity.json',
  './dist/oui.fit.js',
  './dist/oui.frame.js',
  './dist/oui.inspector.js',
  './dist/oui.lit.js',
  './dist/oui.markup.js',
  './dist/oui.worker.js',
  './package.json',
];

describe('the package', () => {
  it('has these subpaths', () => {
    const modules = Object.entries(MODULES).map(([subpath, path]) => [
      subpath,
      { types: `./dist/${path}.d.ts`, default: `./dist/${path}.js` },
    ]);
    const types = TYPES.map((subpath) => {
      const path = `./dist/types/${subpath.replace(/^\.\/types\/?/, '') || 'index'}`;
      return [subpath, { types: `${path}.d.ts`, default: `${path}.js` }];
    });
    expect(manifest.exports).toEqual({
      ...Object.fromEntries([...modules, ...types, ...FILES.map((path) => [path, path])]),
      './custom-elements.json': './dist/custom-elements.json',
      './approval-vectors.json': './test/vectors/approval-vectors.json',
    });
  });

  it('has a source behind each', () => {
    const missing = Object.values(MODULES).filter((path) => !existsSync(`${ROOT}/${path}.ts`));
    expect(missing).toEqual([]);
  });

  it('has the script tag\'s files, which the hub serves, and whose sizes are held', () => {
    const scripts = FILES.filter((path) => path.endsWith('.js')).map((path) => path.replace('./dist/', '')).sort();
    expect([...BUNDLES].sort()).toEqual(scripts);
    const sizes = JSON.parse(readFileSync(`${ROOT}/.size-limit.json`, 'utf8')) as readonly { readonly path: string }[];
    const held = sizes.map(({ path }) => path.replace('dist/', '')).filter((path) => !path.startsWith('.build'));
    expect(held.sort()).toEqual(scripts);
  });

  it('has every element among them, with its define module', () => {
    const defined = filesUnder(['elements'], ['.define.ts']).map((path) => path.replace(/\.define\.ts$/, ''));
    const subpaths = defined.flatMap((path) => [`./${path}`, `./${path}/define`]);
    expect(Object.keys(MODULES).filter((subpath) => subpath.startsWith('./elements/oui-'))).toEqual(subpaths);
  });

  it('is what it says', () => {
    const { name, type, license, engines, bin } = manifest;
    expect({ name, type, license, engines, bin }).toEqual({
      name: 'oui-elements',
      type: 'module',
      license: 'MIT',
      engines: { node: '>=20.19' },
      bin: { oui: './dist/src/entries/cli.js' },
    });
  });

  it('lists the files with side effects that bundlers must keep', () => {
    expect(manifest.sideEffects).toEqual([
      './dist/elements/*.define.js',
      './dist/elements/define.js',
      // Entries that hand `<oui-runtime>` its wiring; a bundler would skip those that only re-export.
      './dist/src/entries/elements*.js',
      './dist/src/entries/oui.js',
      './dist/src/entries/testing-vitest.js',
      './dist/src/entries/cli.js',
      './dist/worker/engine-worker.js',
      './dist/oui.js',
      './dist/oui.iife.js',
      './dist/oui.worker.js',
    ]);
  });
});
