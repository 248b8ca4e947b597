import type { OUIActionResult } from '../../src/protocol/events.js';
import type { Call } from './callers.js';
import type { StartLog } from './start-log.js';
import { isAsync, isResumable, mayStartTwice } from './surfaces.js';
import type { Exchange } from './wire-log.js';

export interface Knowledge {
  nameOf(requestId: string): string;
  /** The last one. */
  readonly document: number;
}

/** What must hold once everything has come to its end (PROTOCOL.md, introduction and §2). */
export function findViolations(
  exchanges: Iterable<Exchange>,
  calls: readonly Call[],
  starts: StartLog,
  knowledge: Knowledge,
): string[] {
  const violations: string[] = [];
  const byId = new Map<string, Exchange>();
  for (const exchange of exchanges) {
    byId.set(exchange.requestId, exchange);
    const name = `${knowledge.nameOf(exchange.requestId)} ("${exchange.request.actionId}")`;
    const say = (what: string): void => void violations.push(`${name}: ${what}`);
    const call = calls.find(({ requestId }) => requestId === exchange.requestId);
    checkOutcomes(exchange, call, say);
    checkAcknowledgment(exchange, say);
    for (const final of exchange.finals) checkTruth(final, starts, say);
  }
  for (const call of calls) {
    const name = call.requestId === undefined ? 'a call that never ended' : knowledge.nameOf(call.requestId);
    checkCall(call, byId, starts, knowledge, (what) => void violations.push(`${name} ("${call.target}"): ${what}`));
  }
  return violations;
}

type Say = (what: string) => void;

/** Every accepted request has an outcome at the agent, and only one, however often it was told. */
function checkOutcomes(exchange: Exchange, call: Call | undefined, say: Say): void {
  const { accepted, refused, finals } = exchange;
  // What an engine took to its grave is answered to whoever asks again: not one that has given up, or was refused.
  const waitedFor = !call?.result || call.result.success;
  if (accepted > 0 && refused === 0 && waitedFor && finals.length === 0) {
    say('it was accepted, and its outcome never reached the agent.');
  }
  // A pure read can be read in two documents: the agent takes what comes first.
  if (mayStartTwice(exchange.request.surfaceId, exchange.request.actionId)) return;
  // What an engine sent with its last breath is not known to the next one, which says a failure in its own words,
  const inWords = exchange.endedIn.size > 1 || exchange.endedBy.size > 1;
  // and follows further what the user stopped or the agent withdrew. The agent drops what comes of it then.
  const { surfaceId, actionId } = exchange.request;
  const withdrawn = call?.result?.error?.code === 'oui:cancelled';
  if (inWords && (withdrawn || isResumable(surfaceId, actionId))) return;
  const [first, ...others] = finals.map((each) => (inWords && !each.success ? 'a failure' : outcomeText(each)));
  const other = others.find((text) => text !== first);
  if (other !== undefined) say(`it had two outcomes: ${first} and ${other}.`);
}

/** An asynchronous action is acknowledged before its outcome. */
function checkAcknowledgment(exchange: Exchange, say: Say): void {
  const { finalsSent, interimsSent, request } = exchange;
  const marked = finalsSent.some(({ interim }) => interim === false);
  if (marked && interimsSent.length === 0) say('its outcome was sent without an acknowledgment before it.');
  const { surfaceId, actionId } = request;
  if (interimsSent.length > 0 && !isAsync(surfaceId, actionId)) say('it was acknowledged, and is not asynchronous.');
}

/** What is said of a handler is so. */
function checkTruth(result: OUIActionResult, starts: StartLog, say: Say): void {
  const { requestId, success, data, error } = result;
  const started = starts.of(requestId);
  // A pure read has done nothing, whether or not an earlier document had begun it.
  const acted = started.some(({ surfaceId, actionId }) => !mayStartTwice(surfaceId, actionId));
  if (saysNotRun(error) && acted) say(`it ran, and was said not to have: ${error?.message}`);
  if (!success) return;
  const token = (data as { token?: string } | undefined)?.token;
  if (started.length === 0) say('it succeeded without having started.');
  else if (!started.some((start) => start.token === token)) {
    say(`it succeeded with data that are not its own: ${JSON.stringify(data)}.`);
  }
}

function checkCall(
  call: Call,
  exchanges: ReadonlyMap<string, Exchange>,
  starts: StartLog,
  knowledge: Knowledge,
  say: Say,
): void {
  const { result, by, document, acknowledgments } = call;
  if (!result) {
    // The page's own calls go with their document.
    if (by === 'agent' || document === knowledge.document) say(`the ${by}'s call never came to an end.`);
    return;
  }
  const exchange = exchanges.get(result.requestId);
  // A refusal leaves no trace: a copy that the network made may find the gate open, and the agent knows of none.
  if (!(exchange?.doubled && exchange.refused > 0)) checkTruth(result, starts, say);
  if (by === 'page') return;
  const isThePages = exchange?.finals.some((final) => outcomeText(final) === outcomeText(result)) ?? false;
  if (result.success && !isThePages) say('the agent reports a success that the page never sent.');
  if (acknowledgments > 1) say(`the agent was told ${acknowledgments} times that it was acknowledged.`);
  if (!exchange || !isThePages || exchange.strayed || result.interim !== false) return;
  if (acknowledgments === 0) say('the agent got the outcome and was never told of the acknowledgment.');
}

function saysNotRun(error: OUIActionResult['error']): boolean {
  return (error?.details as { ran?: unknown } | undefined)?.ran === false;
}

/** What makes two results the same outcome. */
function outcomeText({ success, data, error }: OUIActionResult): string {
  return JSON.stringify([success, data ?? null, error?.code ?? null]);
}
