import { defineConfig, type EnvironmentOptions, type Plugin } from 'vite';

/** The bundles for pages without a build step. Everything else in `dist/` is made by `tsc -b`. */
const BUNDLES: { readonly [environment: string]: Bundle } = {
  page: { entry: 'src/entries/oui.ts', file: 'oui.js', format: 'es' },
  script: { entry: 'src/entries/oui.ts', file: 'oui.iife.js', format: 'iife', global: 'OUI' },
  engine: { entry: 'src/entries/engine.ts', file: 'oui.engine.js', format: 'es' },
  attachments: { entry: 'src/surface/requests/open-attachments.ts', file: 'oui.attachments.js', format: 'es' },
  compiler: { entry: 'src/entries/compiler.ts', file: 'oui.compiler.js', format: 'es' },
  dialog: { entry: 'elements/approval-dialog.ts', file: 'oui.dialog.js', format: 'es' },
  advice: { entry: 'src/entries/advice.ts', file: 'oui.advice.js', format: 'es' },
  markup: { entry: 'elements/page/markup-alone.ts', file: 'oui.markup.js', format: 'es' },
  presence: { entry: 'elements/presence-panel.ts', file: 'oui.presence.js', format: 'es' },
  worker: { entry: 'worker/engine-worker.ts', file: 'oui.worker.js', format: 'iife' },
};

interface Bundle {
  readonly entry: string;
  readonly file: string;
  /** `iife` runs as a classic script and as a module, in a page and in a worker. */
  readonly format: 'es' | 'iife';
  /** The global variable that holds the exports of an `iife`. */
  readonly global?: string;
}

/** A classic script has no `import.meta`, and `document.currentScript` is null once the script has run. */
const SCRIPT_URL = '__ouiScriptUrl';
const SCRIPT_URL_INTRO = `var ${SCRIPT_URL} = document.currentScript?.src;`;

/**
 * One build per bundle: each file stands alone. What `oui.js` loads is none of its chunks, since the classic script loads
 * the same files, and a chunk would bring a second copy of the page's code along.
 */
function environment({ entry, file, format, global }: Bundle): EnvironmentOptions {
  const classic = format === 'iife';
  return {
    consumer: 'client',
    ...(classic ? { define: { 'import.meta.url': SCRIPT_URL } } : {}),
    build: {
      lib: { entry, formats: [format], fileName: () => file, name: global ?? 'unused' },
      outDir: 'dist',
      emptyOutDir: false,
      copyPublicDir: false,
      sourcemap: true,
      target: 'es2022',
      rolldownOptions: {
        optimization: { inlineConst: true },
        output: {
          codeSplitting: false,
          minify: true,
          // Notes for bundlers; nothing bundles these files again.
          comments: { annotation: false },
          ...(global === undefined ? {} : { intro: SCRIPT_URL_INTRO }),
        },
      },
    },
  };
}

/**
 * The page's code loads this module when markup first needs it. In a bundle it is the file beside: an address in
 * `import()` counts from the script that it stands in, in a classic script too.
 */
const markupBeside: Plugin = {
  name: 'markup-beside',
  enforce: 'pre',
  resolveId(source, importer) {
    const isLoader = source.endsWith('/page/markup-alone.js') && importer?.endsWith('/markup-loader.ts');
    return isLoader ? { id: './oui.markup.js', external: true } : null;
  },
};

export default defineConfig({
  logLevel: 'warn',
  plugins: [markupBeside],
  builder: {
    async buildApp(builder) {
      for (const name of Object.keys(BUNDLES)) await builder.build(builder.environments[name]!);
    },
  },
  environments: Object.fromEntries(Object.entries(BUNDLES).map(([name, bundle]) => [name, environment(bundle)])),
});
