import type { AttachmentUse } from '../../protocol/engine-messages.js';
import { messageOf } from '../../protocol/error-message.js';
import * as LIMITS from '../../protocol/limits.js';
import { clipText } from '../../rules/clip-text.js';
import { fitsMediaTypes } from '../../rules/declared-attachments.js';
import type { AttachmentHost } from '../runtime-options.js';

export { createAgentFetch } from './agent-fetch.js';

/** Where attachments come from. */
export interface AttachmentSources {
  readonly host: AttachmentHost | undefined;
  /** From the agent that sent the request; absent where that gives none. */
  readonly fetch: ((id: string, signal: AbortSignal) => Promise<File>) | undefined;
  readonly signal: AbortSignal;
}

/** Reasons are for the agent: a page's own words are cut to a line or two. */
const REASON_LENGTH = 500;

/**
 * Opens what a request names, each id once for each list of types it is used for, four at a time (PROTOCOL.md §6).
 *
 * @returns what takes the place of each use's id: a File, or a text.
 * @throws {Error} `<property>: <reason>` of the first that cannot be had; the others are given up.
 */
export async function openAttachments(
  uses: readonly AttachmentUse[],
  { host, fetch, signal }: AttachmentSources,
): Promise<readonly unknown[]> {
  const ending = new AbortController();
  const { signal: both } = ending;
  const end = (): void => ending.abort();
  signal.addEventListener('abort', end);
  const opened = new Map<string, Promise<unknown>>();
  const fetched = new Map<string, Promise<File>>();
  const fetchOnce = fetch && ((id: string): Promise<File> => {
    if (!fetched.has(id)) fetched.set(id, fetch(id, both));
    return fetched.get(id)!;
  });

  const openOnce = (use: AttachmentUse): Promise<unknown> => {
    const key = JSON.stringify([use.id, use.as, use.mediaTypes]);
    const known = opened.get(key);
    if (known) return known;
    const value = find(use, host, fetchOnce, both).then((found) => checked(use, found));
    opened.set(key, value);
    return value;
  };

  const values: unknown[] = [];
  const waiting = [...uses.entries()];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next && !both.aborted; next = waiting.shift()) {
      const [place, use] = next;
      try {
        values[place] = await openOnce(use);
      } catch (error) {
        throw new Error(`${use.property}: ${clipText(messageOf(error), REASON_LENGTH)}`, { cause: error });
      }
    }
  };
  try {
    await untilAborted(Promise.all(Array.from({ length: LIMITS.attachmentsAtOnce }, work)), signal);
    return values;
  } finally {
    signal.removeEventListener('abort', end);
    end();
  }
}

/** The host's own answer goes first; what it does not know, or cannot open, may be the agent's to give. */
async function find(
  { id, as }: AttachmentUse,
  host: AttachmentHost | undefined,
  fetch: ((id: string) => Promise<File>) | undefined,
  signal: AbortSignal,
): Promise<unknown> {
  let reason = `no attachment "${id}" is known here`;
  if (host) {
    try {
      const found = await host.resolve(id, as, { signal });
      if (found !== undefined && found !== null) return found;
    } catch (error) {
      reason = messageOf(error);
    }
  }
  if (fetch) return fetch(id);
  throw new Error(reason);
}

async function checked({ as, mediaTypes }: AttachmentUse, found: unknown): Promise<unknown> {
  if (isBlob(found)) {
    assertType(nameOf(found), found.type, mediaTypes);
    if (as === 'text') return found.text();
    return isFile(found) ? found : new File([found], 'attachment', { type: found.type });
  }
  if (as === 'file') throw new Error('what attachments.resolve gave is no File');
  if (typeof found === 'string') {
    if (mediaTypes === undefined) return found;
    const wanted = mediaTypes.join(', ');
    throw new Error(`a bare text has no media type, and ${wanted} is taken; resolve to {name, mediaType, text}`);
  }
  const { name, mediaType, text } = found as { name?: unknown; mediaType?: unknown; text?: unknown };
  if (typeof text !== 'string') throw new Error('what attachments.resolve gave is neither a File nor has a text');
  assertType(typeof name === 'string' ? name : 'the attachment', mediaType, mediaTypes);
  return text;
}

function assertType(name: string, mediaType: unknown, taken: readonly string[] | undefined): void {
  const type = typeof mediaType === 'string' ? mediaType : '';
  if (fitsMediaTypes(type, taken)) return;
  const wanted = taken?.join(', ') || 'nothing that can be read';
  throw new Error(`${name} is ${type === '' ? 'of no known type' : type}, and ${wanted} is taken`);
}

/** Also of another window's. */
const tagOf = (value: unknown): string => Object.prototype.toString.call(value);
const isFile = (value: Blob): value is File => tagOf(value) === '[object File]';
const isBlob = (value: unknown): value is Blob => ['[object Blob]', '[object File]'].includes(tagOf(value));
const nameOf = (blob: Blob): string => (isFile(blob) ? blob.name : 'the attachment');

/** What the host's function does not end by itself is left to itself. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(new Error('the request has ended'));
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
