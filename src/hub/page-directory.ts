import type { AgentRuntime } from '../agent/agent-types.js';
import type { Release } from '../protocol/ports.js';

/**
 * One connected page, as the hub's agents see it. Everything here is an id, JSON, or a call that resolves with JSON,
 * so that a page connected to another process can stand behind the same interface.
 */
export interface HubPage
  extends Pick<
    AgentRuntime,
    | 'page'
    | 'surfaces'
    | 'tools'
    | 'awaitedTools'
    | 'call'
    | 'describe'
    | 'observations'
    | 'observation'
    | 'read'
    | 'subscribe'
  > {
  /** Unique in the hub, and the same over a reload of the page. */
  readonly id: string;
}

export type PageDirectoryEvent =
  /** A page came, went, or told something new about itself. */
  | { readonly type: 'pages' }
  /** A page's tools or declared observations changed. */
  | { readonly type: 'tools'; readonly pageId: string }
  | {
      readonly type: 'observation';
      readonly pageId: string;
      readonly surfaceId: string;
      readonly observationId: string;
    };

/** Which pages there are. The agents' half of the room where pages and agents meet. */
export interface PageDirectory {
  /** The connected pages, the newest last. */
  pages(): readonly HubPage[];
  /** The same, and the pages among them that have just gone and may come back: calls to these wait for them. */
  known(): readonly HubPage[];
  onChange(listener: (event: PageDirectoryEvent) => void): Release;
}

/** The pages' half: the hub puts its pages in. The adapter port for carrying a room over several processes. */
export interface PageRoom extends PageDirectory {
  /** Adds a page; the release takes it out again, when it is gone and does not come back. */
  join(page: HubPage): Release;
}

/** A room in this process's memory. */
export function createMemoryRoom(): PageRoom {
  const pages = new Map<string, HubPage>();
  const listeners = new Set<(event: PageDirectoryEvent) => void>();
  const tell = (event: PageDirectoryEvent): void => {
    for (const listener of [...listeners]) listener(event);
  };

  return {
    pages: () => [...pages.values()].filter((page) => page.page.connected),
    known: () => [...pages.values()],

    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    join(page) {
      pages.set(page.id, page);
      const release = page.subscribe((event) => {
        if (event.type === 'page') tell({ type: 'pages' });
        else if (event.type === 'tools') tell({ type: 'tools', pageId: page.id });
        else if (event.type === 'observation') {
          const { surfaceId, observationId } = event;
          tell({ type: 'observation', pageId: page.id, surfaceId, observationId });
        }
      });
      tell({ type: 'pages' });
      return () => {
        release();
        if (pages.get(page.id) !== page) return;
        pages.delete(page.id);
        tell({ type: 'pages' });
      };
    },
  };
}
