import * as ERROR_CODES from '../protocol/error-codes.js';
import type { OUIError, OUIValidationIssue } from '../protocol/events.js';
import type { OUISurface } from '../protocol/manifest.js';
import { GRANT_ELSEWHERE_REASON, NOT_ACCEPTING_REASON } from '../protocol/receipt-reasons.js';
import { paramsMisfit } from '../rules/params-misfit.js';

/** Errors that the engine gives itself. Each says what, where, the value and the way out. */

const notRun = { ran: false } as const;
const list = (ids: readonly string[]): string => (ids.length === 0 ? 'nothing' : ids.join(', '));

function noSurface(surfaceId: string, active: readonly string[]): string {
  return `No surface "${surfaceId}" is active on this page; active: ${list(active)}.`;
}

export function surfaceUnavailable(surfaceId: string, active: readonly string[]): OUIError {
  return { code: ERROR_CODES.SURFACE_UNAVAILABLE, message: noSurface(surfaceId, active), details: notRun };
}

/** As `surfaceUnavailable`, for a read of the surface's state (PROTOCOL.md §7). */
export function surfaceNotFound(surfaceId: string, active: readonly string[]): OUIError {
  return notFound(noSurface(surfaceId, active));
}

export function surfaceGone(surfaceId: string): OUIError {
  return {
    code: ERROR_CODES.SURFACE_UNAVAILABLE,
    message: `Surface "${surfaceId}" left the page before the action could start. Ask again when it is there again.`,
    details: notRun,
  };
}

export function actionNotFound(surface: OUISurface, actionId: string): OUIError {
  const has = list(surface.actions.map(({ id }) => id));
  return {
    code: ERROR_CODES.ACTION_NOT_FOUND,
    message: `Surface "${surface.id}" has no action "${actionId}"; it has ${has}.`,
    details: notRun,
  };
}

export function actionDisabled(
  surfaceId: string,
  actionId: string,
  reason: string = 'the page gives no reason',
): OUIError {
  return {
    code: ERROR_CODES.PRECONDITION_FAILED,
    message: `"${actionId}" on surface "${surfaceId}" is not available now: ${reason}.`,
    details: { ...notRun, reason },
  };
}

export function pausedByUser(): OUIError {
  const message = 'The user of the page has paused agents. Nothing runs until they resume.';
  return { code: ERROR_CODES.ACTION_DENIED, message, details: notRun };
}

/** It had started: as with any that ends while it runs, `details.ran` says nothing, and the message does. */
export function stoppedByUser(actionId: string): OUIError {
  const message = `The user of the page stopped "${actionId}" while it was running: how far it came is not known. `
    + 'Look at what the page shows before asking again.';
  return { code: ERROR_CODES.ACTION_DENIED, message };
}

export function switchedOff(surfaceId: string, actionId: string): OUIError {
  const message = `The user of the page has switched off "${actionId}" on surface "${surfaceId}". `
    + 'Only they can switch it on again.';
  return { code: ERROR_CODES.ACTION_DENIED, message, details: notRun };
}

export function rateLimited(surfaceId: string, retryAfterMs: number): OUIError {
  const message = `Too many requests for surface "${surfaceId}"; try again in ${retryAfterMs} ms.`;
  return { code: ERROR_CODES.RATE_LIMITED, message, details: { ...notRun, retryAfterMs } };
}

export function invalidParams(actionId: string, errors: readonly OUIValidationIssue[]): OUIError {
  const message = paramsMisfit(actionId, errors);
  return { code: ERROR_CODES.VALIDATION_ERROR, message, details: { ...notRun, errors } };
}

export function brokenSchema(actionId: string, reason: string): OUIError {
  const message = `The input schema of "${actionId}" is broken, which only the page's author can mend: ${reason}`;
  return { code: ERROR_CODES.INTERNAL_ERROR, message, details: notRun };
}

