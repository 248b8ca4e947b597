import { signal } from '@preact/signals-core';
import { describe, expect, it, vi } from 'vitest';
import { createDriver } from '../../../src/engine/driver.js';
import type { EngineHostFactory } from '../../../src/protocol/engine-host.js';
import type { OUIActionResult, OUIEvent, OUIObservationUpdate } from '../../../src/protocol/events.js';
import { createRuntime } from '../../../src/surface/create-runtime.js';
import { defineSurface } from '../../../src/surface/definition/define-surface.js';
import { createInProcessHostFactory } from '../../../src/surface/link/in-process-host.js';
import { createDirectTransportPair } from '../../../src/transports/direct.js';
import { createInterpretedValidator } from '../../../src/validation/interpreted.js';
import { fakeTimeOfEachTest } from './fake-time.js';
import { pass } from './whole-page.js';

/** What an observation says, and a result that carries it, while engines come and go. */

fakeTimeOfEachTest();

const engine = { createDriver, createInterpretedValidator };
const real = createInProcessHostFactory({ engine });

/** Real engines; the first is lost when it has been given, or has given, so many batches. */
function losing(after: number, which: 'inputs' | 'effects'): EngineHostFactory & { lost: boolean } {
  const factory: EngineHostFactory & { lost: boolean } = {
    kind: 'worker',
    lost: false,
    async open(events) {
      let batches = 0;
      const count = (): boolean => {
        if (factory.lost || batches++ < after) return false;
        factory.lost = true;
        // As a death is: noticed later, with what was on the way gone.
        queueMicrotask(() => {
          host.close();
          events.lost('killed');
        });
        return true;
      };
      const alive = !factory.lost;
      const host = await real.open({
        ...events,
        effects: (effects) => {
          if (!alive || which === 'inputs' || !count()) events.effects(effects);
        },
      });
      return {
        ...host,
        post: (inputs) => {
          if (!alive || which === 'effects' || !count()) host.post(inputs);
        },
      };
    },
  };
  return factory;
}

/** A worker that never answers, and is given up after three seconds. */
const silent: EngineHostFactory = {
  kind: 'worker',
  open: () => new Promise((_, reject) => setTimeout(() => reject(new Error('it was not ready')), 3_000)),
};

/** A list that an action changes twice while its engine may change, and what the agent hears of it. */
async function play(hosts: readonly EngineHostFactory[]) {
  const rows = signal([1]);
  const pair = createDirectTransportPair();
  const heard: OUIEvent[] = [];
  pair.agent.onEvent((event) => void heard.push(event as OUIEvent));
  const runtime = createRuntime({ transport: pair.page }, { hosts: () => hosts });
  const handler = vi.fn(async () => {
    rows.value = [1, 2];
    await Promise.resolve();
    rows.value = [1, 2, 3];
  });
  const mounted = runtime.mount(defineSurface({
    id: 'count-app',
    name: 'Count',
    description: 'Counts.',
    actions: [{ id: 'add_row', description: 'Adds one', effect: 'edit', input: { type: 'object' }, handler }],
    observations: [{ id: 'rows', description: 'Rows', schema: {} }],
  }));
  mounted.observe('rows', rows);
  await pair.agent.connect();
  const request = { requestId: 'r1', surfaceId: 'count-app', actionId: 'add_row', params: {}, timestamp: Date.now() };
  pair.agent.send({ type: 'action:request', payload: request } as OUIEvent);
  await pass(10_000);
  const updates = heard.flatMap(({ type, payload }) =>
    type === 'observation:update' ? [(payload as OUIObservationUpdate).value as number[]] : []);
  const results = heard.filter(({ type }) => type === 'action:result').map(({ payload }) => payload as OUIActionResult);
  runtime.dispose();
  await pass(10_000);
  return { handler, updates, results };
}

function expectWhole({ handler, updates, results }: Awaited<ReturnType<typeof play>>): void {
  expect(handler).toHaveBeenCalledOnce();
  expect(results.length).toBeGreaterThan(0);
  for (const { requestId, success, observations } of results) {
    expect({ requestId, success, observations }).toEqual({
      requestId: 'r1', success: true, observations: { 'count-app': { rows: [1, 2, 3] } },
    });
  }
  // Nothing that is older comes after what is newer.
  expect(updates.map(({ length }) => length)).toEqual(updates.map(({ length }) => length).sort((a, b) => a - b));
  expect(updates.at(-1)).toEqual([1, 2, 3]);
}

describe('a result carries what its action changed last', () => {
  it('with one engine', async () => expectWhole(await play([real])));

  it('when the worker never answers and the engine starts in the page three seconds later', async () => {
    expectWhole(await play([silent, real]));
  });

  for (const which of ['inputs', 'effects'] as const) {
    it(`when the engine is lost with any batch of its ${which}`, async () => {
      let points = 0;
      for (let lost = true; lost; points += 1) {
        const factory = losing(points, which);
        expectWhole(await play([factory]));
        lost = factory.lost;
      }
      // Every step of the call was one of them.
      expect(points).toBeGreaterThan(4);
    });
  }
});
