import * as ERROR_CODES from '../protocol/error-codes.js';
import type { OUIActionResult, OUIError, OUIValidationIssue } from '../protocol/events.js';
import type { OUISurface } from '../protocol/manifest.js';
import { paramsMisfit } from '../rules/params-misfit.js';
import { AGENT_LIMITS } from './agent-limits.js';
import type { AgentRateLimit } from './agent-types.js';
import { clipped } from './clipped.js';

/**
 * The errors that the agent's side gives itself. Each says what, where, the value and the way out.
 * `details.ran`: `false` when nothing has run, `"unknown"` when nobody here can tell.
 */

const notRun = { ran: false } as const;
const unknownRun = { ran: 'unknown' } as const;

function named(names: readonly string[]): string {
  if (names.length === 0) return 'nothing';
  const rest = names.length - AGENT_LIMITS.namesListed;
  const list = names.slice(0, AGENT_LIMITS.namesListed).map((name) => clipped(name)).join(', ');
  return rest > 0 ? `${list} and ${rest} more` : list;
}

const place = (surfaceId: string, actionId: string): string =>
  `"${clipped(actionId)}" on surface "${clipped(surfaceId)}"`;

/** A result made here, because there is none of the page's (specification §7.5). */
export function failedResult(requestId: string, error: OUIError, timestamp: number): OUIActionResult {
  return { requestId, success: false, error, timestamp };
}

export function toolNotFound(name: string, names: readonly string[]): OUIError {
  const message = `There is no tool "${clipped(name)}"; the page offers ${named(names)}.`;
  return { code: ERROR_CODES.ACTION_NOT_FOUND, message, details: notRun };
}

export function surfaceNotThere(surfaceId: string, surfaceIds: readonly string[]): OUIError {
  const message = `The page has no surface "${clipped(surfaceId)}" now; it has ${named(surfaceIds)}.`;
  return { code: ERROR_CODES.SURFACE_UNAVAILABLE, message, details: notRun };
}

export function actionNotThere(surface: OUISurface, actionId: string): OUIError {
  const ids = named(surface.actions.map(({ id }) => id));
  const message = `Surface "${clipped(surface.id)}" has no action "${clipped(actionId)}"; it has ${ids}.`;
  return { code: ERROR_CODES.ACTION_NOT_FOUND, message, details: notRun };
}

export function pageNotConnected(): OUIError {
  const message = 'The page is not connected. Open the page, or reload it, and the tools are there again.';
  return { code: ERROR_CODES.SURFACE_UNAVAILABLE, message, details: notRun };
}

export function observationNotThere(surface: OUISurface, observationId: string): string {
  const ids = named((surface.observations ?? []).map(({ id }) => id));
  return `Surface "${clipped(surface.id)}" has no observation "${clipped(observationId)}"; it has ${ids}.`;
}

/** The page went while the call was open. */
export function pageGone(actionId: string, sent: boolean, why: string): OUIError {
  const ran = sent
    ? `whether "${clipped(actionId)}" ran is not known.`
    : `"${clipped(actionId)}" was not sent and did not run.`;
  const message = `${why}; ${ran}`;
  return { code: ERROR_CODES.SURFACE_UNAVAILABLE, message, details: sent ? unknownRun : notRun };
}

export function surfaceLeft(surfaceId: string, actionId: string): OUIError {
  const what = `"${clipped(actionId)}" was sent`;
  const message = `Surface "${clipped(surfaceId)}" left the page before ${what}; it did not run.`;
  return { code: ERROR_CODES.SURFACE_UNAVAILABLE, message, details: notRun };
}

/** A job that the page says nothing about any more. */
export function jobLost(surfaceId: string, actionId: string, why: string, ms: number): OUIError {
  const message = `${why} while ${place(surfaceId, actionId)} was working, and no word of it came for ${ms / 1000} s.`;
  return { code: ERROR_CODES.SURFACE_UNAVAILABLE, message, details: unknownRun };
}

export function invalidParams(name: string, errors: readonly OUIValidationIssue[]): OUIError {
  const message = `${paramsMisfit(name, errors)} Nothing was sent.`;
  return { code: ERROR_CODES.VALIDATION_ERROR, message, details: { errors, ...notRun } };
}

export function paramsNotJson(reason: string): OUIError {
  const message = `The parameters are not JSON: ${clipped(reason)}. Nothing was sent.`;
  const errors = [{ path: '', keyword: 'type', message: 'not JSON' }];
  return { code: ERROR_CODES.VALIDATION_ERROR, message, details: { errors, ...notRun } };
}

export function tooManyCalls({ perSecond, burst }: AgentRateLimit): OUIError {
  const limit = `${burst} calls at once and ${perSecond} a second`;
  const message = `The page gets at most ${limit} from here; nothing was sent. Call again in a moment.`;
  return { code: ERROR_CODES.RATE_LIMITED, message, details: notRun };
}

/** The page's index has the action, and the page does not say what it takes. */
export function definitionMissing(surfaceId: string, actionId: string): OUIError {
  const message = `The page has no definition of ${place(surfaceId, actionId)} any more. Nothing was sent.`;
  return { code: ERROR_CODES.ACTION_NOT_FOUND, message, details: notRun };
}

export function definitionUnreadable(surfaceId: string, actionId: string, problem: string): OUIError {
  const message =
    `The page's definition of ${place(surfaceId, actionId)} is malformed: ${clipped(problem)}. Nothing was sent.`;
  return { code: ERROR_CODES.INTERNAL_ERROR, message, details: notRun };
}

/** `error`: what became of the question for it. */
export function definitionNotFetched(surfaceId: string, actionId: string, error: OUIError): OUIError {
  const what = `what ${place(surfaceId, actionId)} takes could not be asked`;
  const message = `It did not run, since ${what}: ${clipped(error.message, AGENT_LIMITS.descriptionUnits)}`;
  return { code: error.code, message, details: notRun };
}

