import type { AgentCallResult, AgentReadOptions, AgentReadPart } from '../agent/agent-types.js';
import type { Cut } from '../protocol/events.js';
import { clipText } from '../rules/clip-text.js';

/** So many places are named where values were cut; the rest is counted. */
const PLACES_NAMED = 5;
/** Of a page's own words in ours, in UTF-16 units. */
const QUOTED_UNITS = 200;

/** Where to read on, as arguments of `oui_read`. */
interface RestPlace extends AgentReadOptions {
  readonly surface: string;
  readonly observation: string;
  /** Where several pages are connected. */
  readonly page?: string | undefined;
}

/** What a result leaves out, and how to read that, in words for a model. Undefined when nothing is left out. */
export function resultRest({ result, cuts = [] }: AgentCallResult, page: string | undefined): string | undefined {
  const { fit, delivery } = result;
  const words = [
    cuts.length === 0 ? undefined : cutWords(cuts, page),
    fit?.data && `The action's own data was left out: it has ${fit.data.bytes} bytes, ${fit.data.limit} could be sent.`,
    delivery && `Left out of the result (${clipText(delivery.reason, QUOTED_UNITS)}): ${delivery.omitted.join(', ')}.`,
    delivery?.omitted.includes('observations') === true ? 'Read observations with oui_read.' : undefined,
  ];
  return words.filter(Boolean).join(' ') || undefined;
}

/** The same of a part that was read from `place`. */
export function readRest(place: RestPlace, { more, next, total, fit }: AgentReadPart): string | undefined {
  const { page } = place;
  const on = more === true && next !== undefined ? `Read on with oui_read ${callOf({ ...place, offset: next })}` : undefined;
  const words = [
    on && `There is more, ${total === undefined ? '' : `${total} in all`}. ${on}.`.replace(', .', '.'),
    fit?.observations?.length ? cutWords(fit.observations, page) : undefined,
  ];
  return words.filter(Boolean).join(' ') || undefined;
}

function cutWords(cuts: readonly Cut[], page: string | undefined): string {
  const places = cuts.slice(0, PLACES_NAMED).map((cut) => {
    const { surface, observation, path, kind, total, kept } = cut;
    const place = { surface, observation, path, page, ...(kind === 'value' ? {} : { offset: kept }) };
    return `${callOf(place)} (${KEPT[kind] ?? ''}${kind === 'value' ? '' : `${kept} of ${total}`})`;
  });
  const rest = cuts.length - places.length;
  const list = places.join(', ') + (rest > 0 ? ` and ${rest} more` : '');
  return `Values were cut to fit. Read the rest with oui_read: ${list}.`;
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
