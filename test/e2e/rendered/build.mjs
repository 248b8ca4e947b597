import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createElement } from 'react';
import { renderToString as renderReact } from 'react-dom/server';
import { compile } from 'svelte/compiler';
import { render as renderSvelte } from 'svelte/server';
import { build } from 'vite';
import { createSSRApp } from 'vue';
import { compileScript, parse } from 'vue/compiler-sfc';
import { renderToString as renderVue } from 'vue/server-renderer';

/**
 * Renders one page with each framework as its server does, in plain Node, and builds what hydrates it, for production and
 * for development: `node build.mjs FOLDER` writes `vue-production/index.html` and so on. The folder is inside of the
 * package, so that Node finds the package by its own name.
 */

const HERE = dirname(fileURLToPath(import.meta.url));
const OUT = /** @type {string} */ (process.argv[2]);
const BUILDS = /** @type {const} */ (['production', 'development']);

/** A component of Vue's, its template compiled into it. @param {string} file @param {{ ssr: boolean, isProd: boolean }} how */
function compileVue(file, { ssr, isProd }) {
  const templateParseOptions = { isCustomElement: (/** @type {string} */ tag) => tag.startsWith('oui-') };
  const { descriptor } = parse(readFileSync(file, 'utf8'), { filename: file, templateParseOptions });
  const templateOptions = { ssr, ssrCssVars: [], compilerOptions: templateParseOptions };
  return compileScript(descriptor, { id: 'page', isProd, inlineTemplate: true, templateOptions }).content;
}

/** @param {string} file @param {'client' | 'server'} generate @param {boolean} dev */
function compileSvelte(file, generate, dev) {
  return compile(readFileSync(file, 'utf8'), { filename: file, generate, dev }).js.code;
}

/** What a server answers. @returns {Promise<{ readonly [framework: string]: string }>} */
async function renderPages() {
  const server = join(OUT, 'server');
  mkdirSync(server, { recursive: true });
  for (const name of ['bound-surface.js', 'react-page.js']) cpSync(join(HERE, name), join(server, name));
  writeFileSync(join(server, 'vue-page.js'), compileVue(join(HERE, 'Page.vue'), { ssr: true, isProd: true }));
  writeFileSync(join(server, 'svelte-page.js'), compileSvelte(join(HERE, 'Page.svelte'), 'server', false));
  const load = (/** @type {string} */ name) => import(pathToFileURL(join(server, name)).href);
  const { createSurfaceRuntime } = await import('oui-elements/core');
  const { surfaceRuntimeKey } = await import('oui-elements/vue');
  const runtime = createSurfaceRuntime();
  const app = createSSRApp((await load('vue-page.js')).default);
  app.provide(surfaceRuntimeKey, runtime);
  return {
    vue: await renderVue(app),
    svelte: renderSvelte((await load('svelte-page.js')).default, { props: { runtime } }).body,
    react: renderReact(createElement((await load('react-page.js')).Page, { runtime })),
  };
}

/** @param {string} framework @param {'production' | 'development'} mode */
async function buildClient(framework, mode) {
  await build({
    configFile: false,
    logLevel: 'error',
    mode,
    define: {
      'process.env.NODE_ENV': JSON.stringify(mode),
      '__VUE_OPTIONS_API__': 'true',
      '__VUE_PROD_DEVTOOLS__': 'false',
      '__VUE_PROD_HYDRATION_MISMATCH_DETAILS__': 'false',
    },
    resolve: { conditions: ['browser', 'module', mode] },
    plugins: [
      {
        name: 'as-served',
        enforce: 'pre',
        // One copy of the core, with the elements: the hub's script.
        resolveId: (source) => (source === 'oui-elements/core' ? { id: '/oui.js', external: true } : undefined),
        load(id) {
          const isProd = mode === 'production';
          if (id.endsWith('.vue')) return compileVue(id, { ssr: false, isProd });
          return id.endsWith('.svelte') ? compileSvelte(id, 'client', !isProd) : undefined;
        },
      },
    ],
    build: {
      outDir: join(OUT, `${framework}-${mode}`),
      minify: false,
      modulePreload: false,
      rolldownOptions: {
        input: join(HERE, `${framework}-client.js`),
        output: { entryFileNames: 'client.js' },
      },
    },
  });
}

const pages = await renderPages();
for (const [framework, markup] of Object.entries(pages)) {
  for (const mode of BUILDS) {
    await buildClient(framework, mode);
    writeFileSync(join(OUT, `${framework}-${mode}`, 'index.html'), `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <title>Rendered by ${framework}</title>
  <link rel="icon" href="data:,">
</head>
<body>
  <div id="page">${markup}</div>
  <script type="module" src="client.js"></script>
</body>
</html>
`);
  }
}
