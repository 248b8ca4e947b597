import { startWebKitDriver } from './webkit-process.mjs';

/**
 * Keys that WebDriver names by a code point (W3C WebDriver, "keyboard actions").
 *
 * @type {{ readonly [name: string]: string }}
 */
const KEYS = {
  Backspace: '\uE003',
  Tab: '\uE004',
  Enter: '\uE007',
  Shift: '\uE008',
  Control: '\uE009',
  Alt: '\uE00A',
  Escape: '\uE00C',
  Space: ' ',
  PageUp: '\uE00E',
  PageDown: '\uE00F',
  End: '\uE010',
  Home: '\uE011',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
  Delete: '\uE017',
  Meta: '\uE03D',
};

/** A page that takes longer to load than this is reported by whoever waits for it; the driver must not. */
const PAGE_LOAD_MS = 30_000;

/** A script in the page ends when its promise does; somebody else has a deadline for it. */
const SCRIPT_MS = 600_000;

/** One window of WebKitGTK's small browser, driven over plain W3C WebDriver. */
export class WebDriverSession {
  #url;
  #driver;

  /** @param {string} url of the session @param {{ stop: () => Promise<void> }} driver */
  constructor(url, driver) {
    this.#url = url;
    this.#driver = driver;
  }

  /** Opens a window. @param {import('./find.mjs').Browser} browser */
  static async open(browser) {
    const driver = await startWebKitDriver(browser);
    const alwaysMatch = {
      browserName: 'MiniBrowser',
      timeouts: { pageLoad: PAGE_LOAD_MS, script: SCRIPT_MS },
      'webkitgtk:browserOptions': { binary: browser.executable, args: ['--automation'] },
    };
    try {
      const value = await request('POST', `${driver.url}/session`, { capabilities: { alwaysMatch } });
      return new WebDriverSession(`${driver.url}/session/${/** @type {{ sessionId: string }} */ (value).sessionId}`, driver);
    } catch (error) {
      await driver.stop();
      throw error;
    }
  }

  /**
   * A command of W3C WebDriver, below the session.
   *
   * @param {'GET' | 'POST' | 'DELETE'} method
   * @param {string} path
   * @param {object} [body]
   */
  command(method, path, body) {
    return request(method, this.#url + path, body);
  }

  /** What an expression in the page comes to, its promise awaited. @param {string} expression @returns {Promise<any>} */
  async run(expression) {
    const script = `const done = arguments[0];
      (async () => (${expression}))().then((value) => done({ value }), (error) => done({ error: String(error) }));`;
    const { value, error } = /** @type {any} */ (await this.command('POST', '/execute/async', { script, args: [] }));
    if (error !== undefined) throw new Error(`In the page: ${error}`);
    return value;
  }

  /** Presses keys, one after the other: characters, or names such as `Enter`. @param {readonly string[]} keys */
  async press(keys) {
    const actions = keys
      .map((key) => KEYS[key] ?? key)
      .flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ]);
    await this.command('POST', '/actions', { actions: [{ type: 'key', id: 'keyboard', actions }] });
  }

  /** What the mouse does. @param {readonly object[]} actions as WebDriver has them */
  async point(actions) {
    const pointer = { type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions };
    await this.command('POST', '/actions', { actions: [pointer] });
  }

  /** Closes the window, and what was started for it. */
  async close() {
    await this.command('DELETE', '').catch(() => undefined);
    await this.#driver.stop();
  }
}

export class WebDriverError extends Error {
  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(`WebDriver: ${code}: ${message}`);
    this.code = code;
  }
}

/**
 * @param {string} method
 * @param {string} url
 * @param {object} [body]
 * @returns {Promise<unknown>}
 */
async function request(method, url, body) {
  const response = await fetch(url, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  const { value } = /** @type {{ value: any }} */ (await response.json());
  if (!response.ok) throw new WebDriverError(value?.error ?? String(response.status), value?.message ?? '');
  return value;
}
