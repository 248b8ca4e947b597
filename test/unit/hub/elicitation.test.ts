import { afterEach, describe, expect, it, vi } from 'vitest';
import { createHub } from '../../../src/hub/create-hub.js';
import type { Hub, HubOptions } from '../../../src/hub/create-hub.js';
import { openPage, todoSurface } from './fake-page.js';
import type { FakePage, FakePageOptions } from './fake-page.js';
import { CLIENT_KINDS, connectClient } from './mcp-clients.js';
import type { CallOutcome, ClientKind, Elicit, McpClient } from './mcp-clients.js';

// Real sockets on a machine that may be busy with other tests.
vi.setConfig({ testTimeout: 30_000 });

const DELETE = 'todo-app__delete_todo';
const PARAMS = { todoId: 't1' };

let hub: Hub;
let page: FakePage;
let client: McpClient;
afterEach(async () => {
  await client?.close();
  await page?.close();
  await hub?.close();
});

interface Setting {
  readonly elicit?: Elicit;
  readonly page?: FakePageOptions;
  readonly hub?: HubOptions;
}

/** A hub, a page that leaves asking to the agent's side, and a client. */
async function start(kind: ClientKind, setting: Setting): Promise<void> {
  hub = await createHub({ port: 0, onLog: () => undefined, ...setting.hub });
  page = await openPage(hub.pageUrl, {
    surfaces: [todoSurface()],
    confirmBy: 'agent',
    onRequest: (request, on) => on.answer(request, { data: 'deleted' }),
    ...setting.page,
  });
  client = await connectClient(kind, hub.mcpUrl, undefined, setting.elicit);
  while (!(await client.tools()).some(({ name }) => name === DELETE)) await client.notice('tools');
}

const sent = (): unknown[] => page.received.flatMap((event) => (event.type === 'action:request' ? [event.payload] : []));
const codeOf = ({ structuredContent }: CallOutcome): unknown =>
  (structuredContent['error'] as { code: string } | undefined)?.code;

describe.each(CLIENT_KINDS)('the client %s', (kind) => {
  it('asks its user, who sees exactly what runs, and calls after a yes', async () => {
    const questions: string[] = [];
    const sentAtQuestion: number[] = [];
    const elicit: Elicit = (message, schema) => {
      questions.push(message);
      // Nothing in it can be filled in.
      expect(schema).toEqual({ type: 'object', properties: {} });
      sentAtQuestion.push(sent().length);
      return 'accept';
    };
    await start(kind, { elicit });
    const outcome = await client.call(DELETE, { todoId: 'a\u202eb' });
    expect(outcome.structuredContent).toMatchObject({ data: 'deleted', settled: true });
    expect(sent()).toHaveLength(1);
    expect(questions).toHaveLength(1);
    expect(questions[0]).toContain('delete_todo');
    expect(questions[0]).toContain('Deletes a todo for good.');
    expect(questions[0]).toContain('"todoId": "a\\u{202e}b"');
    // One yes is for one call.
    await client.call(DELETE, PARAMS);
    expect(sentAtQuestion).toEqual([0, 1]);
  });

  it('calls nothing after a no, or without an answer', async () => {
    const answers = ['decline', 'cancel'] as const;
    let asked = 0;
    await start(kind, { elicit: () => answers[asked++]! });
    for (const code of ['ACTION_DENIED', 'APPROVAL_REQUIRED']) {
      const outcome = await client.call(DELETE, PARAMS);
      expect(outcome.isError).toBe(true);
      expect(codeOf(outcome)).toBe(code);
    }
    expect(sent()).toEqual([]);
  });

  it('that cannot ask calls nothing, whatever its parameters say, and is told the way on', async () => {
    await start(kind, {});
    const outcome = await client.call(DELETE, { ...PARAMS, confirmed: true, approval: 'yes' });
    expect(codeOf(outcome)).toBe('APPROVAL_REQUIRED');
    expect(outcome.text).toContain('elicitation');
    expect(outcome.text).toContain('in the page themselves');
    expect(sent()).toEqual([]);
  });

  it('asks nobody where the page does, where nothing needs it, and where the hub\'s own program asks', async () => {
    const elicit = vi.fn<Elicit>(() => 'decline');
    await start(kind, { elicit, page: { confirmBy: 'page' } });
    expect((await client.call(DELETE, PARAMS)).structuredContent['data']).toBe('deleted');
    await client.close();
    await page.close();
    await hub.close();
    await start(kind, { elicit, hub: { confirm: () => true } });
    expect((await client.call(DELETE, PARAMS)).structuredContent['data']).toBe('deleted');
    expect((await client.call('todo-app__list_todos', {})).structuredContent['data']).toBe('deleted');
    expect(elicit).not.toHaveBeenCalled();
  });

  it('asks for a page that speaks v1', async () => {
    const elicit = vi.fn<Elicit>(() => 'accept');
    await start(kind, { elicit, page: { v1: true } });
    expect((await client.call(DELETE, PARAMS)).structuredContent['data']).toBe('deleted');
    expect(elicit).toHaveBeenCalledTimes(1);
  });
});

describe('without a session', () => {
  /** Sends a call by hand, as a client would that keeps or changes what it was given. */
  async function post(params: object, name = 'by-hand'): Promise<Record<string, unknown>> {
    const response = await fetch(hub.mcpUrl, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': DELETE,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name: DELETE,
          ...params,
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientInfo': { name, version: '1' },
            'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
          },
        },
      }),
    });
    const text = await response.text();
    return JSON.parse(text.startsWith('{') ? text : text.slice(text.indexOf('data: ') + 6)) as Record<string, unknown>;
  }

  const resultOf = (answer: Record<string, unknown>): Record<string, unknown> => {
    expect(answer).toHaveProperty('result');
    return answer['result'] as Record<string, unknown>;
  };
  const accepted = { inputResponses: { confirm: { action: 'accept', content: {} } } };

  it('a yes counts for the very call that was asked about, once, and only with its seal', async () => {
    await start('v2, 2026-07-28', {});
    const { resultType, requestState } = resultOf(await post({ arguments: PARAMS }));
    expect(resultType).toBe('input_required');
    const again = { ...accepted, requestState };

    // An answer without the seal, with a broken one, for other values, or by another client, is none.
    expect(resultOf(await post({ arguments: PARAMS, ...accepted }))['resultType']).toBe('input_required');
    const broken = { ...again, requestState: `${String(requestState).slice(0, -2)}AA` };
    expect(await post({ arguments: PARAMS, ...broken })).toMatchObject({ error: { code: -32602 } });
    expect(resultOf(await post({ arguments: { todoId: 't2' }, ...again }))['resultType']).toBe('input_required');
    expect(await post({ arguments: PARAMS, ...again }, 'another')).toMatchObject({ error: { code: -32602 } });
    expect(sent()).toEqual([]);

    expect(resultOf(await post({ arguments: PARAMS, ...again }))).toMatchObject({
      structuredContent: { data: 'deleted' },
    });
    // A replay is a new call, and asks.
    expect(resultOf(await post({ arguments: PARAMS, ...again }))['resultType']).toBe('input_required');
    expect(sent()).toHaveLength(1);
  });
});
