import * as ERROR_CODES from '../protocol/error-codes.js';
import type { OUIError } from '../protocol/events.js';
import type { JsonText } from '../protocol/json.js';
import * as LIMITS from '../protocol/limits.js';
import { isJsonObject, isWireId } from '../protocol/shape.js';
import { describeActions } from '../rules/describe-actions.js';
import type { ActionName } from '../rules/describe-actions.js';
import { isPointer, readObservation } from '../rules/read-observation.js';
import type { ReadPlace } from '../rules/read-observation.js';
import type { Answers } from './answers.js';
import type { EngineContext } from './context.js';
import type { Execution } from './execution.js';
import { ownDataRoom } from './frames.js';
import type { LedgerEntry } from './ledger.js';
import { notFound, ownParams, surfaceNotFound } from './engine-errors.js';
import { findAction, findObservation, isAsked, type Mount } from './registry.js';

/** What an own action came to; undefined while the page reads a value for it. */
type Answer = { readonly data: JsonText } | { readonly error: OUIError } | undefined;

/**
 * The runtime's own actions, on the surface `oui` (PROTOCOL.md §7): definitions and state that did not fit a frame.
 * Answered at once, in every form and whatever is mounted; they change nothing, so nothing settles and nothing queues.
 * What the user has switched off is not there for them either.
 */
export class OwnActions {
  readonly #context: EngineContext;
  readonly #answers: Answers;
  readonly #execution: Execution;

  constructor(context: EngineContext, answers: Answers, execution: Execution) {
    this.#context = context;
    this.#answers = answers;
    this.#execution = execution;
  }

  run(entry: LedgerEntry): void {
    this.#end(entry, this.#answerTo(entry));
  }

  /** The page has read the observation that a request waits for. */
  onObserved(requestId: string, { mountId, value }: { readonly mountId: number; readonly value: JsonText }): void {
    const entry = this.#context.ledger.get(requestId);
    if (!entry || entry.stage === 'answered') return;
    const place = placeOf(entry.request.params);
    if (typeof place === 'string') return;
    // It may have gone, or been switched off, while the page was reading.
    const served = this.#context.registry.offered(place.surface)?.mountId === mountId;
    this.#end(entry, served ? this.#valueAt(entry, place, value) : this.#noSurface(place.surface));
  }

  #end(entry: LedgerEntry, answer: Answer): void {
    if (answer === undefined) return;
    this.#answers.end(entry, { success: 'data' in answer, ...answer, settled: true });
    this.#execution.close(entry);
  }

  #answerTo(entry: LedgerEntry): Answer {
    const { actionId, params } = entry.request;
    switch (actionId) {
      case 'describe':
        return this.#describe(entry, params);
      case 'read':
        return this.#read(entry, params);
      default: {
        const message = `The runtime has no action "${actionId}" of its own; it has describe, read.`;
        return { error: { code: ERROR_CODES.ACTION_NOT_FOUND, message, details: { ran: false } } };
      }
    }
  }

  #describe(entry: LedgerEntry, params: unknown): Answer {
    const asked = isJsonObject(params) ? params['actions'] : undefined;
    if (!Array.isArray(asked) || !asked.every(isActionName)) {
      return { error: ownParams('describe', 'actions must be a list of {surface, action}, each with two ids') };
    }
    if (asked.length > LIMITS.describeActions) {
      return { error: ownParams('describe', `actions has ${asked.length} of at most ${LIMITS.describeActions} items`) };
    }
    const find = ({ surface, action }: ActionName) => {
      const mount = this.#context.registry.offered(surface);
      return mount && findAction(mount.surface, action);
    };
    return { data: describeActions(asked, find, ownDataRoom(this.#context, entry)) };
  }

  #read(entry: LedgerEntry, params: unknown): Answer {
    const place = placeOf(params);
    if (typeof place === 'string') return { error: ownParams('read', place) };
    const mount = this.#context.registry.offered(place.surface);
    if (!mount) return this.#noSurface(place.surface);
    const { mountId, observations } = mount;
    if (isAsked(mount, place.observation)) {
      const { requestId } = entry;
      // A later engine asks the page anew.
      this.#context.touch(entry);
      this.#context.emit({ kind: 'read', mountId, observationId: place.observation, requestId });
      return undefined;
    }
    const value = observations.get(place.observation);
    if (value !== undefined) return this.#valueAt(entry, place, value);
    // Declared, but nothing has set it yet: `null` says so.
    if (findObservation(mount, place.observation)) return this.#valueAt(entry, place, 'null');
    return { error: notFound(noObservation(mount, place.observation)) };
  }

  #valueAt(entry: LedgerEntry, place: ReadPlace, value: JsonText): Answer {
    const data = readObservation(value, place, ownDataRoom(this.#context, entry));
    if (data !== undefined) return { data };
    const where = `observation "${place.observation}" of surface "${place.surface}"`;
    return { error: notFound(`There is nothing at ${JSON.stringify(place.path)} in ${where}.`) };
  }

  #noSurface(surfaceId: string): Answer {
    const active = this.#context.registry.allOffered().map(({ surface }) => surface.id);
    return { error: surfaceNotFound(surfaceId, active) };
  }
}

function noObservation({ surface, observations }: Mount, observationId: string): string {
  const ids = new Set([...(surface.observations ?? []).map(({ id }) => id), ...observations.keys()]);
  const list = ids.size === 0 ? 'nothing' : [...ids].join(', ');
  return `Surface "${surface.id}" has no observation "${observationId}"; it has ${list}.`;
}

function isActionName(value: unknown): value is ActionName {
  return isJsonObject(value) && isWireId(value['surface']) && isWireId(value['action']);
}

/** What `read` was asked for, or what is wrong with it. */
function placeOf(params: unknown): ReadPlace | string {
  if (!isJsonObject(params)) return 'they must be an object';
  const { surface, observation, path = '', offset, limit } = params;
  if (!isWireId(surface)) return 'surface must be the id of a surface';
  if (!isWireId(observation)) return 'observation must be the id of an observation';
  if (typeof path !== 'string' || !isPointer(path)) return 'path must be a JSON Pointer, such as "" or "/items/0"';
  if (!isCount(offset, 0)) return 'offset must be a whole number, 0 or more';
  if (!isCount(limit, 1)) return 'limit must be a whole number, 1 or more';
  return { surface, observation, path, offset, limit };
}

function isCount(value: unknown, least: number): value is number | undefined {
  return value === undefined || (Number.isSafeInteger(value) && (value as number) >= least);
}
