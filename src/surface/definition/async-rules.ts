import { EVENT } from '../../protocol/events.js';
import * as LIMITS from '../../protocol/limits.js';
import { isAsyncAction } from '../../protocol/manifest.js';
import { isJsonObject } from '../../protocol/shape.js';
import type { ActionDefinition, ActionPolling } from './definition.js';

type Rule = readonly [holds: boolean, rule: string];

const isOptional = (value: unknown, holds: boolean): boolean => value === undefined || holds;

/** What is wrong with how an action says that it is asynchronous. Reads it as unchecked, as `defineSurface` does. */
export function asyncProblems(action: ActionDefinition<never>): string[] {
  const { polling, singleFlight, resumable } = action;
  const rules: Rule[] = [];
  if (polling !== undefined) {
    if (!isJsonObject(polling)) return ['polling must be an object with an intervalMs, and mostly a resolve or a subscribe'];
    rules.push(...pollingRules(polling));
  }
  rules.push(
    [!singleFlight || isAsyncAction(action), 'singleFlight is for asynchronous actions; add async or polling'],
    [
      !resumable || polling?.resolve !== undefined || polling?.subscribe !== undefined,
      'resumable needs polling.resolve or polling.subscribe: the next document has nothing else to follow the job by',
    ],
  );
  return rules.filter(([holds]) => !holds).map(([, rule]) => rule);
}

function pollingRules(polling: ActionPolling<never>): Rule[] {
  const { intervalMs, maxAttempts, maxDurationMs, resolve, subscribe } = polling;
  const least = resolve === undefined ? 0 : 1;
  return [
    [
      Number.isFinite(intervalMs) && intervalMs >= least,
      `polling.intervalMs must be ms, at least ${least}; it is ${String(intervalMs)}`,
    ],
    [
      isOptional(maxAttempts, Number.isInteger(maxAttempts) && maxAttempts! > 0),
      `polling.maxAttempts must be a whole number above 0; it is ${String(maxAttempts)}`,
    ],
    [
      isOptional(maxDurationMs, Number.isFinite(maxDurationMs) && maxDurationMs! > 0),
      `polling.maxDurationMs must be ms above 0; it is ${String(maxDurationMs)}`,
    ],
    [isOptional(resolve, typeof resolve === 'function'), 'polling.resolve must be a function'],
    ...(subscribe === undefined ? [] : subscribeRules(subscribe)),
  ];
}

function subscribeRules(subscribe: NonNullable<ActionPolling['subscribe']>): Rule[] {
  if (!isJsonObject(subscribe)) return [[false, 'polling.subscribe must be an object with an event']];
  const { event, filter } = subscribe;
  return [
    [
      typeof event === 'string' && event !== '' && event.length <= LIMITS.idLength && !isOwnEvent(event),
      `polling.subscribe.event must be the name of an event of yours; it is ${JSON.stringify(event)}`,
    ],
    [isOptional(filter, isJsonObject(filter)), 'polling.subscribe.filter must be an object'],
  ];
}

/** The protocol's own events never end a job: what they carry is not the application's. */
function isOwnEvent(event: string): boolean {
  return event.startsWith('x-oui:') || Object.values<string>(EVENT).includes(event);
}
