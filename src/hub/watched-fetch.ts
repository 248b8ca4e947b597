import type { FetchLike } from '@modelcontextprotocol/client';

/**
 * A fetch that notices when the server of an MCP session has gone: the stream of notifications ends, nobody answers
 * any more, or the session is unknown. `lost` may be called more than once.
 */
export function watchedFetch(lost: () => void): FetchLike {
  return async (url, init) => {
    const mine = (): boolean => init?.signal?.aborted === true;
    let response: Response;
    try {
      response = await fetch(url, init);
    } catch (error) {
      if (!mine()) lost();
      throw error;
    }
    if (response.status === 404) lost();
    const isStream = (init?.method ?? 'GET') === 'GET' && response.ok && response.body !== null;
    if (!isStream) return response;
    const body = watchEnd(response.body as ReadableStream<Uint8Array>, () => {
      if (!mine()) lost();
    });
    return new Response(body, { status: response.status, headers: response.headers });
  };
}

function watchEnd(body: ReadableStream<Uint8Array>, ended: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        controller.close();
      } catch (error) {
        controller.error(error);
      }
      ended();
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
