/** What the page shows its user before an action that needs approval. */
export interface ApprovalRequest {
  readonly requestId: string;
  readonly surfaceId: string;
  readonly surfaceName: string;
  readonly actionId: string;
  readonly title?: string;
  readonly description: string;
  /** Exactly as sent. */
  readonly params: unknown;
  /** Values that the schema's defaults add, by property. They are not part of `argsHash`. */
  readonly defaults: { readonly [property: string]: unknown };
  /** SHA-256 of the canonical JSON of `params`, lowercase hex. */
  readonly argsHash: string;
  /** Unix epoch, ms. */
  readonly expiresAt: number;
}

/** A user's approval of one request, as the host's approval store recorded it (PROTOCOL.md §5). */
export interface ApprovalGrant {
  /** The request that it admits names it. 1 to 160 characters. */
  readonly approvalId: string;
  /** Of the parameters that the user saw: `argsHash(params)`, 64 lowercase hex digits. */
  readonly argsHash: string;
  /** Unix epoch, ms. */
  readonly expiresAt: number;
  /** Where it is named, the grant admits requests to that surface alone. Name it: equal parameters hash alike. */
  readonly surfaceId?: string;
  /** Where it is named, the grant admits that action alone. */
  readonly actionId?: string;
}
