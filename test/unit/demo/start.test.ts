import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const START = fileURLToPath(new URL('../../../demo/start.mjs', import.meta.url));

/** What it says and how it ends. It starts nothing. */
function start(...args: string[]): Promise<{ readonly code: unknown; readonly err: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [START, ...args], (error, _out, err) => resolve({ code: error?.code ?? 0, err }));
  });
}

describe('npm start', () => {
  it.concurrent.each([
    ['65536', '"65536"'],
    ['', '""'],
    ['1e3', '"1e3"'],
  ])('with --port=%s says what a port is, and ends with 2', async (given, named) => {
    const { code, err } = await start(`--port=${given}`);
    expect(err).toBe(`--port ${named} is no port: it must be a whole number from 0 to 65535; 0 takes any free one.\n`);
    expect(code).toBe(2);
  });

  it.concurrent('with an unknown option says how it is used, and ends with 2', async () => {
    const { code, err } = await start('--prot', '8000');
    expect(err).toMatch(/--prot[^]*\nUsage: npm start -- \[--port N\]\n$/);
    expect(code).toBe(2);
  });
});
