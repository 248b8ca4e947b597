import type { OUIError } from '../protocol/events.js';
import * as LIMITS from '../protocol/limits.js';
import type { OUIAction, OUISurface } from '../protocol/manifest.js';
import type { AgentPage, AgentTimers, ConfirmCallback, ConfirmRequest } from './agent-types.js';
import { confirmFailed, deniedByUser, nobodyAnswered, nobodyToAsk } from './call-errors.js';

/** One question to the user. */
export interface Question {
  readonly requestId: string;
  readonly surface: OUISurface;
  readonly action: OUIAction;
  readonly params: unknown;
  readonly page: AgentPage;
  /** Fires when the call ended otherwise. */
  readonly signal: AbortSignal;
}

/** What the user sees of an action: a yes holds only while this stays as it was. */
export function shownToUser(surface: OUISurface, action: OUIAction): string {
  return JSON.stringify([surface.name, action.title, action.description, action.effect, action.confirm]);
}

/**
 * Asks whether an action may run (specification §4.5.3): the error that ends the call, or nothing after a yes. Always
 * settles, also when the callback never does. Nothing but the callback's `true` is a yes.
 */
export async function askUser(
  question: Question,
  confirm: ConfirmCallback | undefined,
  timers: AgentTimers,
): Promise<OUIError | undefined> {
  const { requestId, surface, action, params, page, signal } = question;
  if (!confirm) return nobodyToAsk(surface.id, action.id);
  const closing = new AbortController();
  const request: ConfirmRequest = {
    requestId,
    surfaceId: surface.id,
    surfaceName: surface.name,
    actionId: action.id,
    ...(action.title === undefined ? {} : { title: action.title }),
    description: action.description,
    ...(action.effect === undefined ? {} : { effect: action.effect }),
    params,
    page,
    signal: closing.signal,
  };
  return new Promise((resolve) => {
    const settle = (error: OUIError | undefined): void => {
      stopClock();
      signal.removeEventListener('abort', onEnded);
      resolve(error);
      closing.abort();
    };
    const onEnded = (): void => settle(deniedByUser(surface.id, action.id));
    const stopClock = timers.setTimer(LIMITS.approvalMs, () => {
      settle(nobodyAnswered(surface.id, action.id));
    });
    signal.addEventListener('abort', onEnded);
    Promise.resolve()
      .then(() => confirm(request))
      .then(
        (answer) => settle(verdictOf(answer, surface.id, action.id)),
        (reason: unknown) => settle(confirmFailed(surface.id, action.id, String(reason))),
      );
  });
}

function verdictOf(answer: boolean | null, surfaceId: string, actionId: string): OUIError | undefined {
  if (answer === true) return undefined;
  return answer === null ? nobodyAnswered(surfaceId, actionId) : deniedByUser(surfaceId, actionId);
}
