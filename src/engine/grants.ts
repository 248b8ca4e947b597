import type { ApprovalGrant } from '../protocol/approval.js';
import type { InputOf } from '../protocol/engine-messages.js';
import type { OUIError } from '../protocol/events.js';
import type { OUIAction } from '../protocol/manifest.js';
import type { EngineContext } from './context.js';
import { grantRefused } from './engine-errors.js';
import type { LedgerEntry } from './ledger.js';

/**
 * The grants that the page's host has recorded in this tab (PROTOCOL.md §5). Each admits one request.
 *
 * At its turn a request reserves its grant; the host's store writes down, in one step for all tabs, who uses it; then
 * the handler starts. Two tabs that hold one grant thus run it once, whichever is first. The page is told of the use
 * before it is told to run, and keeps it for the tab.
 */
export class Grants {
  readonly #context: EngineContext;
  readonly #held = new Map<string, ApprovalGrant>();
  readonly #used = new Set<string>();
  /** Which request is about to use a grant up. */
  readonly #reserved = new Map<string, string>();

  constructor(context: EngineContext) {
    this.#context = context;
  }

  take({ held, used }: InputOf<'grants'>): void {
    for (const grant of held) this.#held.set(grant.approvalId, grant);
    for (const { approvalId } of used) this.#used.add(approvalId);
  }

  /** The user has signed out: what they approved admits nothing any more. */
  forget(): void {
    this.#held.clear();
  }

  /** The request names a grant that this tab was never given: it is meant for another. */
  isForeign({ request: { approval } }: LedgerEntry): boolean {
    return approval !== undefined && !this.#held.has(approval.approvalId) && !this.#used.has(approval.approvalId);
  }

  /**
   * Whether the grant that the request names admits it, at its receipt and again at its turn. Looking uses nothing up.
   * `entry.argsHash` is known. @returns why it does not.
   */
  check(entry: LedgerEntry, action: OUIAction): OUIError | undefined {
    const problem = this.#problem(entry);
    if (problem === undefined) entry.grant ??= 'open';
    return problem === undefined ? undefined : grantRefused(action.id, entry.argsHash!, problem);
  }

  /** Its turn has come. The store answers with `claimed`; until then nobody else gets the grant. */
  claim(entry: LedgerEntry): void {
    const { approvalId } = entry.request.approval!;
    const { config } = this.#context;
    const { requestId } = entry;
    entry.grant = 'asked';
    this.#reserved.set(approvalId, requestId);
    // The same again when an engine takes over in between: a request does not stand in its own way.
    const text = `${config.clientId ?? ''} ${requestId}`;
    const until = this.#held.get(approvalId)!.expiresAt;
    this.#context.emit({ kind: 'claim', key: approvalId, text, until, requestId });
  }

  /**
   * The store has written down who uses it: this request, or another in some tab. It admits nothing any more.
   *
   * @returns whether it was still held: not when the user has signed out meanwhile.
   */
  use(entry: LedgerEntry): boolean {
    const { approvalId } = entry.request.approval!;
    const grant = this.#held.get(approvalId);
    this.#used.add(approvalId);
    if (grant) this.#context.emit({ kind: 'grant-used', approvalId, expiresAt: grant.expiresAt });
    return grant !== undefined;
  }

  #problem({ request, requestId, argsHash, grant: state }: LedgerEntry): string | undefined {
    const { surfaceId, actionId } = request;
    const { approvalId, argsHash: named } = request.approval!;
    const grant = this.#held.get(approvalId);
    // Its own claim has marked it used.
    if (state === 'held') return undefined;
    if (this.#used.has(approvalId)) return 'that approval has been used, and admits one request';
    if (!grant) return 'that approval was not given to this tab';
    if ((this.#reserved.get(approvalId) ?? requestId) !== requestId) return 'that approval is being used';
    if (grant.expiresAt <= this.#context.at.wall) return 'that approval has expired';
    if (grant.argsHash !== argsHash || named !== argsHash) return 'that approval is for other parameters';
    if ((grant.surfaceId ?? surfaceId) !== surfaceId || (grant.actionId ?? actionId) !== actionId) {
      return 'that approval is for another action';
    }
    return undefined;
  }
}
