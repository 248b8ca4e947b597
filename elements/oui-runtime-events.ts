import type { CallReport } from '../src/protocol/engine-messages.js';
import type { TransportState } from '../src/protocol/ports.js';

/** A call of an agent's, or of the page's own, has come a step further. For panels and logs; does not bubble. */
export class OuiCallEvent extends Event {
  readonly report: CallReport;

  constructor(report: CallReport) {
    super('oui-call');
    this.report = report;
  }
}

/** The connection to the agent's side has changed. Does not bubble. */
export class OuiConnectionEvent extends Event {
  readonly state: TransportState;
  /** Why, where it is known. */
  readonly reason: string | undefined;

  constructor(state: TransportState, reason: string | undefined) {
    super('oui-connection');
    this.state = state;
    this.reason = reason;
  }
}

declare global {
  interface HTMLElementEventMap {
    'oui-call': OuiCallEvent;
    'oui-connection': OuiConnectionEvent;
  }
}
