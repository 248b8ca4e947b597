import { afterEach, describe, expect, it } from 'vitest';
import { startCli } from './built-cli.js';
import { openPage, todoSurface } from './fake-page.js';
import type { FakePage } from './fake-page.js';
import { freePort } from './free-port.js';

/** Each command is a process, which takes its time to start on a busy machine. */
const PROCESS_MS = 60_000;
let page: FakePage | undefined;
afterEach(async () => {
  await page?.close();
  page = undefined;
});

describe('oui hub', () => {
  it('says where it is, what to paste and what it refuses, and ends when told', { timeout: PROCESS_MS }, async () => {
    const port = await freePort();
    const run = startCli(['hub'], { OUI_HUB_PORT: String(port) });
    await run.until('out', /Ctrl-C/);
    expect(run.out()).toContain(`ws://127.0.0.1:${port}/oui/v1`);
    expect(run.out()).toContain(`http://127.0.0.1:${port}/mcp`);
    const pasted = run.out().split('\n\n')[1]?.split('or for clients')[0]?.split('\n').slice(1).join('\n') ?? '';
    expect(JSON.parse(pasted)).toEqual({ mcpServers: { oui: { type: 'http', url: `http://127.0.0.1:${port}/mcp` } } });
    await expect(openPage(`ws://127.0.0.1:${port}/oui/v1`, { origin: 'https://app.example' })).rejects.toThrow(/403/);
    await run.until('err', /--allow-origin https:\/\/app\.example/);

    const second = startCli(['hub', '--port', String(port)]);
    expect(await second.ended).toBe(1);
    expect(second.out()).toBe('');
    expect(second.err()).toContain('already running');

    page = await openPage(`ws://127.0.0.1:${port}/oui/v1`, { surfaces: [todoSurface()] });
    run.child.kill('SIGTERM');
    expect(await run.ended).toBe(0);
  });
});
