import type { IncomingMessage, ServerResponse } from 'node:http';
import * as LIMITS from '../protocol/limits.js';
import type { AttachmentStore } from './attachment-store.js';
import { readBody } from './http-bridge.js';
import { sendText } from './static-files.js';

const USAGE =
  'Post a file\'s bytes here, with its Content-Type and its name: ?name=logo.png. With the Mcp-Session-Id of an MCP ' +
  'session it is for that session alone.\n';

/**
 * Takes a file by HTTP, for what is too large for a tool call, and answers with its id. Who may ask was decided before.
 */
export async function receiveAttachment(
  request: IncomingMessage,
  response: ServerResponse,
  store: AttachmentStore,
): Promise<void> {
  if (request.method !== 'POST') {
    response.setHeader('Allow', 'POST');
    return sendText(response, 405, USAGE);
  }
  const name = new URL(request.url ?? '/', 'http://hub').searchParams.get('name') || 'attachment';
  const bytes = await readBody(request, LIMITS.attachmentBytes);
  if (bytes === undefined) {
    response.setHeader('Connection', 'close');
    return sendText(response, 413, `The file has more than the ${LIMITS.attachmentBytes} bytes of an attachment.\n`);
  }
  const mediaType = request.headers['content-type'] ?? 'application/octet-stream';
  const session = request.headers['mcp-session-id'];
  const stored = store.add({ name, mediaType, bytes }, typeof session === 'string' ? session : undefined);
  if (typeof stored === 'string') return sendText(response, 507, `${stored}\n`);
  response.writeHead(201, { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' });
  response.end(`${JSON.stringify(stored)}\n`);
}
