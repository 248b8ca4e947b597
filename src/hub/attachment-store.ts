import { randomBytes } from 'node:crypto';
import * as LIMITS from '../protocol/limits.js';

/** What a hub keeps for its agents' calls. */
export interface AttachmentLimits {
  /** How long an attachment is kept, in ms. Default one hour. */
  readonly ageMs?: number;
  /** Bytes of all together. Default 192 MiB; one alone has at most 16 MiB. */
  readonly totalBytes?: number;
}

/** A file that an agent has handed in. */
export interface NewAttachment {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** What its agent is told of it. */
export interface StoredAttachment {
  /** What the agent puts in a call's parameters. Nobody can guess it. */
  readonly attachment: string;
  readonly name: string;
  readonly mediaType: string;
  readonly size: number;
  /** Unix epoch, ms. */
  readonly expiresAt: number;
}

/** Attachments between their upload and the calls that name them, in memory. */
export interface AttachmentStore {
  /**
   * @param owner who hands it in, and alone may use it; without one, whoever has its id
   * @returns what was stored, or in words why it was not
   */
  add(file: NewAttachment, owner?: string): StoredAttachment | string;
  /** The files that these params name, of those that the caller may use. */
  namedIn(params: unknown, caller?: string): { readonly [id: string]: Blob };
  close(): void;
}

interface Kept {
  readonly file: File;
  readonly owner: string | undefined;
  readonly expiresAt: number;
}

const SWEEP_MS = 60_000;
/** Names and types are shown to people and models. */
const NAME_LENGTH = 255;

export function createAttachmentStore(limits: AttachmentLimits = {}, now: () => number = Date.now): AttachmentStore {
  const { ageMs = LIMITS.hubAttachmentMs, totalBytes = LIMITS.hubAttachmentsBytes } = limits;
  // In the order in which they came, and so in which they expire.
  const kept = new Map<string, Kept>();
  let held = 0;

  const drop = (id: string): void => {
    held -= kept.get(id)?.file.size ?? 0;
    kept.delete(id);
  };
  const dropExpired = (): void => {
    for (const [id, { expiresAt }] of kept) if (expiresAt <= now()) drop(id);
  };
  const sweep = setInterval(dropExpired, SWEEP_MS);
  sweep.unref();

  const fits = (bytes: number, without: readonly Kept[] = []): boolean => {
    const freed = without.reduce((sum, { file }) => sum + file.size, 0);
    return held - freed + bytes <= totalBytes && kept.size - without.length < LIMITS.hubAttachments;
  };

  return {
    add({ name, mediaType, bytes }, owner) {
      const size = bytes.length;
      const most = Math.min(LIMITS.attachmentBytes, totalBytes);
      if (size > most) return `${name} has ${size} bytes, and an attachment may have ${most}.`;
      dropExpired();
      // Somebody's own oldest make room, never another's; and only when that is enough.
      const own = [...kept].filter(([, each]) => each.owner === owner);
      if (!fits(size, own.map(([, each]) => each))) {
        return 'The hub holds as many attachments of others as it may. Try again in a few minutes.';
      }
      for (const [id] of own) if (!fits(size)) drop(id);
      const attachment = randomBytes(24).toString('base64url');
      const expiresAt = now() + ageMs;
      const file = new File([Buffer.from(bytes)], name.slice(0, NAME_LENGTH), { type: mediaType });
      kept.set(attachment, { file, owner, expiresAt });
      held += size;
      return { attachment, name: file.name, mediaType: file.type, size, expiresAt };
    },
    namedIn(params, caller) {
      dropExpired();
      const found = textsIn(params).flatMap((id): [string, Blob][] => {
        const each = kept.get(id);
        return each && (each.owner === undefined || each.owner === caller) ? [[id, each.file]] : [];
      });
      return Object.fromEntries(found);
    },
    close() {
      clearInterval(sweep);
      kept.clear();
      held = 0;
    },
  };
}

/** Where ids can stand: the params' own members, and the items of those that are lists (PROTOCOL.md §6). */
function textsIn(params: unknown): readonly string[] {
  if (typeof params !== 'object' || params === null) return [];
  return Object.values(params)
    .flat()
    .filter((each): each is string => typeof each === 'string');
}
