import type { IncomingMessage, ServerResponse } from 'node:http';

/** A body larger than this is refused: arguments of a call are small, and it is held in memory. Bytes. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** A request as the MCP library wants it, and its JSON body, when it has one. */
export interface WebRequest {
  readonly request: Request;
  /** `undefined` when there is no body, or when it is not JSON. */
  readonly body: unknown;
}

/**
 * Makes a web-standard Request out of Node's. Its signal fires when the client goes away before the answer is whole.
 * Resolves with undefined when the body is too large.
 */
export async function toWebRequest(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<WebRequest | undefined> {
  const bytes = await readBody(incoming, MAX_BODY_BYTES);
  if (bytes === undefined) return undefined;
  const text = bytes.toString('utf8');
  const headers = new Headers();
  for (let i = 0; i + 1 < incoming.rawHeaders.length; i += 2) {
    const name = incoming.rawHeaders[i] as string;
    headers.append(name, incoming.rawHeaders[i + 1] as string);
  }
  const controller = new AbortController();
  outgoing.on('close', () => {
    if (!outgoing.writableFinished) controller.abort();
  });
  const method = incoming.method ?? 'GET';
  const request = new Request(`http://${incoming.headers.host ?? 'localhost'}${incoming.url ?? '/'}`, {
    method,
    headers,
    signal: controller.signal,
    ...(method === 'GET' || method === 'HEAD' ? {} : { body: text }),
  });
  return { request, body: parseJson(text) };
}

/** Writes a web-standard Response to Node's, stream and all; a client that goes away cancels the stream. */
export async function sendWebResponse(outgoing: ServerResponse, response: Response): Promise<void> {
  const reader = response.body?.getReader();
  if (outgoing.destroyed) {
    await reader?.cancel();
    return;
  }
  const headers: Record<string, string> = {};
  response.headers.forEach((value, name) => {
    headers[name] = value;
  });
  outgoing.writeHead(response.status, headers);
  if (reader === undefined) {
    outgoing.end();
    return;
  }
  // Without this a stream that has nothing to say yet would leave its client waiting for the head.
  outgoing.flushHeaders();
  outgoing.on('close', () => void reader.cancel().catch(() => undefined));
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || outgoing.destroyed) break;
      if (!outgoing.write(value)) await drained(outgoing);
    }
  } catch {
    outgoing.destroy();
  }
  outgoing.end();
}

/** The body; undefined when it is too large. What follows then is read and dropped, so that the answer arrives. */
export function readBody(incoming: IncomingMessage, mostBytes: number): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const collect = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes <= mostBytes) return void chunks.push(chunk);
      incoming.off('data', collect);
      incoming.resume();
      resolve(undefined);
    };
    incoming.on('data', collect);
    incoming.on('end', () => resolve(Buffer.concat(chunks)));
    incoming.on('error', reject);
    incoming.on('close', () => reject(new Error('the client went away before its request was whole')));
  });
}

function parseJson(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      outgoing.off('drain', done);
      outgoing.off('close', done);
      resolve();
    };
    outgoing.on('drain', done);
    outgoing.on('close', done);
  });
}
