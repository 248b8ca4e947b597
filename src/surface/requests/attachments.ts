import type { AttachmentUse, EffectOf, EngineInput } from '../../protocol/engine-messages.js';
import * as ERROR_CODES from '../../protocol/error-codes.js';
import { messageOf } from '../../protocol/error-message.js';
import type { OUIAttachmentPart, OUIError } from '../../protocol/events.js';
import { isJsonObject } from '../../protocol/shape.js';
import type { PageTimers } from '../clock/page-timers.js';
import type { AttachmentHost } from '../runtime-options.js';

/** What `open-attachments.ts` exports: loaded with the first request that names an attachment. */
export type AttachmentsModule = typeof import('./open-attachments.js');

export interface AttachmentsPorts {
  readonly host: AttachmentHost | undefined;
  readonly load: (() => Promise<AttachmentsModule>) | undefined;
  readonly timers: PageTimers;
  post(inputs: readonly EngineInput[]): void;
}

interface Opening {
  /** The uses, as text: whether another engine asks for the same. */
  readonly key: string;
  readonly uses: readonly AttachmentUse[];
  readonly ending: AbortController;
  readonly opened: Promise<OUIError | undefined>;
  values: readonly unknown[];
  hear: ((part: OUIAttachmentPart) => void) | undefined;
}

/** The attachments of requests whose handlers have not started: opened here, and kept for them (PROTOCOL.md §6). */
export class Attachments {
  readonly #ports: AttachmentsPorts;
  readonly #openings = new Map<string, Opening>();

  constructor(ports: AttachmentsPorts) {
    this.#ports = ports;
  }

  /** Opens what a request names: once, whichever engine asks. @returns why it cannot be had, if so. */
  open({ requestId, uses, fromAgent }: EffectOf<'open-attachments'>): Promise<OUIError | undefined> {
    const key = JSON.stringify(uses);
    const known = this.#openings.get(requestId);
    if (known?.key === key) return known.opened;
    known?.ending.abort();
    const ending = new AbortController();
    const opening: Opening = {
      key,
      uses,
      ending,
      // Not within the engine's turn: the host's function may do anything.
      opened: Promise.resolve().then(() => this.#open(requestId, opening, fromAgent)),
      values: [],
      hear: undefined,
    };
    this.#openings.set(requestId, opening);
    return opening.opened;
  }

  /** What was opened is the handler's from now on. @returns what puts it in place of the ids. */
  take(requestId: string): (params: unknown) => unknown {
    const opening = this.#openings.get(requestId);
    this.#openings.delete(requestId);
    return (params) => (opening && isJsonObject(params) ? filledIn(opening, params) : params);
  }

  /** Bytes from the agent. */
  hear(part: OUIAttachmentPart): void {
    this.#openings.get(part.requestId)?.hear?.(part);
  }

  /** The request ends without its handler. */
  close(requestId: string): void {
    const opening = this.#openings.get(requestId);
    this.#openings.delete(requestId);
    opening?.ending.abort();
  }

  closeAll(): void {
    for (const requestId of this.#openings.keys()) this.close(requestId);
  }

  async #open(requestId: string, opening: Opening, fromAgent: boolean): Promise<OUIError | undefined> {
    const { host, load, timers, post } = this.#ports;
    const { signal } = opening.ending;
    try {
      if (!load) throw new Error('this page was put together without the part that opens attachments');
      const { openAttachments, createAgentFetch } = await load();
      const fetch = createAgentFetch(timers, (id, offset) => {
        post([{ kind: 'fetch-attachment', requestId, id, offset }]);
      });
      opening.hear = fetch.hear;
      opening.values = await openAttachments(opening.uses, { host, fetch: fromAgent ? fetch.file : undefined, signal });
      return undefined;
    } catch (error) {
      return { code: ERROR_CODES.ATTACHMENT_UNAVAILABLE, message: messageOf(error), details: { ran: false } };
    } finally {
      opening.hear = undefined;
    }
  }
}

function filledIn({ uses, values }: Opening, params: { readonly [name: string]: unknown }): unknown {
  const members = new Map<string, unknown>();
  uses.forEach(({ property, index }, place) => {
    const value = values[place];
    if (index === undefined) return void members.set(property, value);
    const given = members.get(property) ?? params[property];
    const list: unknown[] = Array.isArray(given) ? [...(given as readonly unknown[])] : [];
    list[index] = value;
    members.set(property, list);
  });
  // Object.fromEntries defines its members, so that no key can reach a prototype.
  return { ...params, ...Object.fromEntries(members) };
}
