import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createAgentRuntime } from '../../../src/entries/agent.js';
import { createSurfaceRuntime, defineSurface } from '../../../src/entries/core.js';
import { createDirectTransportPair } from '../../../src/entries/transport.js';
import { resetWarnings } from '../../../src/protocol/warn-once.js';

/** Both ends as they are: whatever a page holds, its agent reads what it came to. */

let warn: { readonly mock: { readonly calls: readonly unknown[][] } };
const ended: (() => void)[] = [];
beforeEach(() => {
  resetWarnings();
  warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
});
afterEach(() => {
  for (const end of ended.splice(0)) end();
  vi.restoreAllMocks();
});

function deep(levels: number): unknown {
  let value: unknown = 'bottom';
  for (let level = 0; level < levels; level++) value = { down: value };
  return value;
}

async function open(handler: (params: unknown, ctx: unknown, call: { progress(value: unknown): void }) => unknown, async = false) {
  const { page: pageEnd, agent: agentEnd } = createDirectTransportPair();
  const runtime = createSurfaceRuntime({ worker: false, advice: false, settle: { quietMs: 1 } });
  const mounted = runtime.mount(defineSurface({
    id: 'hard-page',
    name: 'Hard',
    description: 'Values that are no JSON.',
    actions: [{ id: 'give_back', description: 'Gives.', input: {}, ...(async && { async }), handler: handler as never }],
    observations: ['plain', 'hard'].map((name) => ({ id: `${name}_value`, description: 'A value.', schema: {} })),
  }));
  runtime.attach(pageEnd);
  const agent = createAgentRuntime({ transport: agentEnd });
  ended.push(() => agent.dispose(), () => runtime.dispose());
  await new Promise<void>((resolve) => {
    const look = (): void => void (agent.tools().length > 0 && resolve());
    ended.push(agent.subscribe(look));
    look();
  });
  return { agent, mounted, call: () => agent.call('hard-page__give_back', {}) };
}

it.each<[what: string, value: unknown]>([
  ['deeper than a message may be', deep(10_000)],
  ['with a key that no message may have', JSON.parse('{"a":1,"__proto__":{"b":2}}')],
  ['with objects inside themselves', ((a: { self?: unknown }) => (a.self = [a]))({})],
])('an observation %s costs the agent nothing of the others', async (_what, value) => {
  const { mounted, call } = await open(() => {
    mounted.pushObservation('plain_value', { list: [1, 2, 3] });
    mounted.pushObservation('hard_value', value);
    return 'done';
  });
  const { result } = await call();
  expect(result).toMatchObject({ success: true, data: 'done', observations: { 'hard-page': { plain_value: { list: [1, 2, 3] } } } });
  expect(result.observations?.['hard-page']?.['hard_value']).toBeTypeOf('object');
  expect(result.delivery).toBe(undefined);
  expect(warn.mock.calls).toHaveLength(1);
  expect(warn.mock.calls[0]![0]).toMatch(/^\[OUI1006\] Observation "hard_value" of surface "hard-page"/);
});

it('a result has what a handler returned, and an error its details', async () => {
  const { call } = await open(() => ({ rows: new Map([['a', new Set([1])]]), at: new Date(0), f: () => 1, deep: deep(100) }));
  const { result } = await call();
  expect(result.data).toMatchObject({ rows: { a: [1] }, at: '1970-01-01T00:00:00.000Z' });
  expect(JSON.stringify(result.data)).toContain('[nested deeper than 56 levels]');
  const failing = await open(() => ({ success: false, error: { code: 'a', message: 'b', details: deep(10_000) } }));
  const failed = await failing.call();
  expect(failed.result.error).toMatchObject({ code: 'a', message: 'b', details: { down: { down: {} } } });
});

it('the status of two jobs side by side is read, however deep what they tell', async () => {
  const progress: ((value: unknown) => void)[] = [];
  const finish: (() => void)[] = [];
  const { agent, call } = await open((_params, _ctx, job) => {
    progress.push((value) => job.progress(value));
    return new Promise<unknown>((resolve) => finish.push(() => resolve({ success: false, error: { code: 'a', message: 'b', details: deep(99) } })));
  }, true);
  const status = (): unknown =>
    agent.observations().find(({ observationId }) => observationId === 'hard-page:give_back:status')?.value;
  const when = (met: () => boolean): Promise<void> => new Promise((resolve) => {
    const look = (): void => void (met() && resolve());
    ended.push(agent.subscribe(look));
    look();
  });
  const calls = [call(), call()];
  await when(() => Object.keys((status() as { jobs?: object } | undefined)?.jobs ?? {}).length === 2);
  for (const tell of progress) tell([deep(99)]);
  for (const end of finish) end();
  for (const { result } of await Promise.all(calls)) expect(result.error).toMatchObject({ code: 'a' });
  expect(warn.mock.calls.map(([message]) => (message as string).slice(0, 9))).toEqual(['[OUI1201]']);
});
