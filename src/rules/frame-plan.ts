import type { Fit } from '../protocol/events.js';
import type { JsonText } from '../protocol/json.js';
import * as LIMITS from '../protocol/limits.js';
import { utf8Length } from '../protocol/byte-length.js';
import { fitText } from './fit-text.js';
import type { ObservationFitter } from './observation-fitter.js';

/** What a frame is to carry. */
export interface FrameParts {
  /** UTF-8 bytes of all that goes whole: braces, the small members, the offered part with its key. */
  readonly wholeBytes: number;
  /** JSON text of a result's `data`. */
  readonly data: JsonText | undefined;
  readonly observations: ObservationFitter;
}

/** What of it goes. */
export interface FramePlan {
  /** Undefined when there was none, or when it was left out: `fit` says so. */
  readonly data: JsonText | undefined;
  /** Undefined when the frame has no room even for the shortest form; the frame's `delivery` is to say so. */
  readonly observations: JsonText | undefined;
  /** JSON text of the `fit` member; undefined when nothing was cut or left out. */
  readonly fit: JsonText | undefined;
}

/** A comma, a key and a colon before a member's text. */
function memberBytes(key: string, text: JsonText): number {
  return key.length + 4 + utf8Length(text);
}

/**
 * Decides what of a result or a snapshot goes into its byte budget (PROTOCOL.md §4). What fits as it is goes as it
 * is. Else `data` goes whole, unless it would leave the observations less than 16 KiB: then it is left out, and the
 * observations are fitted to the rest. Where there is less than that in any case, data goes as long as it fits.
 *
 * The frame is within the budget when `wholeBytes` leaves 64 bytes of it: what it takes to say that data was left out.
 */
export function planFrame({ wholeBytes, data, observations }: FrameParts, budgetBytes: number): FramePlan {
  const room = budgetBytes - wholeBytes;
  const dataBytes = data === undefined ? 0 : memberBytes('data', data);
  const least = room < LIMITS.observationsMinBytes ? 0 : LIMITS.observationsMinBytes;
  if (data === undefined || room - dataBytes >= least) {
    return withObservations(data, undefined, observations, room - dataBytes);
  }
  if (observations.isWithin(room - dataBytes - memberBytes('observations', ''))) {
    return { data, observations: observations.whole.text, fit: undefined };
  }
  const limit = Math.max(0, room - memberBytes('data', '') - LIMITS.observationsMinBytes);
  return withObservations(undefined, { bytes: utf8Length(data), limit }, observations, room);
}

function withObservations(
  data: JsonText | undefined,
  leftOut: Fit['data'],
  observations: ObservationFitter,
  room: number,
): FramePlan {
  const reportBytes = leftOut === undefined ? 0 : memberBytes('fit', fitText([], leftOut) ?? '');
  const fitted = observations.fit(room - reportBytes - memberBytes('observations', ''));
  if (!fitted.fits) return { data, observations: undefined, fit: fitText([], leftOut) };
  return { data, observations: fitted.text, fit: fitText(fitted.cuts, leftOut) };
}