export function definitionKeepsChanging(surfaceId: string, actionId: string): OUIError {
  const message = `The page changed ${place(surfaceId, actionId)} each time it was asked what it takes. It did not run.`;
  return { code: ERROR_CODES.PRECONDITION_FAILED, message, details: notRun };
}

/** Something of the agent's own side threw, a validator for one. */
export function callFailed(actionId: string, sent: boolean, reason: string): OUIError {
  const ran = sent ? `Whether "${clipped(actionId)}" ran is not known` : `"${clipped(actionId)}" was not sent`;
  const message = `The agent's side failed: ${clipped(reason)}. ${ran}.`;
  return { code: ERROR_CODES.INTERNAL_ERROR, message, details: sent ? unknownRun : notRun };
}

/** `details.reason` where nobody could be asked. */
export const NOBODY_TO_ASK = 'no confirm callback';

export function nobodyToAsk(surfaceId: string, actionId: string): OUIError {
  const message =
    `${place(surfaceId, actionId)} needs the user's confirmation, and there is nobody to ask: the page leaves it to ` +
    'the agent\'s side, which has no "confirm" callback. Give createAgentRuntime one.';
  return { code: ERROR_CODES.APPROVAL_REQUIRED, message, details: { ...notRun, reason: NOBODY_TO_ASK } };
}

export function deniedByUser(surfaceId: string, actionId: string): OUIError {
  const message = `The user said no to ${place(surfaceId, actionId)}; it did not run.`;
  return { code: ERROR_CODES.ACTION_DENIED, message, details: notRun };
}

export function confirmFailed(surfaceId: string, actionId: string, reason: string): OUIError {
  const message =
    `The user could not be asked about ${place(surfaceId, actionId)}: the "confirm" callback failed with ` +
    `"${clipped(reason)}". It did not run.`;
  return { code: ERROR_CODES.ACTION_DENIED, message, details: notRun };
}

export function nobodyAnswered(surfaceId: string, actionId: string): OUIError {
  const message = `The user gave no answer about ${place(surfaceId, actionId)}; it did not run. It can be called again.`;
  return { code: ERROR_CODES.APPROVAL_REQUIRED, message, details: notRun };
}

export function changedWhileAsking(surfaceId: string, actionId: string): OUIError {
  const message =
    `The page changed ${place(surfaceId, actionId)} while its user was being asked about it: what they confirmed is ` +
    'not what would run. It did not run; look at the tool again.';
  return { code: ERROR_CODES.PRECONDITION_FAILED, message, details: notRun };
}

/** `mayRun`: what the page refuses is one copy of several, and it may have taken another, or take one yet. */
export function notAccepted(actionId: string, reason: string | undefined, mayRun: boolean): OUIError {
  const why = reason === undefined ? 'it gave no reason' : clipped(reason);
  const ran = mayRun ? 'It was asked more than once; whether it ran another time is not known' : 'It did not run';
  const message = `The page refused to take "${clipped(actionId)}": ${why}. ${ran}.`;
  return { code: ERROR_CODES.NOT_ACCEPTING, message, details: mayRun ? unknownRun : notRun };
}

export function cancelledByCaller(actionId: string, sent: boolean, told: boolean): OUIError {
  const name = clipped(actionId);
  const message = !sent
    ? `"${name}" was cancelled before it was sent; it did not run.`
    : told
      ? `"${name}" was cancelled; the page was told to stop it.`
      : `"${name}" was cancelled, but this page cannot be told: it may still complete.`;
  return { code: ERROR_CODES.CANCELLED, message, details: sent ? unknownRun : notRun };
}

/** What was awaited when the time was over. */
export type Awaited =
  | 'page'
  | 'definition'
  | 'confirmation'
  | 'turn'
  | 'receipt'
  | 'approval'
  | 'acknowledgment'
  | 'result';

const AWAITED: { readonly [what in Awaited]: string } = {
  page: 'The page has gone and may come back; it did not run.',
  definition: 'The page has not said yet what the action takes; it did not run.',
  confirmation: 'The user has not answered whether it may run; it did not.',
  turn: 'An earlier action of the same surface is not done; it did not run.',
  receipt: 'The page has not confirmed receipt; its tab may be frozen in the background. Ask the user to look at it.',
  approval: 'The page is waiting for its user to answer a question.',
  acknowledgment: 'The page has not acknowledged the job. It may still do the work.',
  result: 'The page has not answered. It may still complete.',
};

const BEFORE_SENDING: ReadonlySet<Awaited> = new Set(['page', 'definition', 'confirmation', 'turn']);

export function timedOut(surfaceId: string, actionId: string, ms: number, awaited: Awaited): OUIError {
  const message = `No result of ${place(surfaceId, actionId)} within ${ms / 1000} s. ${AWAITED[awaited]}`;
  const sent = !BEFORE_SENDING.has(awaited);
  return { code: ERROR_CODES.TIMEOUT, message, details: { ...(sent ? unknownRun : notRun), awaited } };
}

/** The page answered, and the answer cannot be read. */
export function unreadableAnswer(surfaceId: string, actionId: string, problem: string): OUIError {
  const message = `The page's answer to ${place(surfaceId, actionId)} is malformed: ${clipped(problem)}.`;
  return { code: ERROR_CODES.INTERNAL_ERROR, message, details: unknownRun };
}

export function runtimeDisposed(sent: boolean): OUIError {
  const message = 'The agent runtime was disposed.';
  return { code: ERROR_CODES.SURFACE_UNAVAILABLE, message, details: sent ? unknownRun : notRun };
}
