import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseEventToAgent } from '../../../src/protocol/guards.js';
import { appendPointer, resolvePointer } from '../../../src/protocol/json-pointer.js';
import type { Cut, OUIActionResult } from '../../../src/protocol/events.js';
import type { OUISurface } from '../../../src/protocol/manifest.js';
import { EngineBench } from './engine-bench.js';

const BUDGET = 32 * 1024;
const bytesOf = (type: string, payload: string): number =>
  new TextEncoder().encode(`{"type":"${type}","payload":${payload}}`).length;

/** Values of every size and shape: long lists, long texts, wide objects, rows that are large themselves. */
const leaf = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -1.5, '', 'text', 'é"\\\u0000', '😀'),
  fc.integer({ min: 0, max: 15_000 }).map((length) => '😀é'.repeat(length)),
  fc.integer({ min: 0, max: 6_000 }).map((length) => '\u0001'.repeat(length)),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.integer({ min: 0, max: 4_000 }).map((rows) => Array.from({ length: rows }, (_, index) => ({ index }))),
    fc.integer({ min: 0, max: 3_000 }).map((keys) =>
      Object.fromEntries(Array.from({ length: keys }, (_, index) => [`a/${index}~`, index])),
    ),
    fc.dictionary(fc.constantFrom('list', 'te~xt', 'a/b', 'é'), tie('value'), { maxKeys: 3 }),
  ),
}));

const ids = ['one_a', 'two_b', 'three_c'];
const manifest = (id: string, usage: string): OUISurface => ({
  id,
  name: 'Name',
  description: 'Says what it is.',
  actions: [{ id: 'look_at', description: 'Looks.', input: {}, effect: 'view', usage }],
  observations: ids.map((each) => ({ id: each, description: 'A value', schema: {} })),
});

const page = fc.record({
  usage: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 40_000 })),
  values: fc.array(fc.tuple(fc.constantFrom(1, 2), fc.constantFrom(...ids), value), { maxLength: 5 }),
  data: fc.option(value, { nil: undefined }),
  form: fc.constantFrom('full' as const, 'index' as const),
});

function benchOf({ usage, values, form }: { usage: number; values: [number, string, unknown][]; form: 'full' | 'index' }) {
  const budgets = { resultBytes: BUDGET, updateBytes: BUDGET };
  const bench = new EngineBench({ form, budgets, ratePerSecond: 1e6, rateBurst: 1e6 });
  bench.mount(manifest('first-one', 'ü'.repeat(usage)), 1);
  bench.mount(manifest('other-one', ''), 2);
  bench.connect(['receipt', 'ack', 'index']);
  const source = new Map<string, unknown>();
  for (const [mountId, observationId, each] of values) {
    bench.give({ kind: 'observe', mountId, observationId, value: JSON.stringify(each) });
    source.set(`${mountId === 1 ? 'first-one' : 'other-one'} ${observationId}`, JSON.parse(JSON.stringify(each)));
  }
  return { bench, source };
}

function call(bench: EngineBench, data: unknown): OUIActionResult {
  const id = bench.request('look_at', {}, { surfaceId: 'other-one' });
  const outcome = { success: true, ...(data === undefined ? {} : { data: JSON.stringify(data) }) };
  bench.finish(id, outcome);
  return bench.results(id).at(-1)!;
}

/** What `oui.read` gives. */
interface Answer {
  readonly rows?: readonly unknown[];
  readonly value?: unknown;
  readonly more?: boolean;
  readonly next?: number;
  readonly fit?: { readonly observations?: readonly Cut[] };
}

