import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { expect, it } from 'vitest';
import { createHubMcpServer } from '../../../src/hub/mcp-server.js';
import type { McpParts } from '../../../src/hub/mcp-server.js';
import { connectClient } from './mcp-clients.js';

const URL_OF_NOBODY = 'http://hub.test/mcp';

/** Serves one request after the other without a session, and notes whose each was. */
function sessionless() {
  const callers: unknown[] = [];
  const parts = {
    tools: { list: () => [], routes: () => [] },
    resources: { list: () => [] },
    own: { call: () => undefined },
    caller: {
      call: (_name: string, _args: object, { caller }: { caller?: string }) => {
        callers.push(caller);
        return Promise.resolve({ settled: true, observations: {} });
      },
    },
  } as unknown as McpParts;
  const handler = createMcpHandler(() => createHubMcpServer(parts, new Set()), { legacy: 'reject' });
  return { callers, handler };
}

it('a client without a session is known by its name and version', async () => {
  const { callers, handler } = sessionless();
  const transport = new StreamableHTTPClientTransport(new URL(URL_OF_NOBODY), {
    fetch: (url, init) => handler.fetch(new Request(url, init)),
  });
  const client = await connectClient('v2, 2026-07-28', URL_OF_NOBODY, transport);
  await client.call('a__job', {});
  await client.close();
  await handler.close();
  expect(callers).toEqual(['["test-v2","1.0.0"]']);
});

it('one that does not name itself is nobody', async () => {
  const { callers, handler } = sessionless();
  const response = await handler.fetch(new Request(URL_OF_NOBODY, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'a__job',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'a__job',
        arguments: {},
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }),
  }));
  expect(await response.text()).toContain('"settled":true');
  await handler.close();
  expect(callers).toEqual([undefined]);
});
