import type { AttachmentUse, InputOf } from '../protocol/engine-messages.js';
import { EXTENSION, type OUIAttachmentPart, type OUIError } from '../protocol/events.js';
import type { JSONSchema } from '../protocol/json.js';
import type { OUIAction } from '../protocol/manifest.js';
import { misplacedAttachments } from '../rules/attachment-schema.js';
import { attachmentUses } from '../rules/declared-attachments.js';
import type { EngineContext } from './context.js';
import { attachmentsMisplaced, attachmentsUnsupported, attachmentUnavailable } from './engine-errors.js';
import type { LedgerEntry } from './ledger.js';

/**
 * Files as parameters (PROTOCOL.md §2, step 11, and §6). The engine finds out which a request names; the page opens
 * them. The request keeps its place at the head of its surface's queue meanwhile, and nothing of it has run.
 */
export class Attachments {
  readonly #context: EngineContext;

  constructor(context: EngineContext) {
    this.#context = context;
  }

  /** `ready`: there are none, or they are open. `opening`: the page was asked to. Otherwise the error that ends it. */
  open(entry: LedgerEntry, action: OUIAction, params: unknown): 'ready' | 'opening' | OUIError {
    if (entry.attachedFor === action) return 'ready';
    const misplaced = misplacedIn(action.input);
    if (misplaced.length > 0) return attachmentsMisplaced(action.id, misplaced);
    const uses = attachmentUses(action.input, params);
    if (typeof uses === 'string') return attachmentUnavailable(uses);
    if (uses.length === 0) return 'ready';
    const fromAgent = entry.origin === 'agent' && this.#context.peer.speaks('attachment');
    if (!fromAgent && !this.#context.config.opensAttachments) return attachmentsUnsupported(action.id, propertiesOf(uses));
    entry.opening = action;
    this.#context.emit({ kind: 'open-attachments', requestId: entry.requestId, uses, fromAgent });
    return 'opening';
  }

  /** The page has opened them. @returns the request that goes on now, if it still waits for that. */
  opened({ requestId }: InputOf<'attached'>): LedgerEntry | undefined {
    const entry = this.#context.ledger.get(requestId);
    if (entry?.stage !== 'queued' || !entry.opening) return undefined;
    entry.attachedFor = entry.opening;
    delete entry.opening;
    return entry;
  }

  /** The page wants bytes that the agent has. A frame that is lost is asked for again by the page. */
  fetch({ requestId, id, offset }: InputOf<'fetch-attachment'>): void {
    const { ledger, peer } = this.#context;
    if (!ledger.get(requestId)?.opening || !peer.connected || !peer.speaks('attachment')) return;
    this.#context.send(EXTENSION.attachment, JSON.stringify({ requestId, id, offset }));
  }

  /** Bytes that nobody asked for go nowhere. */
  onPart(part: OUIAttachmentPart): void {
    if (this.#context.ledger.get(part.requestId)?.opening) this.#context.emit({ kind: 'attachment-part', part });
  }
}

/** Manifests are whole and do not change: each schema is looked through once. */
const looked = new WeakMap<object, readonly string[]>();

function misplacedIn(input: JSONSchema): readonly string[] {
  if (typeof input !== 'object') return [];
  let paths = looked.get(input);
  if (!paths) looked.set(input, (paths = misplacedAttachments(input)));
  return paths;
}

function propertiesOf(uses: readonly AttachmentUse[]): readonly string[] {
  return [...new Set(uses.map(({ property }) => property))];
}