export function malformedRequest(reason: string): OUIError {
  return { code: ERROR_CODES.VALIDATION_ERROR, message: `Malformed request: ${reason}`, details: notRun };
}

/** An agent's request under the id of one of the page's own. */
export function idInUse(requestId: string): OUIError {
  const message = `requestId "${requestId}" is in use by the page itself; send the request with a fresh one.`;
  return { code: ERROR_CODES.VALIDATION_ERROR, message, details: notRun };
}

export function notAccepting(): OUIError {
  return { code: ERROR_CODES.NOT_ACCEPTING, message: NOT_ACCEPTING_REASON, details: notRun };
}

/** `by`: who withdrew it, the agent that sent it or the page that called its own action. */
export function cancelled(actionId: string, by: 'agent' | 'page', ran: boolean): OUIError {
  const when = ran ? 'while it was running' : 'before it could start';
  const message = `"${actionId}" was cancelled by the ${by} ${when}.`;
  return { code: ERROR_CODES.CANCELLED, message, ...(ran ? {} : { details: notRun }) };
}

export function outOfTime(actionId: string, ms: number, ran: boolean): OUIError {
  const message = ran
    ? `"${actionId}" did not end within its time of ${ms} ms; its AbortSignal was fired.`
    : `"${actionId}" could not start within its time of ${ms} ms; it did not run.`;
  return { code: ERROR_CODES.TIMEOUT, message, ...(ran ? {} : { details: notRun }) };
}

export function jobOutOfTime(actionId: string, ms: number | undefined): OUIError {
  const time = ms === undefined ? 'its time' : `its time of ${ms} ms`;
  const message = `The job of "${actionId}" did not end within ${time} (polling.maxDurationMs); the page follows it `
    + 'no longer. Look at what the page shows for its outcome.';
  return { code: ERROR_CODES.TIMEOUT, message };
}

export function superseded(actionId: string, by: string): OUIError {
  const message = `Request "${by}" started "${actionId}" anew; one job of it runs at a time.`;
  return { code: ERROR_CODES.SUPERSEDED, message };
}

export function runtimeDisposed(started: boolean): OUIError {
  const message = 'The page has closed its connection to agents.';
  return { code: ERROR_CODES.SURFACE_UNAVAILABLE, message, ...(started ? {} : { details: notRun }) };
}

/** A resend from a time of which the page's journal knows nothing. */
export function unknownOutcome(actionId: string): OUIError {
  const message = `"${actionId}" may have run: the page keeps no record of the time in which it was first asked for. `
    + 'Look at what the page shows before asking again.';
  return { code: ERROR_CODES.SURFACE_UNAVAILABLE, message, details: { ran: 'unknown' } };
}

export function outcomeForgotten(actionId: string): OUIError {
  const message = `What "${actionId}" came to is not told any more: the user of the page has signed out.`;
  return { code: ERROR_CODES.SURFACE_UNAVAILABLE, message, details: { ran: 'unknown' } };
}

export function tooManyQuestions(actionId: string, open: number): OUIError {
  const message = `The user of the page is being asked about ${open} actions already; "${actionId}" was not added.`;
  return { code: ERROR_CODES.RATE_LIMITED, message, details: notRun };
}

/** The user has turned down what agents ask for, again and again. `retryAfterMs`: as with `rateLimited`. */
export function leftAlone(actionId: string, retryAfterMs: number): OUIError {
  const message = 'The user of the page has turned down, or closed, one question of an agent after the other, and is '
    + `not asked for ${Math.ceil(retryAfterMs / 1000)} s: "${actionId}" did not run. Do not ask again for the same thing.`;
  return { code: ERROR_CODES.RATE_LIMITED, message, details: { ...notRun, retryAfterMs } };
}

/** What the user was being asked about is something else by now, and they are not asked about that. */
export function outdatedQuestion(actionId: string): OUIError {
  const reason = 'the page changed it while its user was being asked';
  const message = `"${actionId}" did not run: ${reason}. Look at it as it is now, and send a new request.`;
  return { code: ERROR_CODES.PRECONDITION_FAILED, message, details: { ...notRun, reason } };
}