/** Reads a value through `oui.read`, page after page, and whatever a page had to cut, to its end. */
function readWhole(bench: EngineBench, surface: string, observation: string, path: string): unknown {
  const ask = (more: object): Answer => {
    const params = { surface, observation, path, ...more };
    const id = bench.request('read', params, { surfaceId: 'oui' });
    const result = bench.result(id);
    expect(result.error).toBeUndefined();
    expect(result.delivery).toBeUndefined();
    return result.data as Answer;
  };
  const mend = (whole: unknown, cuts: readonly Cut[]): unknown => {
    let mended = whole;
    for (const cut of cuts) {
      expect(cut.path.startsWith(path)).toBe(true);
      mended = replaced(mended, cut.path.slice(path.length), readWhole(bench, surface, observation, cut.path));
    }
    return mended;
  };

  const first = ask({});
  const cuts = first.fit?.observations ?? [];
  if (first.rows === undefined && !cuts.some((cut) => cut.path === path)) return mend(first.value, cuts);
  let offset = 0;
  let whole: unknown;
  for (;;) {
    const next = ask({ offset, limit: 20_000 });
    const part: unknown = next.rows ?? next.value;
    const inside = next.fit?.observations ?? [];
    if (Array.isArray(part)) {
      const rows = part.map((row, index) => mendAt(row, appendPointer(path, offset + index), inside));
      whole = [...((whole as unknown[] | undefined) ?? []), ...rows];
    } else if (typeof part === 'string') {
      whole = `${(whole as string | undefined) ?? ''}${part}`;
    } else {
      const members = Object.entries(part as object).map(([key, member]) => [
        key,
        mendAt(member, appendPointer(path, key), inside),
      ]);
      whole = { ...(whole as object | undefined), ...(Object.fromEntries(members) as object) };
    }
    if (next.more !== true) return whole;
    expect(next.next).toBeGreaterThan(offset);
    offset = next.next!;
  }

  function mendAt(piece: unknown, at: string, cutHere: readonly Cut[]): unknown {
    let mended = piece;
    for (const cut of cutHere) {
      if (cut.path !== at && !cut.path.startsWith(`${at}/`)) continue;
      mended = replaced(mended, cut.path.slice(at.length), readWhole(bench, surface, observation, cut.path));
    }
    return mended;
  }
}

function replaced(root: unknown, path: string, by: unknown): unknown {
  if (path === '') return by;
  const at = path.lastIndexOf('/');
  const parent = resolvePointer(root, path.slice(0, at)) as { [key: string]: unknown };
  parent[path.slice(at + 1).replaceAll('~1', '/').replaceAll('~0', '~')] = by;
  return root;
}

describe('frames of any page', () => {
  it('are within their budgets, and can be read', { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(page, (made) => {
        const { bench } = benchOf(made);
        const result = call(bench, made.data);
        for (const { type, payload } of bench.of('send')) {
          if (type === 'surface:register') continue;
          expect(bytesOf(type, payload)).toBeLessThanOrEqual(BUDGET);
          expect(parseEventToAgent({ type, payload: JSON.parse(payload) }).kind).toBe('event');
        }
        const omitted = result.delivery?.omitted ?? [];
        expect(result[made.form === 'index' ? 'index' : 'surfaces'] === undefined).toBe(
          omitted.includes(made.form === 'index' ? 'index' : 'surfaces'),
        );
        expect(result.observations === undefined).toBe(omitted.includes('observations'));
        const sent = result.data !== undefined || result.fit?.data !== undefined;
        expect(sent).toBe(made.data !== undefined);
        expect(result).toMatchObject({ success: true, settled: true });
        expect(result.surfacesHash).toMatch(/^fnv1a64:[0-9a-f]{16}$/);
      }),
      { numRuns: 60 },
    );
  });

  it('leave nothing out that cannot be read page by page', { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(page, (made) => {
        const { bench, source } = benchOf({ ...made, usage: 0 });
        const { observations, fit } = call(bench, undefined);
        for (const [place, whole] of source) {
          const [surface, id] = place.split(' ') as [string, string];
          let got = observations?.[surface]?.[id];
          for (const cut of fit?.observations ?? []) {
            if (cut.surface !== surface || cut.observation !== id) continue;
            got = replaced(got, cut.path, readWhole(bench, surface, id, cut.path));
          }
          expect(got).toEqual(whole);
        }
        for (const { type, payload } of bench.of('send')) {
          if (type === 'action:result') expect(bytesOf(type, payload)).toBeLessThanOrEqual(BUDGET);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('keep outcome, hash and ids however often they are refused', { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(page, fc.integer({ min: 1, max: 5 }), (made, refusals) => {
        const { bench } = benchOf(made);
        const first = call(bench, made.data);
        const { requestId } = first;
        for (let count = 0; count < refusals; count++) {
          bench.receive('x-oui:ack', { requestId, interim: false, ok: false, error: 'too large' });
        }
        const results = bench.results(requestId);
        expect(results.length).toBeLessThanOrEqual(4);
        const keep = ({ requestId: id, success, surfacesHash, settled, timestamp, durationMs }: OUIActionResult) => ({
          id, success, surfacesHash, settled, timestamp, durationMs,
        });
        for (const result of results) expect(keep(result)).toEqual(keep(first));
        const sizes = results.map((result) => JSON.stringify({ ...result, delivery: undefined }).length);
        expect([...sizes].sort((one, other) => other - one)).toEqual(sizes);
        expect(new Set(sizes).size).toBe(sizes.length);
      }),
      { numRuns: 40 },
    );
  });
});
