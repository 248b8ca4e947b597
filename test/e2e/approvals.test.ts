import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import type { ApprovalGrant } from '../../src/protocol/approval.js';
import { argsHash } from '../../src/rules/args-hash.js';
import type { Elicit, McpClient } from '../unit/hub/mcp-clients.js';
import { errorOf, overHttp, overStdio, untilTool, untilTools } from './fixtures/agent-clients.js';
import { startChromium } from './fixtures/chromium.js';
import type { Chromium } from './fixtures/chromium.js';
import { inTime } from './fixtures/deadline.js';
import { approvalDialog } from './fixtures/demo-page.js';
import { createEventLog } from './fixtures/event-log.js';
import type { EventLog } from './fixtures/event-log.js';
import { DIST_FOLDER, startFileServer } from './fixtures/file-server.js';
import type { FileServer } from './fixtures/file-server.js';
import { PAGES_FOLDER, startHub } from './fixtures/hub-process.js';
import type { HubProcess } from './fixtures/hub-process.js';
import { openPage } from './fixtures/open-page.js';
import type { OpenPage } from './fixtures/open-page.js';
import type { Frame } from './fixtures/wire-tap.js';

/** Approvals from end to end: real tabs with their storage, a bare socket, the hub, and the official MCP clients. */

const PARAMS = { item: 'bicycle' };
const HASH = argsHash(PARAMS);
const PLACE = 'shop__place_order';
const NOTE = 'shop__write_note';

let chromium: Chromium;
let context: BrowserContext;
beforeAll(async () => {
  chromium = await startChromium();
});
afterAll(() => chromium?.stop());
beforeEach(async () => {
  context = await chromium.browser.newContext();
});
afterEach(() => context.close());

/** What ran, in any tab. */
const ran = (page: Page): Promise<unknown> => page.evaluate('window.lab.ran()');

describe('grants, over a socket that speaks only v1', () => {
  let files: FileServer;
  let sockets: WebSocketServer;

  beforeAll(async () => {
    files = await startFileServer(PAGES_FOLDER, DIST_FOLDER);
    sockets = new WebSocketServer({ server: files.server, path: '/oui/v1' });
  });
  afterAll(async () => {
    for (const client of sockets?.clients ?? []) client.terminate();
    await files?.stop();
  });

  /** A tab, and the agent's end of its socket. */
  interface Tab extends OpenPage {
    socket: WebSocket;
    frames: EventLog<Frame>;
  }

  async function nextSocket(): Promise<Pick<Tab, 'socket' | 'frames'>> {
    const [socket] = (await once(sockets, 'connection')) as [WebSocket];
    const frames = createEventLog<Frame>('frames from the page');
    socket.on('message', (data: Buffer) => frames.add(JSON.parse(data.toString()) as Frame));
    await frames.find(({ type }) => type === 'surface:register');
    return { socket, frames };
  }

  async function openTab(): Promise<Tab> {
    const hub = `ws://127.0.0.1:${files.port}/oui/v1`;
    const [ends, opened] = await Promise.all([
      inTime(nextSocket(), () => 'the socket of a page'),
      openPage(context, `http://127.0.0.1:${files.port}/approvals.html?${new URLSearchParams({ hub, confirmBy: 'grant' })}`),
    ]);
    return { ...opened, ...ends };
  }

  async function reload(tab: Tab): Promise<void> {
    const [ends] = await Promise.all([inTime(nextSocket(), () => 'the socket of a page'), tab.page.reload()]);
    Object.assign(tab, ends);
  }

  const grant = ({ page }: Tab, more: Partial<ApprovalGrant> = {}): Promise<unknown> => {
    const held: ApprovalGrant = { approvalId: 'a1', argsHash: HASH, expiresAt: Date.now() + 60_000, ...more };
    return page.evaluate(`window.lab.runtime.grantApproval(${JSON.stringify(held)})`);
  };

  /** Sends a request and tells what it came to: its data, or the code of its error. */
  async function send({ socket, frames }: Tab, actionId: string, approvalId?: string, params = PARAMS): Promise<unknown> {
    const requestId = randomUUID();
    const approval = approvalId === undefined ? {} : { approval: { approvalId, argsHash: HASH } };
    const payload = { requestId, surfaceId: 'shop', actionId, params, timestamp: Date.now(), ...approval };
    socket.send(JSON.stringify({ type: 'action:request', payload }));
    const result = await frames.find((frame) => frame.type === 'action:result' && frame.payload['requestId'] === requestId);
    const { success, data, error } = result.payload as { success: boolean; data: unknown; error?: { code: string } };
    return success ? data : error?.code;
  }

  it('one approval runs one action once: not another, not in another tab, not after a reload', async () => {
    const [first, second] = [await openTab(), await openTab()];
    expect(await send(first, 'place_order')).toBe('APPROVAL_REQUIRED');
    expect(await grant(first, { surfaceId: 'shop', actionId: 'place_order' })).toBe(true);

    // The other tab was not given it; another action has the same hash; other values have another.
    expect(await send(second, 'place_order', 'a1')).toBe('APPROVAL_REQUIRED');
    expect(await send(first, 'cancel_order', 'a1')).toBe('APPROVAL_REQUIRED');
    expect(await send(first, 'place_order', 'a1', { item: 'car' })).toBe('APPROVAL_REQUIRED');
    expect(await ran(first.page)).toEqual([]);
    expect(await send(first, 'place_order', 'a1')).toBe('done');
    expect(await send(first, 'place_order', 'a1')).toBe('APPROVAL_REQUIRED');

    // The other tab takes it, since it cannot know at once; its engine finds the use.
    expect(await grant(second)).toBe(true);
    expect(await send(second, 'place_order', 'a1')).toBe('APPROVAL_REQUIRED');
    expect(await grant(second)).toBe(false);

    await reload(first);
    expect(await grant(first)).toBe(false);
    expect(await send(first, 'place_order', 'a1')).toBe('APPROVAL_REQUIRED');
    expect(await ran(first.page)).toEqual([['place_order', { item: 'bicycle', express: false }]]);
    expect([...first.problems(), ...second.problems()]).toEqual([]);
  });

  it('two tabs that hold one approval and are asked at once run it once', async () => {
    const tabs = [await openTab(), await openTab()];
    expect(await Promise.all(tabs.map((tab) => grant(tab)))).toEqual([true, true]);
    const answers = await Promise.all(tabs.map((tab) => send(tab, 'place_order', 'a1')));
    expect(answers.map(String).sort()).toEqual(['APPROVAL_REQUIRED', 'done']);
    expect(await ran(tabs[0]!.page)).toHaveLength(1);
  });
});

