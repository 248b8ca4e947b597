import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createSurfaceRuntime, defineSurface } from '../../../src/entries/core.js';
import type { SurfaceRuntime } from '../../../src/entries/core.js';
import { createAttachmentStore } from '../../../src/hub/attachment-store.js';
import { createHub } from '../../../src/hub/create-hub.js';
import type { Hub } from '../../../src/hub/create-hub.js';
import * as LIMITS from '../../../src/protocol/limits.js';
import { isAttachmentId } from '../../../src/rules/declared-attachments.js';
import { CLIENT_KINDS, connectClient } from './mcp-clients.js';
import type { ClientKind, McpClient } from './mcp-clients.js';

// Real sockets on a machine that may be busy with other tests.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

const bytes = (length: number): Uint8Array => new Uint8Array(length);
const stored = (answer: ReturnType<ReturnType<typeof createAttachmentStore>['add']>) => {
  if (typeof answer === 'string') throw new Error(answer);
  return answer;
};

describe('the store', () => {
  it('gives ids that nobody can guess, and finds what params name', () => {
    const store = createAttachmentStore();
    const [first, second] = ['a.png', 'b.png'].map((name) =>
      stored(store.add({ name, mediaType: 'image/png', bytes: bytes(3) })).attachment) as [string, string];
    expect(first).not.toBe(second);
    expect([first, second].every(isAttachmentId)).toBe(true);
    expect(first.length).toBe(32);
    const named = store.namedIn({ logo: first, list: [second, 'not-an-id'], deep: { logo: first }, n: 3 });
    expect(Object.keys(named)).toEqual([first, second]);
    expect((named[first] as File).name).toBe('a.png');
    expect(store.namedIn({ deep: { logo: first } })).toEqual({});
    expect(store.namedIn(null)).toEqual({});
    store.close();
    expect(store.namedIn({ logo: first })).toEqual({});
  });

  it('keeps what somebody handed in for them alone', () => {
    const store = createAttachmentStore();
    const { attachment } = stored(store.add({ name: 'a', mediaType: 'text/plain', bytes: bytes(1) }, 'me'));
    expect(Object.keys(store.namedIn({ a: attachment }, 'me'))).toEqual([attachment]);
    expect(store.namedIn({ a: attachment }, 'you')).toEqual({});
    expect(store.namedIn({ a: attachment })).toEqual({});
  });

  it('forgets what is too old', () => {
    let now = 1_000;
    const store = createAttachmentStore({ ageMs: 500 }, () => now);
    const { attachment, expiresAt } = stored(store.add({ name: 'a', mediaType: 'text/plain', bytes: bytes(1) }));
    expect(expiresAt).toBe(1_500);
    now = 1_499;
    expect(Object.keys(store.namedIn({ a: attachment }))).toEqual([attachment]);
    now = 1_500;
    expect(store.namedIn({ a: attachment })).toEqual({});
  });

  it("makes room by somebody's own oldest, and never by another's", () => {
    const store = createAttachmentStore({ totalBytes: 10 });
    const add = (owner: string, size: number) => store.add({ name: 'a', mediaType: 'x/y', bytes: bytes(size) }, owner);
    const mine = stored(add('me', 4)).attachment;
    const yours = stored(add('you', 4)).attachment;
    expect(add('she', 4)).toMatch(/as many attachments of others as it may/);
    const newer = stored(add('me', 6)).attachment;
    expect(store.namedIn({ mine, newer }, 'me')).toHaveProperty(newer);
    expect(store.namedIn({ mine }, 'me')).toEqual({});
    expect(store.namedIn({ yours }, 'you')).toHaveProperty(yours);
    // What would not make room enough stays.
    expect(add('me', 7)).toMatch(/as many attachments of others as it may/);
    expect(store.namedIn({ newer }, 'me')).toHaveProperty(newer);
    expect(add('me', 11)).toBe('a has 11 bytes, and an attachment may have 10.');
  });

  it('holds a limited number', () => {
    const store = createAttachmentStore();
    const file = { name: 'a', mediaType: 'x/y', bytes: bytes(0) };
    for (let count = 0; count < LIMITS.hubAttachments; count++) stored(store.add(file, 'me'));
    expect(typeof store.add(file, 'you')).toBe('string');
    stored(store.add(file, 'me'));
  });
});

