import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { findBrowser, PATH_VARIABLES } from './find.mjs';

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
 * Installs what is missing for these engines, where that is allowed, and says so.
 *
 * @param {readonly Engine[]} missing
 * @returns {void}
 */
export function installBrowsers(missing) {
  if (missing.length === 0 || !mayInstall()) return;
  const packages = missing.flatMap((engine) => DEBIAN_PACKAGES[engine]);
  console.log(`Installing with apt-get (OUI_NO_INSTALL=1 forbids it): ${packages.join(' ')}`);
  const install = ['install', '-y', '--no-install-recommends', ...packages];
  // The package lists of a fresh image are absent or stale, and then the first try fails.
  if (!apt(['update']) || !apt(install)) console.log(`apt-get could not install ${packages.join(' ')}.`);
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
  installBrowsers(wanted.filter((engine) => findBrowser(engine) === undefined));
  const present = wanted.filter((engine) => findBrowser(engine) !== undefined);
  return { present, missing: wanted.filter((engine) => !present.includes(engine)) };
}
