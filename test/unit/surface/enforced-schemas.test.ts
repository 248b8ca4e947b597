import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { resetWarnings } from '../../../src/protocol/warn-once.js';
import { idle } from './hand-clock.js';
import { bench, mountedBench, surfaceOf } from './runtime-bench.js';

beforeEach(() => {
  resetWarnings();
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
});

const SURFACE = surfaceOf([{ id: 'go_on' }], [{ id: 'open_count', schema: { type: 'integer' } }]);

async function setUp(mode: 'enforce' | 'warn' = 'enforce') {
  const made = await mountedBench(SURFACE, { observationSchemas: mode });
  const { host, runtime } = made;
  return {
    ...made,
    shown: () => runtime.snapshot().observations['todo-app']?.['open_count'],
    find: (fits: boolean, version = host.last('observe')?.version ?? -1) =>
      host.play({ kind: 'checked', mountId: 1, observationId: 'open_count', version, fits }),
  };
}

it('a snapshot shows a value once the engine has found that it fits', async () => {
  const { mounted, shown, find, clock } = await setUp();
  mounted.pushObservation('open_count', 3);
  expect(shown()).toBe(null);
  await idle();
  expect(shown()).toBe(null);
  find(true);
  expect(shown()).toBe(3);
  await clock.advance(200);
  mounted.pushObservation('open_count', 'three');
  expect(shown()).toBe(null);
  await idle();
  find(false);
  expect(shown()).toBe(null);
  // A late word on an earlier value says nothing of this one.
  find(true, 1);
  expect(shown()).toBe(null);
});

it('a new engine is asked anew, and its word counts', async () => {
  const { mounted, shown, find, worker } = await setUp();
  mounted.pushObservation('open_count', 3);
  await idle();
  find(true);
  worker.host.lose();
  await idle();
  const { version } = worker.host.last('observe')!;
  expect(version).toBe(2);
  expect(shown()).toBe(null);
  worker.host.play({ kind: 'checked', mountId: 1, observationId: 'open_count', version: 2, fits: true });
  expect(shown()).toBe(3);
});

it('a value is judged by the new schema when that changes', async () => {
  const { mounted, host, clock } = await setUp();
  mounted.pushObservation('open_count', 'three');
  await clock.advance(200);
  mounted.update(surfaceOf([{ id: 'go_on' }], [{ id: 'open_count', schema: { type: 'string' } }]));
  await clock.advance(200);
  expect(host.all('observe').map(({ value, version }) => [value, version])).toEqual([['"three"', 1], ['"three"', 2]]);
  expect(host.kinds().slice(-2)).toEqual(['define', 'observe']);
});

it('without it a value is shown at once, and the engine is not asked', async () => {
  const { mounted, shown, host } = await setUp('warn');
  mounted.pushObservation('open_count', 'three');
  expect(shown()).toBe('three');
  await idle();
  expect(host.last('observe')).not.toHaveProperty('version');
  expect(host.last('configure')?.config.observationSchemas).toBe('warn');
});

it('any other mode is refused', () => {
  expect(() => bench({ observationSchemas: 'strict' as never })).toThrow(/observationSchemas is "strict"; it must be warn or/);
});