describe('the user is asked once, over MCP', () => {
  let hub: HubProcess;
  let client: McpClient | undefined;
  beforeAll(async () => {
    hub = await startHub();
  });
  afterAll(() => hub?.stop());
  afterEach(async () => {
    await context.close();
    await untilTools(client!, (tools) => tools.length === 0);
    await client?.close();
  });

  const open = (confirmBy: string): Promise<OpenPage> =>
    openPage(context, `${hub.url}/pages/approvals.html?${new URLSearchParams({ hub: hub.pageUrl, confirmBy })}`);

  it('in the page by default, by what the user does and by nothing that a script does', async () => {
    const elicit = vi.fn<Elicit>(() => 'accept');
    client = await overHttp('v2', hub.port, elicit);
    const { page, problems } = await open('page');
    await untilTool(client, PLACE);
    const outcome = client.call(PLACE, PARAMS);
    const allow = approvalDialog(page).getByRole('button', { name: 'Allow' });
    await allow.click({ trial: true });
    await allow.evaluate((button) => {
      (button as HTMLElement).click();
      button.dispatchEvent(new MouseEvent('click', { bubbles: true, composed: true }));
    });
    expect(await approvalDialog(page).textContent()).toContain('bicycle');
    expect(await ran(page)).toEqual([]);
    await allow.click();
    expect((await outcome).structuredContent['data']).toBe('done');
    expect(await approvalDialog(page).count()).toBe(0);
    expect(elicit).not.toHaveBeenCalled();
    // Under a strict policy, with Trusted Types.
    expect(problems()).toEqual([]);
  });

  it.each([
    ['v1 over stdio', (elicit: Elicit) => overStdio('v1', hub.port, elicit)],
    ['v2 over stdio', (elicit: Elicit) => overStdio('v2', hub.port, elicit)],
    ['v2 of 2026-07-28 over HTTP', (elicit: Elicit) => overHttp('v2, 2026-07-28', hub.port, elicit)],
  ])('by the client %s where the page trusts it, but for transactions', async (_name, connect) => {
    const questions: string[] = [];
    client = await connect((message) => {
      questions.push(message);
      return 'accept';
    });
    const { page } = await open('agent');
    await untilTool(client, NOTE);
    expect((await client.call(NOTE, PARAMS)).structuredContent['data']).toBe('done');
    expect(questions).toHaveLength(1);
    expect(questions[0]).toContain('"item": "bicycle"');

    const order = client.call(PLACE, PARAMS);
    await approvalDialog(page).getByRole('button', { name: 'Deny' }).click();
    expect(errorOf(await order).code).toBe('ACTION_DENIED');
    expect(questions).toHaveLength(1);
    expect(await ran(page)).toEqual([['write_note', { item: 'bicycle', express: false }]]);
  });

  it.each([
    ['v1 over stdio', () => overStdio('v1', hub.port)],
    ['v2 over HTTP', () => overHttp('v2', hub.port)],
  ])('by nobody where the client %s cannot ask: it says the way on', async (_name, connect) => {
    client = await connect();
    const { page } = await open('agent');
    await untilTool(client, NOTE);
    const { code, message } = errorOf(await client.call(NOTE, { ...PARAMS, confirmed: true }));
    expect(code).toBe('APPROVAL_REQUIRED');
    expect(message).toContain('elicitation');
    expect(await ran(page)).toEqual([]);
  });
});
