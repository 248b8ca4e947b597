import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Xvfb and WebKitWebDriver, started for one run and ended with it. */

const READY_MS = 15_000;

/** @returns {Promise<number>} */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * A child that ends with this process, however this process ends. It leads a process group, so that what it started
 * ends with it: a page in an endless loop outlives its browser.
 *
 * @param {string} command
 * @param {readonly string[]} parameters
 * @param {import('node:child_process').SpawnOptions} options
 */
function start(command, parameters, options) {
  const child = spawn(command, parameters, { ...options, detached: true });
  const end = () => killGroup(child, 'SIGKILL');
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  return child;
}

/** @param {import('node:child_process').ChildProcess} child @param {NodeJS.Signals} signal */
function killGroup({ pid }, signal) {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // Nobody is left in the group.
  }
}

/** @param {import('node:child_process').ChildProcess} child */
async function stop(child) {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }
  killGroup(child, 'SIGKILL');
}

/**
 * An X server on a display that it chose itself.
 *
 * @param {string} command
 */
async function startDisplay(command) {
  const child = start(command, ['-displayfd', '3', '-screen', '0', '1280x800x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const output = /** @type {import('node:stream').Readable} */ (child.stdio[3]);
  const number = await Promise.race([
    once(output, 'data').then(([data]) => String(data).trim()),
    once(child, 'exit').then(([code]) => {
      throw new Error(`${command} ended with code ${code} before it had a display.`);
    }),
  ]);
  return { child, display: `:${number}` };
}

/** Whether WebDriver answers at this address. @param {string} url */
async function isReady(url) {
  try {
    return (await fetch(`${url}/status`)).ok;
  } catch {
    return false;
  }
}

/**
 * Starts an X server and WebKitWebDriver on it.
 *
 * @param {import('./find.mjs').Browser} browser
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>} where WebDriver answers
 */
export async function startWebKitDriver({ driver, display: xServer }) {
  if (driver === undefined || xServer === undefined) throw new Error('WebKit needs WebKitWebDriver and Xvfb.');
  const { child: screen, display } = await startDisplay(xServer);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = start(driver, [`--port=${port}`], { stdio: 'ignore', env: { ...process.env, DISPLAY: display } });
  const stopBoth = async () => {
    await stop(child);
    await stop(screen);
  };
  const deadline = Date.now() + READY_MS;
  while (!(await isReady(url))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await stopBoth();
      throw new Error(`${driver} did not answer at ${url}.`);
    }
    await new Promise((resolve) => void setTimeout(resolve, 50));
  }
  return { url, stop: stopBoth };
}
