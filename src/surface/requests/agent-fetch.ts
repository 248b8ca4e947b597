import type { OUIAttachmentPart } from '../../protocol/events.js';
import * as LIMITS from '../../protocol/limits.js';
import type { Release } from '../../protocol/ports.js';
import { clipText } from '../../rules/clip-text.js';
import type { PageTimers } from '../clock/page-timers.js';

/** Fetches attachments of one request from the agent that sent it, a part at a time. */
export interface AgentFetch {
  /** @throws {Error} (rejects) with the agent's reason, or when it is too large or comes apart, or at the signal. */
  file(id: string, signal: AbortSignal): Promise<File>;
  /** A part came. One that nobody waits for is a repeat, and dropped. */
  hear(part: OUIAttachmentPart): void;
}

type Bytes = Extract<OUIAttachmentPart, { data: string }>;

const NAME_LENGTH = 255;
const TOO_LARGE = `it is larger than the ${LIMITS.attachmentBytes / 1024 / 1024} MiB that a page takes from its agent`;

/** @param ask sends the request for the bytes from `offset` on; it may get lost, and is repeated until they come. */
export function createAgentFetch(
  timers: Pick<PageTimers, 'set'>,
  ask: (id: string, offset: number) => void,
): AgentFetch {
  const waiting = new Map<string, (part: OUIAttachmentPart) => void>();

  const part = (id: string, offset: number, signal: AbortSignal): Promise<Bytes> =>
    new Promise((resolve, reject) => {
      let release: Release = () => {};
      const end = (): void => {
        release();
        waiting.delete(id);
        signal.removeEventListener('abort', abort);
      };
      const abort = (): void => {
        end();
        reject(new Error('the request has ended'));
      };
      const send = (): void => {
        release = timers.set(LIMITS.attachmentPartMs, send);
        ask(id, offset);
      };
      waiting.set(id, (came) => {
        if (came.error === undefined && came.offset !== offset) return;
        end();
        if (came.error === undefined) resolve(came);
        else reject(new Error(came.error));
      });
      signal.addEventListener('abort', abort);
      if (signal.aborted) abort();
      else send();
    });

  return {
    async file(id, signal) {
      const chunks: Uint8Array<ArrayBuffer>[] = [];
      let held = 0;
      for (;;) {
        const { total, name, mediaType, data } = await part(id, held, signal);
        if (total > LIMITS.attachmentBytes) throw new Error(TOO_LARGE);
        const bytes = bytesOf(data);
        held += bytes.length;
        if (held > total || (bytes.length === 0 && held < total)) throw new Error('what the agent sent of it is broken');
        chunks.push(bytes);
        if (held === total) return new File(chunks, clipText(name, NAME_LENGTH), { type: mediaType });
      }
    },
    hear: (came) => waiting.get(came.id)?.(came),
  };
}

/** @throws {Error} for what is no Base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  let text: string;
  try {
    text = atob(base64);
  } catch (error) {
    throw new Error('what the agent sent of it is no Base64', { cause: error });
  }
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
  return bytes;
}
