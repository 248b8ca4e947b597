import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
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
  fit: { entry: 'src/rules/fit-steps.ts', file: 'oui.fit.js', format: 'es' },
  frame: { entry: 'src/entries/frame.ts', file: 'oui.frame.js', format: 'es' },
  inspector: { entry: 'elements/inspector/open-inspector.ts', file: 'oui.inspector.js', format: 'es' },
  lit: { entry: 'elements/lit-parts.ts', file: 'oui.lit.js', format: 'es' },
  markup: { entry: 'elements/page/markup-alone.ts', file: 'oui.markup.js', format: 'es' },
  extras: { entry: 'worker/engine-extras.ts', file: 'oui.extras.js', format: 'es' },
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
 * Modules that the page's code loads when they are first needed, by the module that does. In a bundle they are files
 * beside: an address in `import()` counts from the script that it stands in, in a classic script too.
 */
const LOADED_BESIDE: readonly { readonly by: string; readonly module: string; readonly file: string }[] = [
  { by: '/markup-loader.ts', module: '/page/markup-alone.js', file: './oui.markup.js' },
  { by: '/frame-loader.ts', module: '/bridges/mount-frame.js', file: './oui.frame.js' },
  { by: '/inspector-loader.ts', module: '/inspector/open-inspector.js', file: './oui.inspector.js' },
  { by: '/late-fit-steps.ts', module: '/rules/fit-steps.js', file: './oui.fit.js' },
];

const loadedBeside: Plugin = {
  name: 'loaded-beside',
  enforce: 'pre',
  resolveId(source, importer) {
    const found = LOADED_BESIDE.find(({ by, module }) => source.endsWith(module) && importer?.endsWith(by));
    return found ? { id: found.file, external: true } : null;
  },
};

/** Elements that draw share one `oui.lit.js`. */
const oneLit: Plugin = {
  name: 'one-lit',
  enforce: 'pre',
  resolveId(source, importer = '') {
    const draws = /^lit($|\/)/.test(source) && /\/elements\//.test(importer) && !importer.endsWith('/lit-parts.ts');
    return draws ? { id: './oui.lit.js', external: true } : null;
  },
};

interface Change {
  readonly file: RegExp;
  readonly from: RegExp;
  readonly to: string;
  /** An import that this needs. */
  readonly header?: string;
}

const TRUSTED_POLICY = fileURLToPath(new URL('src/protocol/trusted-policy.ts', import.meta.url));

/** What libraries do when they are loaded, and what they do in a bundle instead. */
const CHANGES: readonly Change[] = [
  // A Trusted Types policy of its own: the library's is taken, so that a page that lists its policies lists one.
  {
    file: /\/lit-html\/lit-html\.js$/,
    from: /\w+\.createPolicy\("lit-html",\{createHTML:(\w+)=>\1\}\)/,
    to: 'trustedPolicy()',
    header: `import { trustedPolicy } from ${JSON.stringify(TRUSTED_POLICY)};`,
  },
  // An address made of the worker's own, which throws in a worker made of a Blob.
  {
    file: /\/@cfworker\/json-schema\/.*\/dereference\.js$/,
    from: /(?<=initialBaseURI = )typeof self [^;]*?:\s*(?=new URL\('https)/,
    to: '',
  },
];

const changed: Plugin = {
  name: 'changed',
  transform(code, id) {
    const change = CHANGES.find(({ file }) => file.test(id));
    if (!change) return null;
    if (!change.from.test(code)) this.error(`${id} has become another: see whether CHANGES needs a line for it still.`);
    return { code: (change.header ?? '') + code.replace(change.from, change.to), map: null };
  },
};

/** See `no-signals.ts`. */
const noSignals: Plugin = {
  name: 'no-signals',
  enforce: 'pre',
  resolveId: (source) =>
    source === '@preact/signals-core' ? fileURLToPath(new URL('src/entries/no-signals.ts', import.meta.url)) : null,
};

const LATE_IN_PAGE = { 'fit-steps.js': 'src/entries/late-fit-steps.ts' };

/**
 * Modules with a stand-in of the same type, which has what comes later when it is there: in the worker's script that is
 * `oui.extras.js`. In the package's modules, and in the engine for the page, everything is whole.
 */
const STAND_INS: { readonly [environment: string]: { readonly [module: string]: string } } = {
  page: LATE_IN_PAGE,
  script: LATE_IN_PAGE,
  worker: {
    'attachment-schema.js': 'worker/late-attachments.ts',
    'declared-attachments.js': 'worker/late-attachments.ts',
    'fit-steps.js': 'worker/late-fit-steps.ts',
    'guarded-patterns.js': 'worker/late-patterns.ts',
    'index-entry.js': 'worker/late-index-entry.ts',
    'own-actions.js': 'worker/late-own-actions.ts',
  },
};

const standIns: Plugin = {
  name: 'stand-ins',
  enforce: 'pre',
  resolveId(source, importer) {
    const late = STAND_INS[this.environment.name]?.[source.slice(source.lastIndexOf('/') + 1)];
    return late && !importer?.includes('/late-') ? fileURLToPath(new URL(late, import.meta.url)) : null;
  },
};

/** `dist/integrity.json`: what `integrity` of a script tag, or of an import map, says of each file. */
function writeIntegrity(): void {
  const hash = (file: string): string => createHash('sha384').update(readFileSync(`dist/${file}`)).digest('base64');
  const files = Object.values(BUNDLES).map(({ file }) => [file, `sha384-${hash(file)}`]);
  writeFileSync('dist/integrity.json', `${JSON.stringify(Object.fromEntries(files), null, 2)}\n`);
}

export default defineConfig({
  logLevel: 'warn',
  plugins: [loadedBeside, oneLit, changed, noSignals, standIns],
  builder: {
    async buildApp(builder) {
      for (const name of Object.keys(BUNDLES)) await builder.build(builder.environments[name]!);
      writeIntegrity();
    },
  },
  environments: Object.fromEntries(Object.entries(BUNDLES).map(([name, bundle]) => [name, environment(bundle)])),
});
