import { readdirSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { build } from 'vite';
import { compileSvelte, libraryAddress } from './serve-libraries.mjs';

/**
 * The tests, and the scripts of their frames and workers, each with what it imports, in some files that they share. To
 * load three or four hundred modules one by one, forty times in three engines, cost more than all tests together.
 *
 * The addresses of these files stay as they are. By address alone a page gets modules as before, one by one: what a test
 * imports by a path that it makes, and the libraries of `serve-libraries.mjs`.
 */

/** It imports a source again that it has already, and both must find the same modules. */
const MODULE_BY_MODULE = ['elements-modules-again.test.ts'];

const FOLDER = 'test/browser';

/** What pages and workers load by address. */
const SCRIPTS = [
  'agent-worker', 'plugin', 'reloading-page', 'script-tag-page', 'transport-frame', 'transport-worker', 'vectors-page',
  'worker-under-policy',
];

const PARTS = 'test/__parts__';

/**
 * @param {string} rootDir
 * @returns {Promise<ReadonlyMap<string, string>>} the files' text by their path, `/test/browser/values.test.ts`
 */
async function bundle(rootDir) {
  const tests = readdirSync(join(rootDir, FOLDER)).filter((name) => name.endsWith('.test.ts'));
  const entries = [
    ...tests.filter((name) => !MODULE_BY_MODULE.includes(name)),
    ...SCRIPTS.map((name) => `fixtures/${name}.ts`),
  ].map((name) => `${FOLDER}/${name}`);
  const built = await build({
    root: rootDir,
    configFile: false,
    logLevel: 'error',
    // The production builds of libraries, as users get them.
    resolve: { conditions: ['browser'] },
    plugins: [
      {
        name: 'as-served',
        enforce: 'pre',
        resolveId(source) {
          // Absolute addresses are the server's.
          const id = libraryAddress(source) ?? (source.startsWith('/__') ? source : undefined);
          return id === undefined ? undefined : { id, external: true };
        },
        transform(code, id) {
          if (id.endsWith('.svelte')) return compileSvelte(code, id);
          const path = relative(rootDir, id).replaceAll(sep, '/');
          if (id.includes('/node_modules/')) return undefined;
          // The package's `sideEffects` names built files: of these sources it would say that all have none.
          if (!code.includes('import.meta.url')) return { code, map: null, moduleSideEffects: true };
          // A module keeps its address: an entry has it, any other comes to stand in a part.
          const way = entries.includes(path) ? `./${basename(path)}` : `${PARTS.replaceAll(/[^/]+/g, '..')}/${path}`;
          // In two pieces: as one, Vite would take what it finds there for a picture, and put it into the text.
          const address = `new URL(''.concat(${JSON.stringify(way)}), import.meta.url).href`;
          return { code: code.replaceAll('import.meta.url', address), map: null, moduleSideEffects: true };
        },
      },
    ],
    build: {
      write: false,
      target: 'es2022',
      minify: false,
      sourcemap: true,
      modulePreload: false,
      rolldownOptions: {
        input: Object.fromEntries(entries.map((path) => [path, join(rootDir, path)])),
        // Every module runs, as when it is loaded by itself.
        treeshake: false,
        output: { entryFileNames: '[name]', chunkFileNames: `${PARTS}/[name]-[hash].js` },
      },
    },
  });
  const { output } = /** @type {{ output: { fileName: string, code?: string, source?: string | Uint8Array }[] }} */ (built);
  return new Map(output.map(({ fileName, code, source }) => [`/${fileName}`, code ?? String(source)]));
}

/**
 * Serves the test files that way. They are read once, so a run that watches for changes must do without.
 *
 * @param {string} rootDir
 * @returns {import('@web/dev-server-core').Middleware}
 */
export function serveBundledTests(rootDir) {
  /** @type {Promise<ReadonlyMap<string, string>> | undefined} */
  let files;
  return async (context, next) => {
    const { path } = context;
    if (!path.startsWith(`/${FOLDER}/`) && !path.startsWith(`/${PARTS}/`)) return next();
    const texts = await (files ??= bundle(rootDir));
    const text = texts.get(path) ?? texts.get(path.replace(/\.js$/, '.ts'));
    if (text === undefined) return next();
    context.type = path.endsWith('.map') ? 'json' : 'js';
    // The parts have a hash of their text in their names: an engine fetches each once.
    context.set('Cache-Control', path.startsWith(`/${PARTS}/`) ? 'public, max-age=3600, immutable' : 'no-cache');
    context.body = text;
  };
}
