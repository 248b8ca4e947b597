import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { filesUnder, ROOT } from './project-sources.js';

/**
 * Everything can be imported where there is no DOM: servers render pages, and tools read definitions. Each import
 * runs in a plain Node of its own, on the built files, and must do nothing else: no output, no globals, no timers.
 */

const run = promisify(execFile);

interface Manifest {
  readonly name: string;
  readonly exports: { readonly [subpath: string]: string | object };
}

const { name, exports } = JSON.parse(readFileSync(`${ROOT}/package.json`, 'utf8')) as Manifest;
const subpaths = Object.entries(exports).flatMap(([subpath, target]) => (typeof target === 'object' ? [subpath] : []));

/** Imports modules one after another in one process and tells which global names appeared. */
async function importAll(specifiers: readonly string[]): Promise<{ globals: string[]; names: string[][] }> {
  const code = `
    const before = new Set(Object.getOwnPropertyNames(globalThis));
    const names = [];
    for (const specifier of ${JSON.stringify(specifiers)}) {
      try {
        names.push(Object.keys(await import(specifier)));
      } catch (error) {
        throw new Error('import of ' + specifier + ' failed', { cause: error });
      }
    }
    const globals = Object.getOwnPropertyNames(globalThis).filter((name) => !before.has(name));
    process.stdout.write(JSON.stringify({ globals, names }));
  `;
  const { stdout, stderr } = await run(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: ROOT,
    // A timer or a socket left open would keep the process alive.
    timeout: 20_000,
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout) as { globals: string[]; names: string[][] };
}

/** What libraries leave behind: Lit's stand-ins for a DOM and its version notes, zod's registry, Vue's and Angular's. */
const OF_LIBRARIES = /^(lit\w+|reactiveElementVersions|customElements|__zod_\w+|__VUE_\w+|devtoolsFormatters|ngDevMode)$/;

describe('in plain Node', () => {
  it('every subpath imports by its public name', async () => {
    const { globals, names } = await importAll(subpaths.map((subpath) => `${name}${subpath.slice(1)}`));
    expect(globals.filter((added) => !OF_LIBRARIES.test(added))).toEqual([]);
    // What defines elements exports nothing, and what is types alone has nothing to export.
    const withoutNames = subpaths.filter((_, index) => names[index]?.length === 0);
    expect(withoutNames.filter((subpath) => !/\/define$|^\.\/types\b/.test(subpath))).toEqual([]);
  });

  it('every module of the page imports by itself', async () => {
    const modules = filesUnder(['src/surface', 'src/transports', 'elements'], ['.ts'])
      .filter((path) => !path.endsWith('.d.ts'))
      .map((path) => `./dist/${path.replace(/\.ts$/, '.js')}`);
    const { globals } = await importAll(modules);
    expect(globals.filter((added) => !OF_LIBRARIES.test(added))).toEqual([]);
  });

  // Applications built for development resolve Lit by the condition `development`; its warnings are then theirs.
  it("Lit's development build finds nothing to warn about in the element classes", async () => {
    const code = `
      const classes = Object.values(await import('${name}/elements')).filter((value) => value.observedAttributes);
      const warned = [...globalThis.litIssuedWarnings].filter((text) => !text.includes('dev mode') && text !== 'dev-mode');
      process.stdout.write(JSON.stringify({ classes: classes.length, warned }));
    `;
    const { stdout } = await run(process.execPath, ['--conditions=development', '--input-type=module', '--eval', code], {
      cwd: ROOT, timeout: 20_000,
    });
    const { classes, warned } = JSON.parse(stdout) as { classes: number; warned: string[] };
    expect(classes).toBe(Object.keys(exports).filter((path) => /^\.\/elements\/oui-\w+$/.test(path)).length);
    expect(warned).toEqual([]);
  });
});
