import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { findBrowser, findChromiumShell, PATH_VARIABLES } from './find.mjs';

/** @typedef {import('./find.mjs').Engine} Engine */

/** What each engine needs on Debian. WebKit has no headless mode, hence an X server. */
const DEBIAN_PACKAGES = {
  chromium: ['chromium'],
  firefox: ['firefox-esr'],
  webkit: ['webkit2gtk-driver', 'xvfb', 'dbus'],
};

/** Whether packages may be installed here: Debian, root, and not forbidden. */
function mayInstall() {
  return process.env.OUI_NO_INSTALL !== '1' && process.getuid?.() === 0 && existsSync('/etc/debian_version');
}

/** @param {readonly string[]} parameters */
function apt(parameters) {
  const done = spawnSync('apt-get', ['-qq', ...parameters], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  return done.status === 0;
}

/**
 * Installs these packages, where that is allowed, and says so.
 *
 * @param {readonly string[]} packages
 * @returns {void}
 */
function install(packages) {
  if (packages.length === 0 || !mayInstall()) return;
  console.log(`Installing with apt-get (OUI_NO_INSTALL=1 forbids it): ${packages.join(' ')}`);
  // The package lists of a fresh image are absent or stale, and then the first try fails.
  if (!apt(['update']) || !apt(['install', '-y', '--no-install-recommends', ...packages])) {
    console.log(`apt-get could not install ${packages.join(' ')}.`);
  }
}

/** Only Debian's Chromium comes with a shell in a package beside it. */
function lacksChromiumShell() {
  const { executable } = findChromiumShell() ?? {};
  return executable === '/usr/bin/chromium' && !process.env[PATH_VARIABLES.chromium];
}

/**
 * What to do about an engine that is not here, in one sentence.
 *
 * @param {Engine} engine
 * @returns {string}
 */
export function howToGet(engine) {
  const packages = `apt-get install -y --no-install-recommends ${DEBIAN_PACKAGES[engine].join(' ')}`;
  if (engine === 'webkit') {
    return `WebKit needs Linux with WebKitGTK's WebKitWebDriver and MiniBrowser, and Xvfb (Debian: ${packages}).`;
  }
  const name = engine === 'chromium' ? 'Chrome, Chromium or Edge' : 'Firefox';
  return `Install ${name} or point ${PATH_VARIABLES[engine]} at one (Debian: ${packages}).`;
}

/**
 * The engines that are here, after installing what may be installed.
 *
 * @param {readonly Engine[]} wanted
 * @returns {{ present: Engine[], missing: Engine[] }}
 */
export function provideBrowsers(wanted) {
  install(wanted.filter((engine) => findBrowser(engine) === undefined).flatMap((engine) => DEBIAN_PACKAGES[engine]));
  if (wanted.includes('chromium') && lacksChromiumShell()) install(['chromium-headless-shell']);
  const present = wanted.filter((engine) => findBrowser(engine) !== undefined);
  return { present, missing: wanted.filter((engine) => !present.includes(engine)) };
}
