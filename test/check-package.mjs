import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { program, ROOT } from './child-process.mjs';

/** Packs the package as it would be published, and checks it. Expects that the build has run. */

/** Bundles for the script tag have no types: nothing imports them. */
const BUNDLES = [
  'oui', 'oui.iife', 'oui.advice', 'oui.attachments', 'oui.compiler', 'oui.dialog', 'oui.engine', 'oui.extras', 'oui.fit',
  'oui.frame', 'oui.inspector', 'oui.lit', 'oui.markup', 'oui.presence', 'oui.worker',
];
const WITHOUT_TYPES = BUNDLES.map((name) => `dist/${name}.js`);

/**
 * `tsc -b` does not delete what a removed source once made.
 *
 * @param {readonly { path: string }[]} files
 */
function withoutSource(files) {
  return files
    .map(({ path }) => path)
    .filter((path) => /^dist\/(src|elements|worker)\/.*\.js$/.test(path))
    .filter((path) => !existsSync(join(ROOT, path.replace(/^dist\//, '').replace(/\.js$/, '.ts'))));
}

/**
 * Runs a checker and shows its findings only when it has some: a clean table of sixty rows hides the next line.
 *
 * @param {string} name
 * @param {readonly string[]} parameters
 */
function isClean(name, parameters) {
  const { status, stdout, stderr } = spawnSync(process.execPath, parameters, { cwd: ROOT, encoding: 'utf8' });
  console.log(status === 0 ? `${name}: clean` : `${name}: not clean\n${stdout}${stderr}`);
  return status === 0;
}

const folder = mkdtempSync(join(tmpdir(), 'oui-pack-'));
try {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const packed = spawnSync(npm, ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: process.platform === 'win32',
  });
  const [{ filename, files, size, unpackedSize }] = JSON.parse(packed.stdout);
  const kilobytes = (/** @type {number} */ bytes) => `${Math.round(bytes / 1024)} KB`;
  console.log(`${filename}: ${files.length} files, ${kilobytes(size)}, unpacked ${kilobytes(unpackedSize)}`);

  const stale = withoutSource(files);
  if (stale.length > 0) console.log(`Left over from removed sources (npm run clean): ${stale.join(', ')}`);

  const tarball = join(folder, filename);
  const publint = isClean('publint', [program('publint/src/cli.js'), 'run', tarball, '--strict']);
  const attw = isClean('attw', [
    program('@arethetypeswrong/cli/dist/index.js'),
    tarball,
    ...['--profile', 'esm-only', '--format', 'table-flipped', '--no-color', '--no-emoji'],
    ...['--exclude-entrypoints', ...WITHOUT_TYPES],
  ]);
  process.exitCode = stale.length === 0 && publint && attw ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true });
}
