import { readFile } from 'node:fs/promises';
import type { BrowserContext, Download, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectClient } from '../unit/hub/mcp-clients.js';
import type { CallOutcome, McpClient } from '../unit/hub/mcp-clients.js';
import { errorOf, untilTool, untilTools, uriOf } from './fixtures/agent-clients.js';
import type { Tool } from './fixtures/agent-clients.js';
import { startChromium } from './fixtures/chromium.js';
import type { Chromium } from './fixtures/chromium.js';
import { inTime } from './fixtures/deadline.js';
import { openDemo } from './fixtures/demo-page.js';
import { startHub } from './fixtures/hub-process.js';
import type { HubProcess } from './fixtures/hub-process.js';
import type { OpenPage } from './fixtures/open-page.js';
import { startWireTap } from './fixtures/wire-tap.js';
import type { Frame, WireTap } from './fixtures/wire-tap.js';

/** The chart wizard of the demo: an agent makes a chart from choosing to saving, and so does a user. */

const STATUS = 'dataviz-wizard:render_chart:status';
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

let chromium: Chromium;
beforeAll(async () => {
  chromium = await startChromium();
});
afterAll(() => chromium?.stop());

describe('the chart wizard', () => {
  let hub: HubProcess;
  let tap: WireTap;
  let client: McpClient;
  let context: BrowserContext;

  // A hub for each test: for a while it expects a page that went away, and what that offered, to come back.
  beforeEach(async () => {
    hub = await startHub();
    client = await connectClient('v2', hub.mcpUrl);
    tap = await startWireTap(hub.url);
    context = await chromium.browser.newContext({ acceptDownloads: true });
  });
  afterEach(async () => {
    await context?.close();
    await tap?.stop();
    await client?.close();
    await hub?.stop();
  });

  async function open(): Promise<OpenPage> {
    const opened = await openDemo(context, tap.url, '/studio/dataviz');
    await untilTool(client, 'dataviz-wizard__select_dataset');
    return opened;
  }

  const call = (action: string, params: Record<string, unknown> = {}, onprogress?: (note: string) => void) =>
    client.call(`dataviz-wizard__${action}`, params, onprogress ? { onprogress } : {});

  it('is made by an agent: data, chart, filter, rendering, file', async () => {
    const { page, problems } = await open();
    const datasets = (await client.read(await uriOf(client, 'dataviz-wizard/available_datasets'))) as { id: string }[];
    expect(datasets).toHaveLength(3);
    expect(datasets[0]).toEqual({
      id: 'bakery-sales', name: 'Bakery sales', rowCount: 390, columns: ['week', 'shop', 'product', 'units', 'revenue'],
    });

    const selected = await call('select_dataset', { datasetId: 'bakery-sales' });
    expect(dataOf(selected)).toMatchObject({ rowCount: 390, columns: expect.any(Array) });
    expect(stateOf(selected)).toEqual({ step: 'configure', selectedDatasetId: 'bakery-sales', filters: [] });

    const config = { chartType: 'bar', xAxis: 'shop', yAxis: 'revenue', colorBy: 'product', aggregation: 'sum' };
    const configured = await call('configure_chart', config);
    expect(dataOf(configured)).toEqual({ configured: true, chartType: 'bar' });
    const filter = { column: 'product', operator: 'in', value: ['Bread', 'Coffee'] };
    const filtered = await call('apply_filter', filter);
    expect(dataOf(filtered)).toEqual({ filterCount: 1 });
    expect(stateOf(filtered)).toEqual({
      step: 'preview', selectedDatasetId: 'bakery-sales', chartConfig: config, filters: [filter],
    });
    expect(await page.locator('#wizard-summary').textContent()).toBe('156 of 390 rows');

    const notes: string[] = [];
    const rendered = await call('render_chart', { quality: 'production' }, (note) => void notes.push(note));
    expect(dataOf(rendered)).toEqual({
      status: 'complete',
      imageUrl: expect.stringMatching(/^blob:/),
      renderTimeMs: expect.any(Number),
      title: 'Sum of revenue by shop and product',
      description: expect.stringMatching(/^Bar chart, 6 values in 2 colours. Lowest: .* \(Old Town, Bread\)/),
    });
    expect(stateOf(rendered)).toMatchObject({ step: 'export', renderedChartUrl: dataOf(rendered)['imageUrl'] });
    expect(notes[0]).toMatch(/^Accepted.*jobId/);
    expect(notes.filter((note) => note.includes('"progress":0.')).length).toBeGreaterThan(1);
    checkJob(tap.toHub.items);
    // Its user sees the same chart.
    expect(await page.locator('#chart svg').getAttribute('aria-label')).toContain('Sum of revenue by shop and product');
    expect(await page.locator('#chart rect title').allTextContents()).toHaveLength(6);

    const started = page.waitForEvent('download');
    const exported = await call('export_chart', { format: 'png', width: 640, height: 480 });
    const file = await saved(await started);
    expect(dataOf(exported)).toEqual({
      downloadUrl: expect.stringMatching(/^blob:/),
      format: 'png',
      fileName: 'bakery-sales-bar.png',
      bytes: file.bytes.length,
    });
    expect(file.name).toBe('bakery-sales-bar.png');
    expect(file.bytes.subarray(0, 8)).toEqual(PNG);
    expect([file.bytes.readUInt32BE(16), file.bytes.readUInt32BE(20)]).toEqual([640, 480]);
    expect(problems()).toEqual([]);
  });

  it('tells what cannot be done yet, and why a rendering failed', async () => {
    const { page, problems } = await open();
    expect(await toolNames(client)).toEqual(['select_dataset']);
    const early = await call('export_chart', { format: 'svg' });
    expect(errorOf(early).code).toBe('PRECONDITION_FAILED');
    expect(errorOf(early).message).toContain('select_dataset');

    await call('select_dataset', { datasetId: 'used-bicycles' });
    await call('configure_chart', { chartType: 'scatter', xAxis: 'kilometres', yAxis: 'price', colorBy: 'kind' });
    expect(await toolNames(client)).toEqual(['select_dataset', 'configure_chart', 'apply_filter', 'render_chart']);
    expect(errorOf(await call('export_chart', { format: 'svg' })).message).toContain('Call render_chart');
    expect(errorOf(await call('apply_filter', { column: 'colour', operator: 'eq', value: 'red' }))).toMatchObject({
      code: 'dataviz:unknown_column', message: expect.stringContaining('kind, age, kilometres'),
    });

    await call('apply_filter', { column: 'price', operator: 'lt', value: 0 });
    const failed = await call('render_chart');
    const message = 'No row passes the filters. Take one of them away.';
    expect(errorOf(failed)).toEqual({ code: 'RENDER_FAILED', message });
    expect(dataOf(failed)).toMatchObject({ status: 'failed' });
    expect(await page.getByRole('alert').textContent()).toBe(message);
    expect(problems()).toEqual([]);
  });

  it('is offered while its page is shown, and keeps what was made', async () => {
    const { page, problems } = await open();
    await call('select_dataset', { datasetId: 'weather-stations' });
    await page.getByRole('link', { name: 'Todos', exact: true }).click();
    await untilTools(client, (tools) => offered(tools).length === 0);
    await untilTool(client, 'todo-app__add_todo');
    await page.getByRole('link', { name: 'Charts', exact: true }).click();
    await untilTool(client, 'dataviz-wizard__configure_chart');
    const state = await client.read(await uriOf(client, 'dataviz-wizard/wizard_state'));
    expect(state).toEqual({ step: 'configure', selectedDatasetId: 'weather-stations', filters: [] });
    expect(problems()).toEqual([]);
  });

  it('is used by hand, and the agent sees it', async () => {
    const { page, problems } = await open();
    await page.getByRole('radio', { name: /Weather stations/ }).check({ force: true });
    await page.getByRole('radio', { name: 'Line' }).check({ force: true });
    await page.getByLabel('X axis').selectOption('date');
    await page.getByLabel('Y axis').selectOption('temperature');
    await page.getByLabel('Colour').selectOption('station');
    await page.getByLabel('Show where').selectOption('station');
    await page.getByLabel('Comparison').selectOption('neq');
    await page.getByLabel('Value').fill('Summit');
    await page.getByLabel('Value').press('Enter');
    await page.getByRole('button', { name: 'Render' }).click();
    await page.locator('#export-buttons button:enabled').first().waitFor();

    // What was done by hand makes more possible for the agent too.
    await untilTool(client, 'dataviz-wizard__export_chart');
    const state = await client.read(await uriOf(client, 'dataviz-wizard/wizard_state'));
    expect(state).toMatchObject({
      step: 'export',
      chartConfig: { chartType: 'line', xAxis: 'date', yAxis: 'temperature', colorBy: 'station', aggregation: 'sum' },
      filters: [{ column: 'station', operator: 'neq', value: 'Summit' }],
    });
    const svg = (await download(page, 'SVG')).bytes.toString();
    expect(svg).toMatch(/^<svg [\s\S]*<title>Sum of temperature[\s\S]*<\/svg>\n$/);
    expect((await download(page, 'PNG')).bytes.subarray(0, 8)).toEqual(PNG);
    expect((await download(page, 'PDF')).bytes.toString('latin1')).toMatch(/^%PDF-1\.4[\s\S]*%%EOF\n$/);
    const csv = (await download(page, 'CSV')).bytes.toString().trim().split('\r\n');
    expect(csv[0]).toBe('date,group,Sum of temperature');
    expect(csv).toHaveLength(1 + 2 * 92);

    // Taking the filter away makes the chart one that is not rendered yet.
    await page.getByRole('button', { name: /Remove the filter/ }).click();
    expect(await page.locator('#export-buttons button:enabled').count()).toBe(0);
    await untilTools(client, (tools) => !offered(tools).includes('export_chart'));
    expect(problems()).toEqual([]);
  });
});

