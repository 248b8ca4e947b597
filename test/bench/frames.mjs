import { createSurfaceRuntime, defineSurface } from '../../dist/src/entries/core.js';
import { createInterpretedValidator } from '../../dist/src/entries/engine.js';
import { fitObservations, surfaceIndex, surfacesHash } from '../../dist/src/entries/spec.js';
import { Engine } from '../../dist/src/engine/engine.js';
import { fitObservationTexts } from '../../dist/src/rules/fit.js';
import { percentile } from './statistics.mjs';

const RESULT_BYTES = 480 * 1024;
const MB = 1024 * 1024;

/** The median of several runs, in ms. @param {() => unknown} run */
function time(run, runs = 7) {
  run();
  const times = [];
  for (let index = 0; index < runs; index++) {
    const start = performance.now();
    run();
    times.push(performance.now() - start);
  }
  return percentile(times, 50);
}

/** Three shapes of about so many bytes. @type {Record<string, (bytes: number) => unknown>} */
const SHAPES = {
  'many rows': (bytes) =>
    Array.from({ length: Math.round(bytes / 100) }, (_, id) => ({
      id, name: `Row number ${id}`, price: id / 7, tags: ['new', 'sale'], open: id % 2 === 0, note: 'short text',
    })),
  'few long texts': (bytes) =>
    Object.fromEntries(Array.from({ length: 8 }, (_, key) => [`text${key}`, 'Lorem ipsum "dolor" – sit amet. '.repeat(bytes / 8 / 35)])),
  nested: (bytes) => {
    const node = (/** @type {number} */ depth) =>
      depth === 0 ? { leaf: 'a value of some length', count: 12.5 } : { title: `Level ${depth}`, parts: Array.from({ length: 8 }, () => node(depth - 1)) };
    const one = node(4);
    return Array.from({ length: Math.max(1, Math.round(bytes / JSON.stringify(one).length)) }, () => one);
  },
};

/** Fitting an observation into a result's budget, against stringifying it once. */
export function fitTable() {
  return Object.entries(SHAPES).map(([shape, make]) => {
    const measure = (/** @type {number} */ bytes) => {
      const value = make(bytes);
      const text = JSON.stringify(value);
      const stringify = time(() => JSON.stringify(value), 5);
      const fit = time(() => fitObservationTexts(new Map([['page', new Map([['all', text]])]]), RESULT_BYTES), 5);
      const { observations, fit: report } = fitObservations({ page: { all: value } }, RESULT_BYTES);
      if (report === undefined || JSON.stringify({ observations, fit: report }).length > RESULT_BYTES) throw new Error('does not fit');
      return { bytes: text.length, stringify, fit };
    };
    const small = measure(MB);
    const large = measure(10 * MB);
    return {
      shape,
      MB: (large.bytes / MB).toFixed(1),
      'stringify ms': large.stringify.toFixed(1),
      'fit ms': large.fit.toFixed(1),
      'fit / stringify': (large.fit / large.stringify).toFixed(2),
      reach: '≤ 4',
      'growth over × 10': (large.fit / small.fit).toFixed(1),
    };
  });
}

/** A page of so many actions, fifty to a surface. @param {number} count */
function surfacesOf(count) {
  return Array.from({ length: Math.ceil(count / 50) }, (_, index) => defineSurface({
    id: `surface-${index}`,
    name: `Surface ${index}`,
    description: 'One of many',
    actions: Array.from({ length: Math.min(50, count - index * 50) }, (_, at) => ({
      id: `action_${at}`,
      title: `Set value ${at}`,
      description: `Set value ${at}: changes one value of the clip. It is applied at once, and undo takes it back.`,
      effect: /** @type {const} */ ('edit'),
      input: {
        type: 'object',
        properties: {
          clipId: { type: 'string', description: 'Which clip' },
          value: { type: 'number', minimum: 0, maximum: 100, 'x-unit': 'px' },
          mode: { type: 'string', enum: ['add', 'replace', 'multiply', 'screen', 'overlay'] },
          options: { type: 'object', properties: { ease: { type: 'string' }, loop: { type: 'boolean' } } },
        },
        required: ['clipId', 'value'],
      },
      handler: () => undefined,
    })),
    observations: [{ id: 'state', description: 'Its state', schema: { type: 'object' } }],
  }));
}

