import type { AgentCallResult, AgentReadOptions, AgentReadPart } from '../agent/agent-types.js';
import type { Cut } from '../protocol/events.js';
import { clipText } from '../rules/clip-text.js';
import type { ToolOutcome } from './tool-outcome.js';

/** So many places are named where values were cut; the rest is counted. */
const PLACES_NAMED = 5;
/** Of a page's own words in ours, in UTF-16 units. */
const QUOTED_UNITS = 200;

/** Where to read on, as arguments of `oui_read`. */
export interface RestPlace extends AgentReadOptions {
  readonly surface: string;
  readonly observation: string;
  /** Where several pages are connected. */
  readonly page?: string | undefined;
}

/** What a result leaves out, and how to read that, in words for a model. Undefined when nothing is left out. */
export function resultRest({ result, cuts = [] }: AgentCallResult, page: string | undefined): string | undefined {
  const { delivery } = result;
  const words = [
    cuts.length === 0 ? undefined : cutWords(cuts, page),
    ...leftOut(result),
    delivery?.omitted.includes('observations') === true ? 'Read observations with oui_read.' : undefined,
  ];
  return words.filter(Boolean).join(' ') || undefined;
}

/** What is not in a result at all, each in a sentence. */
export function leftOut({ fit, delivery }: Pick<ToolOutcome, 'fit' | 'delivery'>): readonly string[] {
  const data =
    fit?.data && `The action's own data was left out: it has ${fit.data.bytes} bytes, ${fit.data.limit} could be sent.`;
  const rest =
    delivery && `Left out of the result (${clipText(delivery.reason, QUOTED_UNITS)}): ${delivery.omitted.join(', ')}.`;
  return [data, rest].filter((words) => words !== undefined);
}

/** The same of a part that was read from `place`. */
export function readRest(place: RestPlace, { more, next, total, fit }: AgentReadPart): string | undefined {
  const { page } = place;
  const there = total === undefined ? 'There is more.' : `There is more, ${total} in all.`;
  const words = [
    more === true && next !== undefined && `${there} Read on with oui_read ${callOf({ ...place, offset: next })}.`,
    fit?.observations?.length ? cutWords(fit.observations, page) : undefined,
  ];
  return words.filter(Boolean).join(' ') || undefined;
}

function cutWords(cuts: readonly Cut[], page: string | undefined): string {
  const places = cuts.slice(0, PLACES_NAMED).map((cut) => `${callOf(restOf(cut, page))} (${keptOf(cut)})`);
  const rest = cuts.length - places.length;
  const list = places.join(', ') + (rest > 0 ? ` and ${rest} more` : '');
  return `Values were cut to fit. Read the rest with oui_read: ${list}.`;
}

/** Where a value that was cut is to be read on. */
export function restOf({ surface, observation, path, kind, kept }: Cut, page: string | undefined): RestPlace {
  return { surface, observation, path, page, ...(kind === 'value' ? {} : { offset: kept }) };
}

/** How much of it is here, in words. */
export function keptOf({ kind, kept, total }: Cut): string {
  return (KEPT[kind] ?? '') + (kind === 'value' ? '' : `${kept} of ${total}`);
}

const KEPT: { readonly [kind: string]: string } = {
  list: 'rows here: ',
  text: 'characters here: ',
  value: 'nothing of it is here',
};

function callOf({ surface, observation, path, offset, limit, page }: RestPlace): string {
  // Members that are undefined are left out.
  return JSON.stringify({ surface, observation, path: path === '' ? undefined : path, offset, limit, page });
}
