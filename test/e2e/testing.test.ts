import { mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findChromiumShell } from '../browsers/find.mjs';
import { program, ROOT } from '../child-process.mjs';
import { DIST_FOLDER, startFileServer } from './fixtures/file-server.js';
import type { FileServer } from './fixtures/file-server.js';
import { startNode } from './fixtures/node-process.js';
import { readmeBlock } from './fixtures/readme.js';
import { createWorkplace } from './fixtures/workplace.js';
import type { Workplace } from './fixtures/workplace.js';

/** The README's examples of tests, run by the tools that their authors run. */

/** What the README leaves to the reader: the counter of "A page, in TypeScript", with a reset that asks. */
const COUNTER = `
import { defineSurface } from 'oui-elements/core';
import type { SurfaceRuntime } from 'oui-elements/core';

export function mountCounter(runtime: SurfaceRuntime): void {
  let count = 0;
  const set = (value: number) => {
    count = value;
    mounted.pushObservation('count', count);
    return { count };
  };
  const input = { type: 'object', properties: { amount: { type: 'integer' } }, required: ['amount'] };
  const mounted = runtime.mount(defineSurface({
    id: 'counter',
    name: 'Counter',
    description: 'A number on a page that can be raised.',
    actions: [
      { id: 'add', description: 'Add', input, handler: ({ amount }: { amount: number }) => set(count + amount) },
      { id: 'reset', description: 'Start again', confirm: true, input: {}, handler: () => set(0) },
    ],
    observations: [{ id: 'count', description: 'The count now', schema: { type: 'integer' } }],
  }));
  set(0);
}
`;

let place: Workplace;
let files: FileServer;

beforeAll(async () => {
  place = await createWorkplace();
  files = await startFileServer(place.folder, DIST_FOLDER);
  for (const name of ['vitest', '@playwright/test']) {
    const link = join(place.folder, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(ROOT, 'node_modules', name), link, 'junction');
  }
  const html = await readmeBlock('html', '<oui-runtime');
  await place.write('package.json', '{ "type": "module" }');
  // Its agent's address stays as it is: there is no hub.
  await place.write('counter.html', html.replace('http://127.0.0.1:7410/oui.js', '/oui.js'));
  await place.write('counter.ts', COUNTER);
  await place.write('counter.test.ts', await readmeBlock('ts', "from 'vitest'"));
  await place.write('counter.spec.ts', await readmeBlock('ts', '@playwright/test'));
  await place.write('playwright.config.ts', `
    import { defineConfig } from '@playwright/test';
    export default defineConfig({
      testMatch: '*.spec.ts',
      reporter: 'line',
      use: {
        baseURL: 'http://127.0.0.1:${files.port}',
        launchOptions: { executablePath: ${JSON.stringify(findChromiumShell()?.executable)}, args: ['--no-sandbox'] },
      },
    });
  `);
});
afterAll(async () => {
  await files?.stop();
  await place?.remove();
});

/** What a process wrote, once it has ended well. */
async function run(...parameters: string[]): Promise<string> {
  const { code, out, err } = await startNode(parameters, { cwd: place.folder, env: { CI: '1', NO_COLOR: '1' } }).ended;
  expect(code, out + err).toBe(0);
  return out;
}

it('the test with vitest passes', async () => {
  expect(await run(program('vitest/vitest.mjs'), 'run', 'counter.test.ts')).toMatch(/Tests {2}1 passed/);
});

it('the test with Playwright passes, with the page as it is', async () => {
  expect(await run(program('@playwright/test/cli.js'), 'test')).toMatch(/1 passed/);
});
