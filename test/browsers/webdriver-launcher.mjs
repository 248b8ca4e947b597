import { WebDriverError, WebDriverSession } from './webdriver-session.mjs';

/** @typedef {import('@web/test-runner-core').BrowserLauncher} BrowserLauncher */

/** @type {{ readonly [name: string]: number }} */
const BUTTONS = { left: 0, middle: 1, right: 2 };

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
  /** @type {Promise<WebDriverSession> | undefined} */
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
    const session = await this.#session?.catch(() => undefined);
    this.#session = undefined;
    await session?.close();
  }

  /** @param {string} _id @param {readonly string[]} keys */
  async sendKeys(_id, keys) {
    await (await this.#window()).press(keys);
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
    await (await this.#window()).point(actions);
  }

  /** Opens the window when there is none. */
  #window() {
    return (this.#session ??= WebDriverSession.open(this.#browser));
  }

  /** @param {'GET' | 'POST' | 'DELETE'} method @param {string} path @param {object} [body] */
  async #command(method, path, body) {
    const session = await this.#window();
    try {
      return await session.command(method, path, body);
    } catch (error) {
      // The window is gone: the next command opens another. This one's test is reported as failed.
      if (error instanceof WebDriverError && error.code === 'invalid session id') {
        this.#session = undefined;
        await session.close();
      }
      throw error;
    }
  }
}
