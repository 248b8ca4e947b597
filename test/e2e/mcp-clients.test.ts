import type { BrowserContext } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { APPENDIX_B } from '../browser/fixtures/appendix-b.js';
import type { CallOutcome, McpClient } from '../unit/hub/mcp-clients.js';
import { AGENTS, errorOf, untilTool, untilTools, uriOf } from './fixtures/agent-clients.js';
import { startChromium } from './fixtures/chromium.js';
import type { Chromium } from './fixtures/chromium.js';
import { inTime } from './fixtures/deadline.js';
import { approvalDialog, listOf, openDemo, shownTitles } from './fixtures/demo-page.js';
import type { Todo } from './fixtures/demo-page.js';
import { startHub } from './fixtures/hub-process.js';
import type { HubProcess } from './fixtures/hub-process.js';
import type { OpenPage } from './fixtures/open-page.js';
import { startWireTap } from './fixtures/wire-tap.js';

/** The demo in a real Chromium, a real hub, and the official MCP clients: what an agent's user sees, end to end. */

let chromium: Chromium;
beforeAll(async () => {
  chromium = await startChromium();
});
afterAll(() => chromium?.stop());

describe.each(AGENTS)('the official client $name', ({ connect }) => {
  let hub: HubProcess;
  let client: McpClient;
  let context: BrowserContext;

  beforeAll(async () => {
    hub = await startHub();
    client = await connect(hub.port);
  });
  afterAll(async () => {
    await client?.close();
    await hub?.stop();
  });
  beforeEach(async () => {
    context = await chromium.browser.newContext();
  });
  afterEach(async () => {
    await context.close();
    // The next test begins without any page.
    await untilTools(client, (tools) => tools.length === 0);
    client.forget();
  });

  async function openAndList(): Promise<OpenPage> {
    const opened = await openDemo(context, hub.url);
    await untilTool(client, 'todo-app__add_todo');
    return opened;
  }

  // First: after a page that was closed, a call to a tool that is gone waits for that page to come back.
  it('sees the tools go when the user leaves the route, and come back', async () => {
    const { page, problems } = await openAndList();
    client.forget();
    await page.getByRole('link', { name: 'About', exact: true }).click();
    await inTime(client.notice('tools'), () => 'tools/list_changed');
    expect(await client.tools()).toEqual([]);
    const outcome = await client.call('todo-app__add_todo', { title: 'Too late' });
    expect(errorOf(outcome).code).toBe('SURFACE_UNAVAILABLE');

    client.forget();
    await page.getByRole('link', { name: 'Todos', exact: true }).click();
    await inTime(client.notice('tools'), () => 'tools/list_changed');
    expect((await client.tools()).filter(({ name }) => name.startsWith('todo-app__'))).toHaveLength(4);
    expect(listOf(await client.call('todo-app__add_todo', { title: 'In time' })).map(({ title }) => title))
      .toContain('In time');
    expect(problems()).toEqual([]);
  });

  it('lists the tools of appendix B, with its schemas', async () => {
    const { problems } = await openAndList();
    const all = await client.tools();
    const tools = all.filter(({ name }) => name !== 'oui_read');
    expect(tools).toHaveLength(all.length - 1);
    expect(tools.map(({ name, inputSchema }) => ({ name, inputSchema }))).toEqual(
      APPENDIX_B.actions.map(({ id, input }) => ({ name: `todo-app__${id}`, inputSchema: input })),
    );
    for (const [index, { description }] of APPENDIX_B.actions.entries()) {
      expect(tools[index]?.description).toContain(description);
    }
    expect(tools[2]?.annotations).toMatchObject({ destructiveHint: true });
    const names = (await client.resources()).map(({ name }) => name);
    expect(names).toEqual(['pages', ...APPENDIX_B.observations.map(({ id }) => `todo-app/${id}`)]);
    expect(problems()).toEqual([]);
  });

  it('adds a todo and completes it, seen by the page\'s user and by the agent at once', async () => {
    const { page, problems } = await openAndList();
    const added = await client.call('todo-app__add_todo', { title: 'Water the plants', priority: 'high' });
    expect(added.isError).toBeFalsy();
    const { id, created } = added.structuredContent['data'] as { id: string; created: boolean };
    expect(created).toBe(true);
    expect(await shownTitles(page)).toContain('Water the plants');
    const todo = listOf(added).find((each) => each.id === id);
    expect(todo).toMatchObject({ title: 'Water the plants', priority: 'high', completed: false });
    expect(added.structuredContent).toMatchObject({
      settled: true,
      observations: { 'todo-app': { stats: { total: 4, active: 3, completed: 1 } } },
    });

    const completed = await client.call('todo-app__complete_todo', { todoId: id });
    expect(completed.structuredContent).toMatchObject({ data: { success: true, completedAt: expect.any(String) } });
    expect(listOf(completed).find((each) => each.id === id)?.completed).toBe(true);
    expect(await page.getByRole('checkbox', { name: 'Completed: Water the plants' }).isChecked()).toBe(true);
    // The panel has listed both, the newest first.
    expect(await page.locator('#calls .call-name').allTextContents()).toEqual(['complete_todo', 'add_todo']);
    expect(problems()).toEqual([]);
  });

  it('completes many: acknowledged, followed and answered', async () => {
    const tap = await startWireTap(hub.url);
    try {
      const { page, problems } = await openDemo(context, tap.url);
      await untilTool(client, 'todo-app__bulk_complete');
      const notes: string[] = [];
      const todoIds = ['todo-1', 'todo-2', 'todo-0'];
      const onprogress = (note: string): void => void notes.push(note);
      const outcome = await client.call('todo-app__bulk_complete', { todoIds }, { onprogress });

      expect(outcome.structuredContent['data']).toEqual({ completed: 2, failed: 1 });
      expect(listOf(outcome).every(({ completed }) => completed)).toBe(true);
      expect(await page.locator('#todos li.completed').count()).toBe(3);
      expect(notes[0]).toMatch(/^Accepted/);
      expect(notes.some((note) => note.includes('"done":1') && note.includes('"of":3'))).toBe(true);

      const frames = tap.toHub.items.filter(({ type }) => type === 'action:result').map(({ payload }) => payload);
      const requestId = frames[0]?.['requestId'];
      expect(frames).toEqual([
        expect.objectContaining({ requestId, success: true, interim: true, data: { trackingId: requestId } }),
        expect.objectContaining({ requestId, success: true, interim: false, data: { completed: 2, failed: 1 } }),
      ]);
      expect(problems()).toEqual([]);
    } finally {
      await tap.stop();
    }
  });

  it('deletes as the page\'s user answers: not at all, no, yes', async () => {
    const { page, problems } = await openAndList();
    const dialog = approvalDialog(page);
    const answer = async (how: () => Promise<void>): Promise<CallOutcome> => {
      const outcome = client.call('todo-app__delete_todo', { todoId: 'todo-2' });
      await dialog.waitFor();
      // The user sees what for, exactly.
      const text = await dialog.textContent();
      expect(text).toContain('Permanently delete a todo item');
      expect(text).toContain('todo-2');
      await how();
      return outcome;
    };
    const isThere = async (): Promise<boolean> => (await page.locator('#todos li[data-id="todo-2"]').count()) === 1;

    const dismissed = await answer(() => page.keyboard.press('Escape'));
    expect(errorOf(dismissed)).toMatchObject({ code: 'APPROVAL_REQUIRED', details: { ran: false } });
    expect(await isThere()).toBe(true);

    const denied = await answer(() => dialog.getByRole('button', { name: 'Deny' }).click());
    expect(errorOf(denied)).toMatchObject({ code: 'ACTION_DENIED', details: { ran: false } });
    expect(await isThere()).toBe(true);

    const approved = await answer(() => dialog.getByRole('button', { name: 'Allow' }).click());
    expect(approved.isError).toBeFalsy();
    expect(listOf(approved).map(({ id }) => id)).not.toContain('todo-2');
    expect(await isThere()).toBe(false);
    expect(await dialog.count()).toBe(0);
    expect(problems()).toEqual([]);
  });

  it('reads and watches what the page\'s own user changes', async () => {
    const { page, problems } = await openAndList();
    const uri = await uriOf(client, 'todo-app/todo_list');
    expect(await client.read(uri)).toHaveLength(3);
    await client.subscribe(uri);
    client.forget();
    await page.getByLabel('New todo').fill('Written by hand');
    await page.getByLabel('New todo').press('Enter');
    expect(await inTime(client.notice('updated'), () => 'resources/updated')).toEqual({ type: 'updated', uri });
    expect(((await client.read(uri)) as Todo[]).map(({ title }) => title)).toContain('Written by hand');
    expect(problems()).toEqual([]);
  });
});