describe('through a hub', () => {
  const LOGO = { type: 'string', format: 'oui-attachment', 'x-oui-attachment': { as: 'file', mediaTypes: ['image/*'] } };
  const NOTE = { type: 'string', format: 'oui-attachment', 'x-oui-attachment': { as: 'text' } };
  const png = Buffer.from('89504e470d0a1a0a', 'hex');
  const handler = vi.fn((_params: Record<string, unknown>) => undefined);
  let hub: Hub;
  let page: SurfaceRuntime;
  const clients: McpClient[] = [];

  beforeAll(async () => {
    hub = await createHub({ port: 0, onLog: () => undefined });
    page = createSurfaceRuntime({ url: hub.pageUrl, worker: false });
    const input = { type: 'object', properties: { logo: LOGO, note: NOTE } };
    const action = { id: 'insert', description: 'Inserts.', settle: 'none' as const, input, handler };
    page.mount(defineSurface({ id: 'editor', name: 'Editor', description: 'Pictures.', actions: [action] }));
  });
  afterAll(async () => {
    page.dispose();
    await hub.close();
  });
  afterEach(async () => {
    handler.mockClear();
    for (const client of clients.splice(0)) await client.close();
  });

  async function connect(kind: ClientKind = 'v2'): Promise<McpClient> {
    const client = await connectClient(kind, hub.mcpUrl);
    clients.push(client);
    while (!(await client.tools()).some(({ name }) => name === 'editor__insert')) await client.notice('tools');
    return client;
  }
  const handIn = async (client: McpClient, args: Record<string, unknown>): Promise<string> => {
    const { data } = (await client.call('oui_attach', args)).structuredContent as { data: { attachment: string } };
    return data.attachment;
  };
  const post = (body: Uint8Array | string, headers: Record<string, string> = {}, query = '?name=logo.png') =>
    fetch(`${hub.url}/oui/v1/attachments${query}`, { method: 'POST', body: body as never, headers });

  it.each(CLIENT_KINDS)('an MCP client of %s gives a page a file and a text', async (kind) => {
    const client = await connect(kind);
    const tool = (await client.tools()).find(({ name }) => name === 'editor__insert');
    expect(tool?.description).toMatch(/takes an attachment's id \(image\/\*\)[\s\S]*oui_attach/);
    const logo = await handIn(client, { name: 'logo.png', mediaType: 'image/png', base64: png.toString('base64') });
    const note = await handIn(client, { name: 'note.txt', mediaType: 'text/plain', text: 'Grüße' });
    const { structuredContent } = await client.call('editor__insert', { logo, note });
    expect(structuredContent['error']).toBeUndefined();
    const given = handler.mock.calls[0]![0] as { logo: File; note: string };
    expect([given.logo.name, given.logo.type, given.note]).toEqual(['logo.png', 'image/png', 'Grüße']);
    expect(Buffer.from(await given.logo.arrayBuffer())).toEqual(png);
  });

  it("one session's attachment is nobody else's", async () => {
    const [mine, yours] = [await connect('v1'), await connect('v2')];
    const logo = await handIn(mine, { name: 'logo.png', mediaType: 'image/png', base64: '' });
    expect((await yours.call('editor__insert', { logo })).structuredContent['error']).toMatchObject({
      code: 'ATTACHMENT_UNAVAILABLE',
      message: expect.stringMatching(/^logo: the agent has no attachment with this id/),
    });
    expect((await mine.call('editor__insert', { logo })).isError).toBeFalsy();
  });

  it('a file comes by HTTP too: for whoever has the id, or for one session', async () => {
    const client = await connect();
    const response = await post(png, { 'Content-Type': 'image/png' });
    expect(response.status).toBe(201);
    const answer = (await response.json()) as { attachment: string };
    expect(answer).toMatchObject({ name: 'logo.png', mediaType: 'image/png', size: 8 });
    expect((await client.call('editor__insert', { logo: answer.attachment })).isError).toBeFalsy();
    const other = await post(png, { 'Content-Type': 'image/png', 'Mcp-Session-Id': 'another' });
    const { attachment } = (await other.json()) as { attachment: string };
    expect((await client.call('editor__insert', { logo: attachment })).isError).toBe(true);
  });

  it('by HTTP, pages and foreign hosts hand nothing in, and nothing is too large', async () => {
    expect((await post(png, { Origin: 'http://localhost:3000' })).status).toBe(403);
    expect((await fetch(`${hub.url}/oui/v1/attachments`)).status).toBe(405);
    const large = await post(bytes(LIMITS.attachmentBytes + 1));
    expect(large.status).toBe(413);
    expect(await large.text()).toContain(String(LIMITS.attachmentBytes));
  });

  it('an attachment that has expired is not there', async () => {
    const other = await createHub({ port: 0, onLog: () => undefined, attachments: { ageMs: 0 } });
    const visitor = createSurfaceRuntime({ url: other.pageUrl, worker: false });
    const input = { type: 'object', properties: { note: NOTE } };
    const action = { id: 'insert', description: 'Inserts.', settle: 'none' as const, input, handler };
    visitor.mount(defineSurface({ id: 'editor', name: 'Editor', description: 'Pictures.', actions: [action] }));
    const client = await connectClient('v2', other.mcpUrl);
    while (!(await client.tools()).some(({ name }) => name === 'oui_attach')) await client.notice('tools');
    const note = await handIn(client, { name: 'note.txt', mediaType: 'text/plain', text: '' });
    expect((await client.call('editor__insert', { note })).structuredContent['error']).toMatchObject({
      message: expect.stringMatching(/^note: the agent has no attachment with this id; it may have expired/),
    });
    expect(handler).not.toHaveBeenCalled();
    await client.close();
    visitor.dispose();
    await other.close();
  });

  it.each<[string, Record<string, unknown>, RegExp]>([
    ['two contents', { text: 'a', base64: 'YQ==' }, /as "text" or as "base64"/],
    ['no content', {}, /as "text" or as "base64"/],
    ['what is no Base64', { base64: 'data:image/png;base64,YQ==' }, /is not Base64/],
    ['no media type', { mediaType: 'png', text: '' }, /mediaType/],
  ])('oui_attach refuses %s', async (_what, args, message) => {
    const client = await connect();
    const outcome = await client.call('oui_attach', { name: 'a', mediaType: 'image/png', ...args });
    expect(outcome.isError).toBe(true);
    expect((outcome.structuredContent['error'] as { message: string }).message).toMatch(message);
  });
});