/** The wizard's tools by their actions. The hub has tools of its own beside them. */
function offered(tools: readonly Tool[]): string[] {
  const prefix = 'dataviz-wizard__';
  return tools.filter(({ name }) => name.startsWith(prefix)).map(({ name }) => name.slice(prefix.length));
}

const toolNames = async (client: McpClient): Promise<string[]> => offered(await client.tools());

function dataOf({ structuredContent, text }: CallOutcome): { readonly [key: string]: unknown } {
  const { data } = structuredContent;
  if (typeof data !== 'object' || data === null) throw new Error(`The outcome has no data: ${text}`);
  return data as { readonly [key: string]: unknown };
}

/** The `wizard_state` that came with a result. */
function stateOf({ structuredContent }: CallOutcome): unknown {
  const observations = structuredContent['observations'] as { 'dataviz-wizard'?: { wizard_state?: unknown } };
  return observations['dataviz-wizard']?.wizard_state;
}

interface Status {
  readonly status: string;
  readonly progress?: number;
  readonly requestId: string;
  readonly interim: boolean;
}

/** On the wire: acknowledged, followed by a progress that grows, and answered once. */
function checkJob(frames: readonly Frame[]): void {
  const at = frames.findIndex(({ type, payload }) => type === 'action:result' && payload['interim'] === true);
  const { requestId, data } = frames[at]!.payload;
  expect(data).toEqual({ jobId: expect.stringMatching(/^render-/) });
  const results = frames.filter(({ type, payload }) => type === 'action:result' && payload['requestId'] === requestId);
  expect(results.map(({ payload }) => payload['interim'])).toEqual([true, false]);
  const progress = frames
    .slice(at)
    .filter(({ type, payload }) => type === 'observation:update' && payload['observationId'] === STATUS)
    .map(({ payload }) => payload['value'] as Status);
  expect(progress.every((status) => status.requestId === requestId)).toBe(true);
  const numbers = progress.filter(({ status }) => status === 'rendering').map((status) => status.progress ?? NaN);
  expect(numbers.length).toBeGreaterThan(2);
  expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
  expect(new Set(numbers).size).toBeGreaterThan(2);
  expect(progress.at(-1)).toMatchObject({ status: 'complete', interim: false });
}

async function download(page: Page, name: string): Promise<{ name: string; bytes: Buffer }> {
  const started = page.waitForEvent('download');
  await page.getByRole('button', { name, exact: true }).click();
  return saved(await started);
}

async function saved(started: Download): Promise<{ name: string; bytes: Buffer }> {
  const path = await inTime(started.path(), () => `the download of ${started.suggestedFilename()}`);
  return { name: started.suggestedFilename(), bytes: await readFile(path) };
}
