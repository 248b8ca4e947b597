import type { Cut, OUIObservationValues } from '../../../src/protocol/events.js';

/** The rule of PROTOCOL.md §4, step 3, as plainly as it can be written: every form is made whole and counted. */

type Values = { [surface: string]: { [observation: string]: unknown } };
interface Form {
  readonly observations: OUIObservationValues;
  readonly cuts: readonly Cut[];
}

export const bytesOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;

/** What a form takes in a frame that has other members before it: the observations, and `,"fit":…`. */
export function frameBytes({ observations, cuts }: Form): number {
  return bytesOf(observations) + (cuts.length === 0 ? 0 : bytesOf({ fit: { observations: cuts } }) - 1);
}

type Place = Omit<Cut, 'surface' | 'observation'>;

interface Step {
  readonly rows: number;
  readonly textsToo: boolean;
}

function shorten(value: unknown, path: string, step: Step, add: (cut: Place) => void): unknown {
  const { rows, textsToo } = step;
  const deeper = (member: unknown, key: string | number) => {
    const token = String(key).replaceAll('~', '~0').replaceAll('/', '~1');
    return shorten(member, `${path}/${token}`, step, add);
  };
  if (Array.isArray(value)) {
    const kept = value.slice(0, rows).map(deeper);
    if (value.length > rows) add({ path, kind: 'list', total: value.length, kept: rows });
    return kept;
  }
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, deeper(member, key)]));
  }
  if (typeof value === 'string' && textsToo && value.length > 2000) {
    const splits = /^[\ud800-\udbff][\udc00-\udfff]$/.test(value.slice(1999, 2001));
    const kept = splits ? 1999 : 2000;
    add({ path, kind: 'text', total: value.length, kept });
    return value.slice(0, kept);
  }
  return value;
}

type Change = (value: unknown, surface: string, id: string) => unknown;

function mapValues(source: OUIObservationValues, change: Change): Values {
  const surfaces = Object.entries(source).map(([surface, values]) => [
    surface,
    Object.fromEntries(Object.entries(values).map(([id, value]) => [id, change(value, surface, id)])),
  ]);
  return Object.fromEntries(surfaces) as Values;
}

/** Undefined when nothing of what the rule allows is within the budget. */
export function modelFit(source: OUIObservationValues, budget: number): Form | undefined {
  let form: Form = { observations: mapValues(source, (value) => value), cuts: [] };
  if (frameBytes(form) <= budget) return form;
  const steps = [...[200, 50, 20, 5, 0].map((rows) => ({ rows, textsToo: false })), { rows: 0, textsToo: true }];
  for (const step of steps) {
    const cuts: Cut[] = [];
    const observations = mapValues(source, (value, surface, observation) => {
      return shorten(value, '', step, (cut) => cuts.push({ surface, observation, ...cut }));
    });
    form = { observations, cuts };
    if (frameBytes(form) <= budget) return form;
  }

  const size = (surface: string, id: string): number => {
    const cuts = form.cuts.filter((cut) => cut.surface === surface && cut.observation === id);
    return bytesOf(form.observations[surface]?.[id]) + cuts.reduce((sum, cut) => sum + bytesOf(cut) + 1, 0);
  };
  const sized = Object.entries(source).flatMap(([surface, values]) =>
    Object.keys(values).map((id) => ({ surface, id, bytes: size(surface, id) })),
  );
  for (const { surface, id, bytes } of sized.sort((one, other) => other.bytes - one.bytes)) {
    const total = bytesOf(source[surface]?.[id]);
    const cut: Cut = { surface, observation: id, path: '', kind: 'value', total, kept: 0 };
    if (bytes <= 4 + bytesOf(cut) + 1) continue;
    form = {
      observations: mapValues(form.observations, (value, ...at) => (at[0] === surface && at[1] === id ? null : value)),
      cuts: [...form.cuts.filter((each) => each.surface !== surface || each.observation !== id), cut],
    };
    if (frameBytes(form) <= budget) return form;
  }
  return undefined;
}
