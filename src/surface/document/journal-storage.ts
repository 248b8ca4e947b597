import { messageOf } from '../../protocol/error-message.js';
import * as LIMITS from '../../protocol/limits.js';
import { warnOnce } from '../../protocol/warn-once.js';
import * as WARNINGS from '../../protocol/warning-codes.js';
import type { PageEnvironment } from './page-environment.js';

/** What an earlier document of the tab left: the newest text of each request, oldest request first. */
export interface LeftJournal {
  /** Unix epoch, ms: it knows every request that arrived after this. */
  readonly since: number;
  readonly requests: ReadonlyMap<string, string>;
}

/** Whose journal it is. */
interface Head {
  readonly clientId: string;
  readonly session: string;
  readonly since: number;
}

/**
 * The journal in sessionStorage: a head, and one small key for each request, so that a step of a request writes little.
 * Storage that is full or forbidden costs one warning and the journal's life beyond the document, nothing else.
 */
export class JournalStorage {
  readonly #page: PageEnvironment;
  readonly #key: string;
  readonly #owner: Pick<Head, 'clientId' | 'session'>;
  #since = 0;

  /** `place`: of the runtime in its tab. `session`: what is kept for another one is not found. */
  constructor(page: PageEnvironment, place: string, clientId: string, session: string) {
    this.#page = page;
    this.#key = `oui:journal:${place}`;
    this.#owner = { clientId, session };
  }

  /**
   * Takes over what is there for this client and session, less what has expired; the rest is removed.
   * @returns `undefined` when there was none; `foreign` when it was another session's.
   */
  open(): LeftJournal | 'foreign' | undefined {
    return this.#attempt((storage) => {
      const head = parsed<Head>(storage.getItem(this.#key));
      const ours = head?.clientId === this.#owner.clientId;
      if (!head || !ours || head.session !== this.#owner.session) {
        this.begin(this.#page.wall());
        return ours ? 'foreign' : undefined;
      }
      return this.#read(storage, head.since);
    });
  }

  /** Begins anew, with nothing known from before this time. */
  begin(since: number): void {
    this.#attempt((storage) => {
      for (const key of this.#keys(storage)) storage.removeItem(key);
    });
    this.know(since);
  }

  /** What arrived before this time is not known any more. */
  know(since: number): void {
    this.#since = Math.max(this.#since, since);
    const head: Head = { ...this.#owner, since: this.#since };
    const written = this.#attempt((storage) => {
      storage.setItem(this.#key, JSON.stringify(head));
      return true;
    });
    // A later document must not take an older time for true. Storage that is full can still be cleared.
    if (!written) this.#attempt((storage) => storage.removeItem(this.#key));
  }

  write(requestId: string, text: string): void {
    const written = this.#attempt((storage) => {
      storage.setItem(this.#requestKey(requestId), text);
      return true;
    });
    // A later document does not know of it: a resend of it then may have run.
    if (!written) this.know(this.#page.wall());
  }

  remove(requestId: string): void {
    this.#attempt((storage) => storage.removeItem(this.#requestKey(requestId)));
  }

  #read(storage: NonNullable<PageEnvironment['storage']>, since: number): LeftJournal {
    const kept: { readonly requestId: string; readonly text: string; readonly receivedAt: number }[] = [];
    let known = since;
    for (const key of this.#keys(storage)) {
      const text = storage.getItem(key)!;
      const request = parsed<{ at: number; receivedAt: number }>(text);
      if (request && request.at > this.#page.wall() - LIMITS.keptMs) {
        kept.push({ requestId: key.slice(this.#key.length + 1), text, receivedAt: request.receivedAt });
      } else {
        storage.removeItem(key);
        // From now on, not from when it was written: what seems long ago may be a clock that was set meanwhile.
        if (request) known = Math.max(known, this.#page.wall());
      }
    }
    this.#since = known;
    if (known > since) this.know(known);
    kept.sort((a, b) => a.receivedAt - b.receivedAt);
    return { since: known, requests: new Map(kept.map(({ requestId, text }) => [requestId, text])) };
  }

  #keys(storage: NonNullable<PageEnvironment['storage']>): string[] {
    return Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '').filter((key) =>
      key.startsWith(`${this.#key}:`));
  }

  #requestKey(requestId: string): string {
    return `${this.#key}:${requestId}`;
  }

  #attempt<T>(work: (storage: NonNullable<PageEnvironment['storage']>) => T): T | undefined {
    const { storage } = this.#page;
    if (!storage) return undefined;
    try {
      return work(storage);
    } catch (error) {
      const message = 'What requests came to is not kept over a reload of this page: its sessionStorage is full or '
        + `forbidden (${messageOf(error)}).`;
      warnOnce(WARNINGS.JOURNAL_NOT_KEPT, message, 'journal');
      return undefined;
    }
  }
}

/** Other scripts of the page can write there too: what is no object is not there. */
function parsed<T extends object>(text: string | null): Partial<T> & T | undefined {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    return typeof value === 'object' && value !== null ? (value as T) : undefined;
  } catch {
    return undefined;
  }
}