/** Index, hash and repeated snapshot of a large page. */
export function offeredTable() {
  const measure = (/** @type {number} */ count) => {
    const surfaces = surfacesOf(count);
    const manifests = surfaces.map((surface) => JSON.parse(JSON.stringify({ ...surface, actions: surface.actions })));
    const runtime = createSurfaceRuntime({ worker: false, form: 'index', advice: false });
    for (const surface of surfaces) runtime.mount(surface).pushObservation('state', { open: 3, list: [1, 2, 3] });
    const first = performance.now();
    runtime.snapshot();
    const cold = performance.now() - first;
    const REPEATS = 1_000;
    const repeated = time(() => {
      for (let repeat = 0; repeat < REPEATS; repeat++) runtime.snapshot();
    }) / REPEATS;
    runtime.dispose();
    return {
      index: time(() => manifests.map((manifest) => surfaceIndex(manifest)), 5),
      hash: time(() => surfacesHash(manifests), 5),
      'first snapshot, index form': cold,
      'repeated snapshot': repeated,
    };
  };
  // The first run warms the machine up.
  measure(447);
  const [few, some, many] = [measure(45), measure(447), measure(5_000)];
  const microseconds = (/** @type {number} */ ms) => (ms * 1_000).toFixed(ms < 0.1 ? 1 : 0);
  return /** @type {const} */ (['index', 'hash', 'first snapshot, index form', 'repeated snapshot']).map((what) => ({
    what,
    '447 actions, µs': microseconds(some[what]),
    '5,000 actions, µs': microseconds(many[what]),
    reach: what === 'repeated snapshot' ? '≤ 50 µs at 447' : '',
    'growth 45 → 447': (some[what] / few[what]).toFixed(1),
    'growth 447 → 5,000 (× 11.2)': (many[what] / some[what]).toFixed(1),
  }));
}

/** Frames per second through the engine alone: requests of a read, and observation updates. */
export function engineTable() {
  const measure = (/** @type {number} */ bytes) => {
    let now = 0;
    const config = {
      software: 'bench/1', confirmBy: 'page', canAsk: false, hasGate: false, actionMs: 30_000, approvalMs: 300_000,
      settleTimeoutMs: 5_000, reanswerAfterMs: 8_000, ratePerSecond: 1e9, rateBurst: 1e9, dedupeWindow: 500,
      form: 'full', observationSchemas: 'warn', announce: true, budgets: { resultBytes: RESULT_BYTES, updateBytes: 256 * 1024 },
    };
    const engine = new Engine(/** @type {any} */ (config), createInterpretedValidator(), { now, wall: 1e12 });
    let sent = 0;
    const step = (/** @type {any} */ input) => {
      now += 0.01;
      const effects = engine.step(input, { now, wall: 1e12 + now });
      for (const { kind } of effects) if (kind === 'send') sent += 1;
    };
    const surface = {
      id: 'bench', name: 'Bench', description: 'Measured',
      actions: [{ id: 'read_it', description: 'Reads', effect: 'view', input: { type: 'object' } }],
      observations: [{ id: 'value', description: 'A value', schema: {} }],
    };
    step({ kind: 'mount', mountId: 1, surface, policies: { read_it: { settle: 'none' } } });
    step({ kind: 'connected' });
    step({ kind: 'message', message: { type: 'x-oui:hello', payload: { protocol: '0.1', software: 'a/1', features: ['receipt', 'ack'], now: 1e12 } } });
    const text = JSON.stringify('x'.repeat(bytes));
    step({ kind: 'observe', mountId: 1, observationId: 'value', value: text });
    const COUNT = 2_000;
    let id = 0;
    const requests = time(() => {
      for (let index = 0; index < COUNT; index++) {
        const requestId = `r${++id}`;
        const payload = { requestId, surfaceId: 'bench', actionId: 'read_it', params: {}, timestamp: 1e12 };
        step({ kind: 'message', message: { type: 'action:request', payload } });
        step({ kind: 'returned', requestId, outcome: { success: true, data: '{"ok":true}' } });
        step({ kind: 'settled', requestId, settled: true });
        step({ kind: 'message', message: { type: 'x-oui:ack', payload: { requestId, interim: false, ok: true } } });
      }
    }, 5);
    const updates = time(() => {
      for (let index = 0; index < COUNT; index++) {
        const value = `${text.slice(0, -8)}${String(++id).padStart(7, '0')}"`;
        step({ kind: 'observe', mountId: 1, observationId: 'value', value });
      }
    }, 5);
    if (sent < COUNT) throw new Error(`Only ${sent} frames were sent.`);
    return { 'requests answered': COUNT / requests * 1_000, 'observation updates': COUNT / updates * 1_000 };
  };
  // The first run warms the machine up.
  measure(1_000);
  const small = measure(1_000);
  const large = measure(10_000);
  return /** @type {const} */ (['requests answered', 'observation updates']).map((what) => ({
    what,
    'per second, 1 KB of state': Math.round(small[what]).toLocaleString('en'),
    'per second, 10 KB': Math.round(large[what]).toLocaleString('en'),
    'growth of the time over × 10': (small[what] / large[what]).toFixed(1),
  }));
}
