import type { ActionCall, ActionParams, ExecuteRequest } from '../src/surface/definition/definition.js';
import type { OUIActionResult } from '../src/protocol/events.js';

interface Answer {
  readonly value: unknown;
}

/** Answers by event; `null` while listeners may still give one. */
const answers = new WeakMap<OuiActionEvent, Answer | null>();

/**
 * An agent wants an action run (specification §4.5). Fired on the `<oui-action>`; bubbles to its surface and further.
 * A listener answers with `respondWith`, while the event is being dispatched.
 */
export class OuiActionEvent extends Event {
  readonly surfaceId: string;
  readonly actionId: string;
  /** Validated against the action's schema, with defaults filled in. */
  readonly params: ActionParams;
  readonly requestId: string;
  /** Fires when the call ended without the handler: its deadline, a cancel, the user's stop. */
  readonly signal: AbortSignal;
  readonly #call: ActionCall;

  constructor(surfaceId: string, actionId: string, params: ActionParams, call: ActionCall) {
    super('oui-action', { bubbles: true, composed: true });
    this.surfaceId = surfaceId;
    this.actionId = actionId;
    this.params = params;
    this.requestId = call.requestId;
    this.signal = call.signal;
    this.#call = call;
  }

  /**
   * Gives the outcome: a value or a promise of one. It becomes the result's `data`; an envelope
   * `{ success, data?, error? }` is taken as the whole result, and a rejection becomes `EXECUTION_ERROR`.
   * @throws {Error} when called a second time, or after the event was dispatched.
   */
  respondWith(outcome: unknown): void {
    const present = answers.get(this);
    if (present === null) {
      answers.set(this, { value: outcome });
      // The runtime awaits it a little later; until then a rejection must not count as unhandled.
      if (outcome instanceof Promise) outcome.catch(() => {});
      return;
    }
    throw new Error(present
      ? `Action "${this.actionId}" was answered already: only one listener may call respondWith().`
      : `respondWith() came too late for action "${this.actionId}": call it during the event, with a promise if the `
        + 'work takes time, as in event.respondWith(save(event.params)).');
  }

  /** Reports how far an async action has come. Any JSON value; only the newest matters. */
  progress(value: unknown): void {
    this.#call.progress(value);
  }

  /** Runs another action as part of this one. Always resolves. */
  execute(request: ExecuteRequest): Promise<OUIActionResult> {
    return this.#call.execute(request);
  }
}

/** Fires the event and returns what a listener answered; `undefined` when none did. */
export function dispatchAction(target: EventTarget, event: OuiActionEvent): Answer | undefined {
  answers.set(event, null);
  target.dispatchEvent(event);
  const answer = answers.get(event) ?? undefined;
  if (!answer) answers.delete(event);
  return answer;
}

/** What WebMCP gives to events that an agent has caused. */
interface AgentEvent {
  /** `true` while an agent's call, and nobody else, has caused the event. */
  readonly agentInvoked?: boolean;
  /** Answers the agent, with data or a promise of them. A `submit` must be prevented before. */
  respondWith?(outcome: unknown): void;
}

declare global {
  interface SubmitEvent extends AgentEvent {}
  interface MouseEvent extends AgentEvent {}
  interface HTMLElementEventMap {
    'oui-action': OuiActionEvent;
  }
}
