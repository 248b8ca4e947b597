import * as LIMITS from './limits.js';

/**
 * The choices in which the protocol's own end and the drop-in for `oui-spec` differ (PROTOCOL.md §11). Data, so that one
 * engine serves both and no part of it asks which of them it works for.
 */
export interface EnginePolicy {
  /** Says hello and waits for the peer's. `false`: the peer is v1 from the start, and hears of no extension. */
  readonly hello: boolean;
  /** Parameters that their schema does not take: the request is refused, or a warning is given and it runs. */
  readonly misfits: 'refuse' | 'warn';
  /** Declared defaults are filled in before the handler starts. */
  readonly fillDefaults: boolean;
  /** Actions of every surface run side by side. `false`: only where the surface says so itself. */
  readonly concurrent: boolean;
  /** The result of a pure read waits for quiet as any other's. */
  readonly readsSettle: boolean;
  /** Requests of one surface are limited in their rate. */
  readonly limitsRate: boolean;
  /** An `async` action without polling is a job with two answers. `false`: it is answered once, when it has ended. */
  readonly asyncAlone: boolean;
  /** ms for which a polling action's handler is awaited before its acknowledgment goes out without its data. */
  readonly dispatchMs: number;
  /** The code that stands on the wire in place of one of the protocol's. */
  readonly errorCodes: { readonly [code: string]: string };
}

/** What PROTOCOL.md §1 to §10 says. */
export const PROTOCOL_POLICY: EnginePolicy = {
  hello: true,
  misfits: 'refuse',
  fillDefaults: true,
  concurrent: false,
  readsSettle: false,
  limitsRate: true,
  asyncAlone: true,
  dispatchMs: LIMITS.dispatchMs,
  errorCodes: {},
};
