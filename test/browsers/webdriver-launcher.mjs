import { startWebKitDriver } from './webkit-process.mjs';

/** @typedef {import('@web/test-runner-core').BrowserLauncher} BrowserLauncher */

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

/** @type {{ readonly [name: string]: number }} */
const BUTTONS = { left: 0, middle: 1, right: 2 };

/** A page that takes longer to load than this is reported by the runner; the driver must not wait for it. */
const PAGE_LOAD_MS = 30_000;

/**
 * Runs web-test-runner's tests in WebKitGTK, over plain W3C WebDriver: one window, one test file at a time.
 * Written here because the published launcher brings 140 packages for the four commands that are needed.
 *
 * @implements {BrowserLauncher}
 */
export class WebKitLauncher {
  name = 'WebKit';
  /** web-test-runner's own plugins look for this to send keys and clicks. */
  type = 'webdriver';
  concurrency = 1;
  /** @type {Set<string>} */
  #active = new Set();
  /** @type {Promise<{ url: string, stop: () => Promise<void> }> | undefined} */
  #driver;
  /** @type {Promise<string> | undefined} */
  #session;
  #browser;

  /** @param {import('./find.mjs').Browser} browser */
  constructor(browser) {
    this.#browser = browser;
  }

  /** @param {string} id @param {string} url */
  async startSession(id, url) {
    this.#active.add(id);
    await this.#command('POST', '/url', { url });
  }

  /** @param {string} id */
  isActive(id) {
    return this.#active.has(id);
  }

  /** @param {string} id */
  async getBrowserUrl(id) {
    return this.#active.has(id) ? /** @type {string} */ (await this.#command('GET', '/url')) : undefined;
  }

  /** @param {string} id */
  async stopSession(id) {
    this.#active.delete(id);
    // Ends whatever the test left running.
    await this.#command('POST', '/url', { url: 'about:blank' });
    return {};
  }

  /** @returns {Promise<void>} */
  async startDebugSession() {
    throw new Error('Debugging in WebKit is not supported; use Chromium.');
  }

  async stop() {
    const driver = await this.#driver?.catch(() => undefined);
    if (driver === undefined) return;
    if (this.#session !== undefined) await this.#command('DELETE', '').catch(() => undefined);
    this.#driver = this.#session = undefined;
    await driver.stop();
  }

  /** @param {string} _id @param {readonly string[]} keys */
  async sendKeys(_id, keys) {
    const actions = keys
      .map((key) => KEYS[key] ?? key)
      .flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ]);
    await this.#command('POST', '/actions', { actions: [{ type: 'key', id: 'keyboard', actions }] });
  }

  /** @param {string} _id @param {number} x @param {number} y */
  async sendMouseMove(_id, x, y) {
    await this.#pointer([{ type: 'pointerMove', duration: 0, x, y }]);
  }

  /** @param {string} _id @param {number} x @param {number} y @param {string} [button] */
  async sendMouseClick(_id, x, y, button = 'left') {
    await this.#pointer([
      { type: 'pointerMove', duration: 0, x, y },
      { type: 'pointerDown', button: BUTTONS[button] },
      { type: 'pointerUp', button: BUTTONS[button] },
    ]);
  }

  /** @param {string} _id @param {string} [button] */
  async sendMouseDown(_id, button = 'left') {
    await this.#pointer([{ type: 'pointerDown', button: BUTTONS[button] }]);
  }

  /** @param {string} _id @param {string} [button] */
  async sendMouseUp(_id, button = 'left') {
    await this.#pointer([{ type: 'pointerUp', button: BUTTONS[button] }]);
  }

  async resetMouse() {
    await this.#command('DELETE', '/actions');
  }

  /** @param {readonly object[]} actions */
  async #pointer(actions) {
    const pointer = { type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions };
    await this.#command('POST', '/actions', { actions: [pointer] });
  }

  /** Opens the window when there is none. @returns {Promise<string>} the session's address */
  #openSession() {
    this.#driver ??= startWebKitDriver(this.#browser);
    this.#session ??= this.#driver.then(async ({ url }) => {
      const alwaysMatch = {
        browserName: 'MiniBrowser',
        timeouts: { pageLoad: PAGE_LOAD_MS },
        'webkitgtk:browserOptions': { binary: this.#browser.executable, args: ['--automation'] },
      };
      const value = await request('POST', `${url}/session`, { capabilities: { alwaysMatch } });
      return `${url}/session/${/** @type {{ sessionId: string }} */ (value).sessionId}`;
    });
    return this.#session;
  }

  /** @param {'GET' | 'POST' | 'DELETE'} method @param {string} path @param {object} [body] */
  async #command(method, path, body) {
    try {
      return await request(method, (await this.#openSession()) + path, body);
    } catch (error) {
      // The window is gone: the next command opens another. This one's test is reported as failed.
      if (error instanceof WebDriverError && error.code === 'invalid session id') this.#session = undefined;
      throw error;
    }
  }
}

class WebDriverError extends Error {
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
