import type { OUIEvent } from './events.js';
import { buildPointer } from './json-pointer.js';
import * as LIMITS from './limits.js';
import { action, surface, toAgent, toPage } from './payload-shapes.js';
import type { PayloadChecks } from './payload-shapes.js';
import { describeValue, id, isJsonObject, isWireId, object } from './shape.js';

/**
 * Hand-written guards: from a parsed message of unknown origin to a typed event. A receiver calls `exceedsLimits`
 * first, then `parseEventToPage` on a page, `parseEventToAgent` on an agent's side, or `parseEvent` for either.
 * None of them changes what it is given, and none throws.
 */

/** What a message turned out to be. */
export type ParsedEvent =
  /** One of ours, its payload checked. */
  | { readonly kind: 'event'; readonly event: OUIEvent }
  /** An application's own event, `x-…` (specification §10.3). Its payload is unchecked. */
  | { readonly kind: 'extension'; readonly type: string; readonly payload: unknown }
  /** An event of some later version, or of the other direction: ignored silently (specification §10.3). */
  | { readonly kind: 'unknown'; readonly type: string }
  /** Not an event, or one of ours that is broken (specification §7.6.2). `problem` says what, where and the value. */
  | { readonly kind: 'malformed'; readonly problem: string; readonly type?: string; readonly requestId?: string };

/** Event names that no application may use: ours, now or later. */
const OWN_PREFIX = 'x-oui:';

function member(value: unknown, name: string): unknown {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The id of the request a message is about, however broken the rest of it is. */
export function requestIdOf(message: unknown): string | undefined {
  const requestId = member(member(message, 'payload'), 'requestId');
  return isWireId(requestId) ? requestId : undefined;
}

/** The type of a message, however broken the rest of it is. */
export function typeOf(message: unknown): string | undefined {
  const type = member(message, 'type');
  return isWireId(type) ? type : undefined;
}

/** Whether a type is an event of the application's own that a runtime hands on (specification §10.3). */
export function isApplicationEvent(type: string): boolean {
  return type.startsWith('x-') && !type.startsWith(OWN_PREFIX);
}

function parse(message: unknown, ...tables: readonly PayloadChecks[]): ParsedEvent {
  const type = typeOf(message);
  if (type === undefined) {
    const problem = isJsonObject(message) ? id(member(message, 'type'), '/type') : object(message, '');
    return { kind: 'malformed', problem: problem ?? 'the message is no event' };
  }
  const payload = member(message, 'payload');
  const check = tables.find((table) => table.has(type))?.get(type);
  if (check === undefined) {
    if (isApplicationEvent(type)) return { kind: 'extension', type, payload };
    return { kind: 'unknown', type };
  }
  const problem = check(payload, '/payload');
  if (problem === undefined) return { kind: 'event', event: { type, payload } as OUIEvent };
  const requestId = requestIdOf(message);
  return { kind: 'malformed', problem: `${type}: ${problem}`, type, ...(requestId === undefined ? {} : { requestId }) };
}

/** Finds out what a message is, whichever side sent it. Members that we do not know are left in place. */
export function parseEvent(message: unknown): ParsedEvent {
  return parse(message, toPage(), toAgent());
}

/** The same on a page: what only a page sends is unknown there. */
export function parseEventToPage(message: unknown): ParsedEvent {
  return parse(message, toPage());
}

/** The same on an agent's side: what only an agent's side sends is unknown there. */
export function parseEventToAgent(message: unknown): ParsedEvent {
  return parse(message, toAgent());
}

/**
 * Checks a manifest from outside (specification §3 to §6), members and their types: undefined when it may be used as
 * an `OUISurface`, else what is wrong, where and the value. Says nothing of ids' spelling, nor of schemas' insides.
 */
export function checkManifest(manifest: unknown): string | undefined {
  return surface()(manifest, '');
}

/** The same of one action's manifest entry, as `describe` gives it (PROTOCOL.md §7). */
export function checkAction(entry: unknown): string | undefined {
  return action()(entry, '');
}

/** A container still to be looked at, and the way to it. */
interface Visit {
  readonly value: object;
  /** The message itself is 1. */
  readonly depth: number;
  readonly parent: Visit | undefined;
  readonly key: string | number;
}

function placeOf(visit: Visit | undefined, last?: string | number): string {
  const tokens: (string | number)[] = last === undefined ? [] : [last];
  for (let at = visit; at?.parent !== undefined; at = at.parent) tokens.unshift(at.key);
  return buildPointer(tokens) || 'the message';
}

/** Also true for plain objects of another realm: a frame's, or a test environment's. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype) return true;
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype as object, 'isPrototypeOf');
}

/**
 * Whether a parsed message is too deep or too large to be validated, or holds what JSON cannot (PROTOCOL.md §1):
 * more than 64 levels (the message is the first), more than `mostValues`, an object with a prototype of its own,
 * a `__proto__` key, a function, symbol, bigint or number that is not finite.
 *
 * Returns undefined when the message is fine, else the reason and the place. Works by iteration: a message that would
 * overflow the stack must not do so here. A cycle ends at the depth limit. A member that is `undefined` is no value.
 *
 * @param mostValues Default 100,000. An agent's side takes what its frame can hold: what the page came to is in there.
 */
export function exceedsLimits(message: unknown, mostValues: number = LIMITS.messageNodes): string | undefined {
  let nodes = 1;
  const pending: Visit[] = [];

  const look = (value: unknown, parent: Visit | undefined, key: string | number): string | undefined => {
    switch (typeof value) {
      case 'object': {
        if (value === null) return undefined;
        const depth = parent === undefined ? 1 : parent.depth + 1;
        if (depth > LIMITS.messageDepth) {
          return `${placeOf(parent, key)} is nested deeper than ${LIMITS.messageDepth} levels`;
        }
        pending.push({ value, depth, parent, key });
        return undefined;
      }
      case 'number':
        if (Number.isFinite(value)) return undefined;
        break;
      case 'string':
      case 'boolean':
      case 'undefined':
        return undefined;
    }
    return `${placeOf(parent, parent && key)} is ${describeValue(value)}, which JSON cannot carry`;
  };

  let problem = look(message, undefined, '');
  for (let visit = pending.pop(); visit !== undefined && problem === undefined; visit = pending.pop()) {
    const { value } = visit;
    if (Array.isArray(value)) {
      nodes += value.length;
      if (nodes > mostValues) break;
      for (let index = 0; index < value.length && problem === undefined; index++) {
        problem = look(value[index], visit, index);
      }
      continue;
    }
    if (!isPlain(value)) return `${placeOf(visit)} is an object with a prototype of its own`;
    const keys = Object.keys(value);
    nodes += keys.length;
    if (nodes > mostValues) break;
    for (const key of keys) {
      if (key === '__proto__') return `${placeOf(visit)} has a key "__proto__"`;
      problem ??= look((value as { readonly [key: string]: unknown })[key], visit, key);
    }
  }
  if (problem !== undefined) return problem;
  return nodes > mostValues ? `the message has more than ${mostValues} values` : undefined;
}
