import type { OUIError, OUIEvent } from '../protocol/events.js';
import type { AgentCallTarget, AgentTimers, ConfirmCallback } from './agent-types.js';
import type { ChangedObservations } from './observation-store.js';
import type { PageState } from './page-state.js';
import type { ParamsCheck } from './params-check.js';
import type { SurfaceTurns } from './surface-turns.js';
import type { ActionPlace } from './tool-list.js';

/** What a call needs from its runtime. */
export interface CallContext {
  readonly page: PageState;
  readonly turns: SurfaceTurns;
  readonly params: ParamsCheck;
  readonly timers: AgentTimers;
  readonly confirm: ConfirmCallback | undefined;
  readonly actionMs: number;
  readonly acknowledgmentMs: number;
  readonly pullMs: number;
  /** So long a call that was given up keeps the turn of its surface at most. */
  readonly givenUpMs: number;
  /** The action as the page declares it now. */
  locate(target: AgentCallTarget): ActionPlace | OUIError;
  /** While a page may come back, or has and is putting its surfaces up: the next thing to happen. */
  returning(): Promise<void> | undefined;
  /** Fetches what an index leaves out of an action: nothing once it is held, else the error that ends the call. */
  define(place: ActionPlace): Promise<OUIError | undefined>;
  /** The hash of the surfaces that are held. */
  knownSurfaces(): string | undefined;
  /** The moment from which changed observations count as this call's. */
  revision(): number;
  changedSince(revision: number): ChangedObservations;
  send(event: OUIEvent): void;
  /** The page does not react. */
  silent(): void;
  /** Nothing of the call is open any more. */
  closed(requestId: string): void;
}
