import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { program, ROOT } from './child-process.mjs';

/** Holds the sizes in `.size-limit.json`. Expects that the build has run. */

const FOLDER = join(ROOT, 'dist/.build/sizes');

/**
 * The core as an application's bundler makes it: what is loaded later is not counted, and neither is the worker script,
 * which is a file of its own.
 */
async function bundleCore() {
  mkdirSync(FOLDER, { recursive: true });
  const entry = join(FOLDER, 'core.entry.js');
  writeFileSync(entry, "export { createSurfaceRuntime, defineSurface } from '../../src/entries/core.js';\n");
  await build({
    configFile: false,
    logLevel: 'warn',
    root: ROOT,
    plugins: [
      {
        name: 'loaded-later',
        enforce: 'pre',
        resolveId: (source, _importer, { kind }) =>
          kind === 'dynamic-import' ? { id: source, external: true } : null,
      },
    ],
    build: {
      target: 'es2022',
      outDir: FOLDER,
      emptyOutDir: false,
      copyPublicDir: false,
      assetsInlineLimit: 0,
      modulePreload: false,
      rolldownOptions: {
        input: entry,
        preserveEntrySignatures: 'strict',
        output: { entryFileNames: 'core.js', comments: { annotation: false } },
      },
    },
  });
}

await bundleCore();
const { status } = spawnSync(process.execPath, [program('size-limit/bin.js')], { cwd: ROOT, stdio: 'inherit' });
process.exitCode = status ?? 1;
