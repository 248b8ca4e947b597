import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Installs what the demos of the frameworks need, and builds them, each with its own toolchain. What is there already
 * and has the same sources is left as it is: installing takes a minute on a machine that has never done it, and some
 * 250 MB.
 */

const HERE = fileURLToPath(new URL('.', import.meta.url));
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MODULES = join(HERE, 'node_modules');
const PACKAGE = join(MODULES, 'oui-elements');

/** Notes of what was made of what. Inside of `node_modules`, so that they go with it. */
const STAMPS = join(MODULES, '.stamps');

/** @typedef {{ readonly name: string, readonly program: string, readonly parameters: readonly string[], readonly cwd: string }} Build */

/** @type {readonly Build[]} The slowest first. */
const BUILDS = [
  // Angular's builder reads angular.json, which must be at the root of the workspace.
  { name: 'angular', program: '@angular-devkit/architect-cli/bin/cli.js', parameters: ['notes:build'], cwd: HERE },
  ...['react', 'vue', 'svelte'].map((name) => (
    { name, program: 'vite/bin/vite.js', parameters: ['build', '--logLevel', 'warn'], cwd: join(HERE, name) })),
];

/** How many builds run at once. */
const AT_ONCE = 2;

/**
 * Installs and builds what is not up to date.
 *
 * @param {(line: string) => void} [print] told what is done
 * @throws {Error} with the output of what failed
 */
export async function buildDemos(print = () => {}) {
  const lock = hashOf([join(HERE, 'package-lock.json')]);
  if (readStamp('install') !== lock) {
    print('Installing what the frameworks need …');
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
    await run('npm ci', npm, ['ci', '--no-audit', '--no-fund', '--prefer-offline'], HERE);
    writeStamp('install', lock);
  }
  const packed = packageFiles();
  const contents = hashOf(packed);
  if (readStamp('package') !== contents) {
    installPackage(packed);
    writeStamp('package', contents);
  }
  const shared = [join(HERE, 'angular.json'), ...filesIn(join(HERE, 'shared'))];
  const waiting = BUILDS.map((build) => {
    const sources = filesIn(join(HERE, build.name)).filter((file) => !file.includes(`${build.name}/dist/`));
    return { build, stamp: `${lock} ${contents} ${hashOf([...shared, ...sources])}` };
  }).filter(({ build, stamp }) => readStamp(build.name) !== stamp);
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { name, program, parameters, cwd } = next.build;
      print(`Building ${name} …`);
      await run(`The build of ${name}`, process.execPath, [join(MODULES, program), ...parameters], cwd);
      writeStamp(name, next.stamp);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** What the package has when it is published, by its own list. @returns {string[]} */
function packageFiles() {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  /** @type {string[]} */
  const listed = manifest.files;
  const left = listed.filter((name) => name.startsWith('!')).map((name) => join(ROOT, name.slice(1)));
  const files = listed.filter((name) => !name.startsWith('!')).flatMap((name) => filesIn(join(ROOT, name)));
  return [join(ROOT, 'package.json'), ...files].filter((file) => !left.some((folder) => file.startsWith(`${folder}/`)));
}

/**
 * Puts the package's files where a registry's would be. `npm ci` has made a link of it, in which a bundler would find
 * this project's own copies of the frameworks.
 *
 * @param {readonly string[]} files
 */
function installPackage(files) {
  if (!existsSync(join(ROOT, 'dist/oui.js'))) throw new Error('The library is not built yet. Run: npm run build');
  rmSync(PACKAGE, { recursive: true, force: true });
  for (const file of files) cpSync(file, join(PACKAGE, relative(ROOT, file)));
}

/** @param {string} path a file, or a folder @returns {string[]} */
function filesIn(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found ? [path] : [];
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)).sort();
}

/** @param {readonly string[]} files */
function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(relative(ROOT, file)).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

/** @param {string} name */
function readStamp(name) {
  const file = join(STAMPS, name);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/** @param {string} name @param {string} text */
function writeStamp(name, text) {
  mkdirSync(STAMPS, { recursive: true });
  writeFileSync(join(STAMPS, name), text);
}

/** @param {string} what @param {string} program @param {readonly string[]} parameters @param {string} cwd */
async function run(what, program, parameters, cwd) {
  // A test's environment would have bundlers take the development builds of libraries. npm leaves out half in production.
  const env = { ...process.env, NODE_ENV: program === process.execPath ? 'production' : 'development' };
  const shell = process.platform === 'win32';
  const child = spawn(program, parameters, { cwd, env, shell, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const collect = (/** @type {Buffer} */ chunk) => void (output += String(chunk));
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${what} failed (${code}):\n${output}`);
}
