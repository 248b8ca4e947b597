import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();

/**
 * Runs a Node program to its end, with this process's output.
 *
 * @param {readonly string[]} parameters the script and its arguments
 * @param {{ readonly [name: string]: string }} [env] added to this process's environment
 * @returns {Promise<number>} its exit code; 1 when a signal ended it
 */
export async function runNode(parameters, env = {}) {
  const child = spawn(process.execPath, parameters, { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...env } });
  running.add(child);
  const [code] = await once(child, 'exit');
  running.delete(child);
  return code ?? 1;
}

/** Interrupts what runs, so that it ends its own browsers. */
export function interruptChildren() {
  for (const child of running) child.kill('SIGINT');
}

/** The program of a package of this project's. @param {string} path inside `node_modules` */
export function program(path) {
  return fileURLToPath(new URL(`../node_modules/${path}`, import.meta.url));
}
