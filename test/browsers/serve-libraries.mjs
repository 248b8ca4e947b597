import { createRequire } from 'node:module';
import { compile } from 'svelte/compiler';
import { build } from 'vite';

/**
 * Libraries that are no modules as a browser takes them (React is CommonJS, Vue asks for `process.env`), made into
 * modules when a test first imports one. Development builds: in them React runs effects twice under StrictMode.
 */
const LIBRARIES = [
  'react', 'react/jsx-runtime', 'react-dom', 'react-dom/client', 'react-dom/server', 'vue', '@vue/server-renderer',
  'svelte', 'svelte/store', 'svelte/internal/client', 'svelte/internal/disclose-version', 'socket.io-client',
];

const FOLDER = '/__libraries__/';
const require = createRequire(import.meta.url);

/** @param {string} library */
const fileOf = (library) => `${library.replace('@', '').replaceAll('/', '-')}.js`;

/** What re-exports a library by name; a CommonJS module has its names only once it has run. @param {string} library */
function entryOf(library) {
  if (!library.startsWith('react')) return `export * from '${library}';`;
  const names = Object.keys(require(library)).filter((name) => name !== 'default' && !name.startsWith('__'));
  return `import all from '${library}';\nexport const { ${names.join(', ')} } = all;\nexport default all;\n`;
}

/** Read before Vite builds: from then on this process is said to be a production, and gets other modules. */
const ENTRIES = new Map(LIBRARIES.map((library) => [library, entryOf(library)]));

/** All in one build, so that what two of them share is there once. @returns {Promise<Map<string, string>>} */
async function buildLibraries() {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    define: {
      'process.env.NODE_ENV': '"development"',
      __VUE_OPTIONS_API__: 'true',
      __VUE_PROD_DEVTOOLS__: 'false',
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
    },
    plugins: [
      {
        name: 'library-entries',
        enforce: 'pre',
        resolveId: (id) => (id.startsWith('library:') ? `\0${id}` : undefined),
        load: (id) => (id.startsWith('\0library:') ? ENTRIES.get(id.slice('\0library:'.length)) : undefined),
      },
    ],
    build: {
      write: false,
      minify: false,
      rolldownOptions: {
        input: Object.fromEntries(LIBRARIES.map((library) => [fileOf(library), `library:${library}`])),
        preserveEntrySignatures: 'strict',
        output: { entryFileNames: '[name]' },
      },
    },
  });
  const { output } = /** @type {{ output: { fileName: string, code?: string }[] }} */ (built);
  return new Map(output.map(({ fileName, code = '' }) => [FOLDER + fileName, code]));
}

/** Where one of these is served. @param {string} source as it is imported */
export const libraryAddress = (source) => (LIBRARIES.includes(source) ? FOLDER + fileOf(source) : undefined);

/** A component of Svelte's, compiled for the browser. @param {string} code @param {string} filename */
export const compileSvelte = (code, filename) => compile(code, { filename, generate: 'client', dev: false }).js.code;

/** Serves such components. @returns {import('@web/dev-server-core').Plugin} */
export function sveltePlugin() {
  return {
    name: 'svelte',
    resolveMimeType: ({ path }) => (path.endsWith('.svelte') ? 'js' : undefined),
    transform({ path, body }) {
      if (!path.endsWith('.svelte')) return undefined;
      return compileSvelte(String(body), path);
    },
  };
}

/** Serves these libraries to the tests. @returns {import('@web/dev-server-core').Plugin} */
export function librariesPlugin() {
  /** @type {Promise<Map<string, string>> | undefined} */
  let files;
  return {
    name: 'libraries',
    resolveImport: ({ source }) => libraryAddress(source),
    async serve({ path }) {
      if (!path.startsWith(FOLDER)) return undefined;
      const code = (await (files ??= buildLibraries())).get(path);
      return code === undefined ? undefined : { body: code, type: 'js' };
    },
  };
}
