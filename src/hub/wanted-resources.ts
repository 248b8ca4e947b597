import type { JSONRPCMessage, RequestId, Transport } from '@modelcontextprotocol/server';

/** The resources that a client wants to hear of. */
export interface WantedResources {
  add(uri: string): void;
  remove(uri: string): void;
  /** The resources of one `subscriptions/listen` request (MCP 2026-07-28). */
  listen(id: RequestId, uris: readonly string[]): void;
  /** The end of such a request. */
  unlisten(id: RequestId): void;
}

export function createWantedResources(changed: (uris: ReadonlySet<string>) => void): WantedResources {
  const single = new Set<string>();
  const listens = new Map<RequestId, readonly string[]>();
  const tell = (): void => changed(new Set([...single, ...[...listens.values()].flat()]));
  return {
    add(uri) {
      single.add(uri);
      tell();
    },
    remove(uri) {
      if (single.delete(uri)) tell();
    },
    listen(id, uris) {
      listens.set(id, uris);
      tell();
    },
    unlisten(id) {
      if (listens.delete(id)) tell();
    },
  };
}

/**
 * A transport that notes which resources its client listens to on the way. The MCP library answers
 * `subscriptions/listen` on stdio by itself and filters what goes out; which addresses were asked for, and must be
 * asked for at the hub in turn, it does not tell.
 *
 * @param closed Called once when the connection has ended.
 */
export function watchListens(inner: Transport, wanted: WantedResources, closed: () => void): Transport {
  const outer: Transport = {
    async start() {
      inner.onmessage = (message, extra) => {
        note(message, wanted);
        outer.onmessage?.(message, extra);
      };
      inner.onerror = (error) => outer.onerror?.(error);
      inner.onclose = () => {
        outer.onclose?.();
        closed();
      };
      await inner.start();
    },
    send: (message, options) => inner.send(message, options),
    close: () => inner.close(),
  };
  return outer;
}

function note(message: JSONRPCMessage, wanted: WantedResources): void {
  if (!('method' in message)) return;
  if (message.method === 'subscriptions/listen' && 'id' in message) {
    const filter = message.params?.['notifications'] as { resourceSubscriptions?: unknown } | undefined;
    const uris = Array.isArray(filter?.resourceSubscriptions) ? filter.resourceSubscriptions : [];
    wanted.listen(message.id, uris.filter((uri): uri is string => typeof uri === 'string'));
  }
  if (message.method === 'notifications/cancelled') {
    const id = message.params?.['requestId'];
    if (typeof id === 'string' || typeof id === 'number') wanted.unlisten(id);
  }
}