/** A request that ended one engine after the other before its handler could start. */
export function endsEngines(actionId: string, losses: number): OUIError {
  const message = `"${actionId}" did not run: ${losses} engines ended while they looked at this request.`;
  return { code: ERROR_CODES.INTERNAL_ERROR, message, details: notRun };
}

/** @param expiresAt until when the user is being asked; absent when the page does not ask. Unix epoch, ms. */
export function approvalRequired(actionId: string, argsHash: string, expiresAt?: number): OUIError {
  const wayOut =
    expiresAt === undefined
      ? "Send it again with the approval that the page's host recorded for it."
      : 'The user is being asked in the page. Send the same request again, with a new requestId, to see the answer.';
  const message = `"${actionId}" runs only on the user's approval. ${wayOut}`;
  const details = { ...notRun, argsHash, ...(expiresAt === undefined ? {} : { expiresAt }) };
  return { code: ERROR_CODES.APPROVAL_REQUIRED, message, details };
}

/** The request brings an approval that does not admit it. */
export function grantRefused(actionId: string, argsHash: string, problem: string): OUIError {
  const message = `"${actionId}" did not run: ${problem}. Ask the user again, and send a new request with what they approve.`;
  return { code: ERROR_CODES.APPROVAL_REQUIRED, message, details: { ...notRun, argsHash } };
}

/** Where there are no receipts: the approval is another tab's. */
export function grantElsewhere(actionId: string): OUIError {
  const message = `"${actionId}" did not run: ${GRANT_ELSEWHERE_REASON}. Send it to the tab that holds it, with a new requestId.`;
  return { code: ERROR_CODES.APPROVAL_REQUIRED, message, details: notRun };
}

export function notApproved(actionId: string, argsHash: string): OUIError {
  const message = `The user gave no answer: "${actionId}" did not run. It can be asked for again.`;
  return { code: ERROR_CODES.APPROVAL_REQUIRED, message, details: { ...notRun, argsHash } };
}

export function deniedByUser(actionId: string): OUIError {
  const message = `The user of the page said no: "${actionId}" did not run.`;
  return { code: ERROR_CODES.ACTION_DENIED, message, details: notRun };
}

/** @param paths as `misplacedAttachments` names them. */
export function attachmentsMisplaced(actionId: string, paths: readonly string[]): OUIError {
  const message = `"${actionId}" declares attachments where they can be neither checked nor opened: ${list(paths)}. `
    + "Only its author can mend that: they go on the input's own properties, or on the items of a list property.";
  return { code: ERROR_CODES.ATTACHMENT_INPUT_UNSUPPORTED, message, details: { ...notRun, paths } };
}

export function attachmentsUnsupported(actionId: string, properties: readonly string[]): OUIError {
  const message = `"${actionId}" takes attachments (${list(properties)}), and nothing here can open them: the page has `
    + 'no attachments.resolve, and this agent gives none.';
  return { code: ERROR_CODES.ATTACHMENTS_UNSUPPORTED, message, details: { ...notRun, properties } };
}

/** @param problem `<property>: <reason>`. */
export function attachmentUnavailable(problem: string): OUIError {
  return { code: ERROR_CODES.ATTACHMENT_UNAVAILABLE, message: problem, details: notRun };
}

/** One of the runtime's own actions cannot read its parameters (PROTOCOL.md §7). */
export function ownParams(actionId: string, problem: string): OUIError {
  return { code: ERROR_CODES.INVALID_PARAMS, message: `Parameters of "oui.${actionId}": ${problem}.`, details: notRun };
}

/** What one of the runtime's own actions was asked for is not there. */
export function notFound(message: string): OUIError {
  return { code: ERROR_CODES.NOT_FOUND, message, details: notRun };
}
