import { accessSync, constants, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

/**
 * Where the three engines are on this machine.
 *
 * @typedef {'chromium' | 'firefox' | 'webkit'} Engine
 * @typedef {{ engine: Engine, executable: string, driver?: string, display?: string }} Browser
 *   `executable` is the browser. WebKit also has the `driver` that speaks WebDriver for it, and the X server
 *   (`display`) that it needs, since it has no headless mode.
 */

/** @type {readonly Engine[]} */
export const ENGINES = ['chromium', 'firefox', 'webkit'];

/** Environment variables that name a browser of one's own. */
export const PATH_VARIABLES = { chromium: 'CHROME_PATH', firefox: 'FIREFOX_PATH' };

/** @type {{ chromium: readonly string[], firefox: readonly string[] }} */
const COMMANDS = {
  chromium: ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'microsoft-edge'],
  firefox: ['firefox-esr', 'firefox'],
};

/** @param {string | undefined} path */
function isExecutable(path) {
  if (path === undefined) return false;
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** @param {string} command */
function onPath(command) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, command)).find(isExecutable);
}

/** The places outside `PATH` where installers put browsers. @param {'chromium' | 'firefox'} engine */
function usualPlaces(engine) {
  if (process.platform === 'darwin') {
    const names =
      engine === 'firefox'
        ? ['Firefox.app/Contents/MacOS/firefox']
        : [
            'Google Chrome.app/Contents/MacOS/Google Chrome',
            'Chromium.app/Contents/MacOS/Chromium',
            'Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
          ];
    return ['/Applications', join(homedir(), 'Applications')].flatMap((root) => names.map((name) => join(root, name)));
  }
  if (process.platform === 'win32') {
    const names =
      engine === 'firefox'
        ? ['Mozilla Firefox\\firefox.exe']
        : ['Google\\Chrome\\Application\\chrome.exe', 'Microsoft\\Edge\\Application\\msedge.exe'];
    const roots = [process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA];
    return roots.flatMap((root) => (root === undefined ? [] : names.map((name) => join(root, name))));
  }
  return engine === 'firefox' ? ['/snap/bin/firefox'] : ['/opt/google/chrome/chrome', '/snap/bin/chromium'];
}

/**
 * Chromium's engine without its window and tabs. It does the same for a page at a quarter of the processor time, so tests
 * of pages that no tab hides use it. Where it is missing, or where `CHROME_PATH` names a browser, that one is used.
 *
 * @returns {Browser | undefined}
 */
export function findChromiumShell() {
  const chromium = findBrowser('chromium');
  const given = process.env[PATH_VARIABLES.chromium];
  const alone = (given === undefined || given === '') && isExecutable(CHROMIUM_SHELL);
  return alone ? { engine: 'chromium', executable: CHROMIUM_SHELL } : chromium;
}

/** Where Debian has it. The command on the PATH is a script that does not pass on the signal to end. */
const CHROMIUM_SHELL = '/usr/lib/chromium/chromium-headless-shell';

/** @param {string} folder @returns {string[]} */
function subfolders(folder) {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** WebKitGTK's small browser lives in a folder of the library, which distributions put in different places. */
function miniBrowser() {
  const multiArch = subfolders('/usr/lib').filter((path) => path.includes('-linux-'));
  const roots = ['/usr/libexec', '/usr/lib64', '/usr/lib', ...multiArch];
  const libraries = ['webkit2gtk-4.1', 'webkitgtk-6.0', 'webkit2gtk-4.0'];
  return roots.flatMap((root) => libraries.map((library) => join(root, library, 'MiniBrowser'))).find(isExecutable);
}

/** @returns {Browser | undefined} */
function findWebKit() {
  const executable = miniBrowser();
  const driver = onPath('WebKitWebDriver');
  const display = onPath('Xvfb');
  if (executable === undefined || driver === undefined || display === undefined) return undefined;
  return { engine: 'webkit', executable, driver, display };
}

/**
 * Finds one engine. A path given by its environment variable wins over the usual places.
 *
 * @param {Engine} engine
 * @returns {Browser | undefined}
 * @throws {Error} when the environment variable names no executable file
 */
export function findBrowser(engine) {
  if (engine === 'webkit') return findWebKit();
  const variable = PATH_VARIABLES[engine];
  const given = process.env[variable];
  if (given !== undefined && given !== '') {
    if (!isExecutable(given)) throw new Error(`${variable} is "${given}", which is no executable file.`);
    return { engine, executable: given };
  }
  const executable = COMMANDS[engine].map(onPath).find(Boolean) ?? usualPlaces(engine).find(isExecutable);
  return executable === undefined ? undefined : { engine, executable };
}
