import type { ApprovalGrant } from '../../protocol/approval.js';
import type { InputOf } from '../../protocol/engine-messages.js';
import { messageOf } from '../../protocol/error-message.js';
import { describeValue, isJsonObject, isWireId } from '../../protocol/shape.js';
import { warnOnce } from '../../protocol/warn-once.js';
import * as WARNINGS from '../../protocol/warning-codes.js';
import type { PageEnvironment } from './page-environment.js';

const PREFIX = 'oui:grant:';

/**
 * The grants that the page's host has recorded in this document (PROTOCOL.md §5). They outlive the engine, which is told
 * of them, and end with the document. The ids of used ones are written to the tab's storage before a handler starts on
 * one: neither this document nor a later one of the tab takes such a grant again. Other tabs are told apart by the
 * store of the engine's host.
 */
export class Grants {
  readonly #page: PageEnvironment;
  readonly #post: (input: InputOf<'grants'>) => void;
  readonly #held = new Map<string, ApprovalGrant>();
  /** Used ones and when they would have expired, Unix epoch ms. */
  readonly #used = new Map<string, number>();

  constructor(page: PageEnvironment, post: (input: InputOf<'grants'>) => void) {
    this.#page = page;
    this.#post = post;
  }

  /**
   * Records a grant. @returns whether it was taken: not one that is held, used or expired already.
   * @throws {TypeError} when it is malformed, naming the member.
   */
  record(value: ApprovalGrant): boolean {
    const grant = checked(value);
    this.#sweep();
    this.#recall();
    const { approvalId, expiresAt } = grant;
    if (this.#held.has(approvalId) || this.#used.has(approvalId) || expiresAt <= this.#page.wall()) return false;
    this.#held.set(approvalId, grant);
    this.#post({ kind: 'grants', held: [grant], used: [] });
    return true;
  }

  /** It admits nothing any more, in this tab. Synchronous: its handler starts right after this. */
  use(approvalId: string, expiresAt: number): void {
    this.#used.set(approvalId, expiresAt);
    try {
      this.#page.storage?.setItem(PREFIX + approvalId, String(expiresAt));
    } catch (error) {
      const message = 'Which approvals were used is not kept over a reload of this page: its sessionStorage is full or '
        + `forbidden (${messageOf(error)}).`;
      warnOnce(WARNINGS.JOURNAL_NOT_KEPT, message, 'grants');
    }
  }

  /** The user has signed out: what they approved admits nothing any more. What was used stays used. */
  forget(): void {
    this.#held.clear();
  }

  /** What a new engine is told. Another document of the tab may have used one while this one was kept by the browser. */
  replay(): InputOf<'grants'>[] {
    this.#recall();
    if (this.#held.size + this.#used.size === 0) return [];
    const used = [...this.#used].map(([approvalId, expiresAt]) => ({ approvalId, expiresAt }));
    return [{ kind: 'grants', held: [...this.#held.values()], used }];
  }

  /** Takes over what documents of the tab have used. */
  #recall(): void {
    try {
      for (const [key, until] of marks(this.#page.storage)) {
        if (until > this.#page.wall()) this.#used.set(key.slice(PREFIX.length), until);
        else this.#page.storage?.removeItem(key);
      }
    } catch {
      // Forbidden: nothing could be written there either.
    }
  }

  /** What has expired admits nothing, used or not. A held one stays known: a request for it is this tab's to answer. */
  #sweep(): void {
    for (const [approvalId, until] of this.#used) {
      if (until <= this.#page.wall() && !this.#held.has(approvalId)) this.#used.delete(approvalId);
    }
  }
}

function marks(storage: PageEnvironment['storage']): [key: string, until: number][] {
  if (!storage) return [];
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '');
  return keys.filter((key) => key.startsWith(PREFIX)).map((key) => [key, Number(storage.getItem(key))]);
}

/** A copy of the members that count: what the host does with its object later changes nothing. */
function checked(value: unknown): ApprovalGrant {
  if (!isJsonObject(value)) throw malformed('it', 'an object', value);
  const { approvalId, argsHash, expiresAt, surfaceId, actionId } = value;
  if (!isWireId(approvalId)) throw malformed('approvalId', 'a text of 1 to 160 characters', approvalId);
  if (typeof argsHash !== 'string' || !/^[0-9a-f]{64}$/.test(argsHash)) {
    throw malformed('argsHash', '64 lowercase hex digits, as argsHash(params) gives them', argsHash);
  }
  if (typeof expiresAt !== 'number' || !Number.isFinite(expiresAt)) {
    throw malformed('expiresAt', 'a time in ms since 1970', expiresAt);
  }
  if (surfaceId !== undefined && !isWireId(surfaceId)) throw malformed('surfaceId', 'the id of a surface', surfaceId);
  if (actionId !== undefined && !isWireId(actionId)) throw malformed('actionId', 'the id of an action', actionId);
  return { approvalId, argsHash, expiresAt, ...(surfaceId && { surfaceId }), ...(actionId && { actionId }) };
}

function malformed(member: string, wanted: string, value: unknown): TypeError {
  return new TypeError(`grantApproval: ${member} must be ${wanted}; it is ${describeValue(value)}.`);
}
