import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ApprovalRequest } from '../../../src/protocol/approval.js';
import { resetWarnings } from '../../../src/protocol/warn-once.js';
import type { ActionCall, SurfaceDefinition } from '../../../src/surface/definition/definition.js';
import * as LIMITS from '../../../src/protocol/limits.js';
import { endAll, hasTool, openPage, openPlugin, openRaw, until } from './plugin-page.js';

let warnings: string[] = [];
beforeEach(() => {
  resetWarnings();
  warnings = [];
  vi.spyOn(console, 'warn').mockImplementation((text: string) => void warnings.push(text));
});
afterEach(() => {
  endAll();
  vi.restoreAllMocks();
});

type Action = Partial<SurfaceDefinition<never>['actions'][number]> & { readonly id: string };

const surface = (actions: readonly Action[], more: Partial<SurfaceDefinition<never>> = {}): SurfaceDefinition<never> => ({
  id: 'route-map',
  name: 'Route',
  description: 'Finds ways.',
  actions: actions.map((action) => ({ description: 'Does it', input: {}, settle: 'none', handler: () => 1, ...action })),
  ...more,
});

const manifest = (actions: readonly object[] = [{ id: 'do_it', description: 'Does it', input: {} }], id = 'route-map') => ({
  id, name: 'Route', description: 'Finds ways.', actions,
});

describe('a plugin', () => {
  it('has its surfaces in the page, under its prefix and its name, and is asked for what they do', async () => {
    const { runtime, agent } = openPage();
    const handler = vi.fn(({ to }: { to?: string }) => {
      mounts[0]!.pushObservation('stops', [to]);
      return { minutes: 12 };
    });
    const input = { type: 'object', properties: { to: { type: 'string', default: 'home' } } } as const;
    const { plugin, mounts } = openPlugin(runtime, [surface([{ id: 'find_way', input, handler: handler as never }], {
      version: '2', metadata: { purpose: 'ways' }, activation: { routes: '/map' },
      observations: [{ id: 'stops', description: 'Stops', schema: { type: 'array' } }],
    })]);
    mounts[0]!.pushObservation('stops', []);
    await hasTool(agent, 'maps--route-map__find_way');
    expect(plugin).toMatchObject({ prefix: 'maps', connected: true, surfaceIds: ['maps--route-map'] });
    const [seen] = agent.surfaces();
    expect(seen).toMatchObject({ name: 'City maps: Route', version: '2', metadata: { purpose: 'ways' } });
    expect(seen).not.toHaveProperty('activation');
    const called = await agent.call('maps--route-map__find_way', {});
    expect(called.result).toMatchObject({ success: true, data: { minutes: 12 } });
    expect(called.changed).toEqual({ 'maps--route-map': { stops: ['home'] } });
    expect(handler).toHaveBeenCalledTimes(1);
    // What its author should know is told where its author is.
    expect(warnings.filter((text) => text.includes('maps--'))).toEqual([]);
  });

  it('leaves nothing behind when the page ends it upon hearing of its first surface', async () => {
    const { runtime, agent } = openPage();
    const ofPlugin = (): string[] => runtime.snapshot().surfaces!.map(({ id }) => id).filter((id) => id.includes('--'));
    const other = surface([{ id: 'find_way' }], { id: 'other-map' });
    const { plugin } = openPlugin(runtime, [surface([{ id: 'find_way' }]), other]);
    const seen = new Promise<void>((resolve) => {
      const release = runtime.subscribe(({ type }) => {
        if (type !== 'surfaces' || ofPlugin().length === 0) return;
        release();
        plugin.unmount();
        resolve();
      });
    });
    await seen;
    await until(agent, () => agent.surfaces().length === 0);
    expect(ofPlugin()).toEqual([]);
  });

  it('is not asked when what is sent does not fit: the page says so, with every error', async () => {
    const { runtime, agent } = openPage();
    const handler = vi.fn();
    const input = { type: 'object', properties: { n: { type: 'integer', maximum: 3 } }, required: ['n'] } as const;
    openPlugin(runtime, [surface([{ id: 'find_way', input, handler }])]);
    await hasTool(agent, 'maps--route-map__find_way');
    const result = await runtime.execute({ surfaceId: 'maps--route-map', actionId: 'find_way', params: { n: 9 } });
    expect(result.error).toMatchObject({ code: 'VALIDATION_ERROR', details: { errors: [{ path: '/n' }] } });
    expect(handler).not.toHaveBeenCalled();
  });

  it('fails as it says, with its data', async () => {
    const { runtime, agent } = openPage();
    const failing = { success: false, data: { tried: 2 }, error: { code: 'NO_WAY', message: 'There is none', details: { at: 1 } } };
    openPlugin(runtime, [surface([{ id: 'find_way', handler: () => failing }])]);
    await hasTool(agent, 'maps--route-map__find_way');
    const { result } = await agent.call('maps--route-map__find_way');
    expect(result).toMatchObject({ success: false, data: { tried: 2 }, error: failing.error });
  });

  it('runs jobs: acknowledged here, followed there, with progress', async () => {
    const { runtime, agent } = openPage();
    const told: unknown[] = [];
    // It goes on until its agent has heard of it: a status is told ten times a second at most.
    const resolve = () =>
      told.some((value) => (value as { percent?: number }).percent === 30)
        ? { done: true, data: { ways: 3 } }
        : { done: false, data: { percent: 30 } };
    const polling = { intervalMs: 5, resolve };
    openPlugin(runtime, [surface([{ id: 'find_all', effect: 'job', polling, handler: () => ({ jobId: 'j-1' }) }])]);
    await hasTool(agent, 'maps--route-map__find_all');
    const acknowledged = vi.fn();
    const { result } = await agent.call('maps--route-map__find_all', {}, {
      onAcknowledged: acknowledged,
      onProgress: (value) => void told.push(value),
    });
    expect(result).toMatchObject({ success: true, data: { ways: 3 } });
    expect(acknowledged).toHaveBeenCalledTimes(1);
    expect(told).toContainEqual(expect.objectContaining({ status: 'running', percent: 30 }));
    expect(told.at(-1)).toMatchObject({ status: 'complete', ways: 3, interim: false });
    expect(new Set(told.map((value) => (value as { requestId: string }).requestId))).toEqual(new Set([result.requestId]));
  });

  it('hears of a cancel, and its queue goes on', async () => {
    const { runtime, agent } = openPage();
    const signals: AbortSignal[] = [];
    const handler = (_params: unknown, _context: unknown, { signal }: ActionCall) => {
      signals.push(signal);
      return signals.length > 1 ? 'second' : new Promise(() => {});
    };
    openPlugin(runtime, [surface([{ id: 'find_way', handler }])]);
    await hasTool(agent, 'maps--route-map__find_way');
    const cancelling = new AbortController();
    const first = agent.call('maps--route-map__find_way', {}, { signal: cancelling.signal });
    await vi.waitUntil(() => signals.length === 1, { timeout: 15_000 });
    cancelling.abort();
    expect((await first).result.error?.code).toBe('oui:cancelled');
    await vi.waitUntil(() => signals[0]!.aborted, { timeout: 15_000 });
    expect((await agent.call('maps--route-map__find_way')).result.data).toBe('second');
  });

  it('is switched off by the page\'s user like anything else', async () => {
    const { runtime, agent } = openPage();
    const handler = vi.fn();
    openPlugin(runtime, [surface([{ id: 'find_way', handler }, { id: 'go_there' }])]);
    await hasTool(agent, 'maps--route-map__find_way');
    runtime.consent.set('maps--route-map', 'find_way', false);
    const { result } = await agent.call('maps--route-map__find_way');
    expect(result.error?.code).toBe('ACTION_DENIED');
    expect(handler).not.toHaveBeenCalled();
  });

  it('has its files fetched by the call that names them', async () => {
    const resolve = vi.fn(() => new File(['way'], 'way.gpx', { type: 'text/plain' }));
    const { runtime, agent } = openPage({ attachments: { resolve } });
    const input = {
      type: 'object', properties: { track: { type: 'string', format: 'oui-attachment', 'x-oui-attachment': { as: 'file' } } },
    } as const;
    const handler = async ({ track }: { track: File }) => ({ name: track.name, text: await track.text() });
    openPlugin(runtime, [surface([{ id: 'show_track', input: input as never, handler: handler as never }])]);
    await hasTool(agent, 'maps--route-map__show_track');
    const { result } = await agent.call('maps--route-map__show_track', { track: 'track-0001' });
    expect(result).toMatchObject({ success: true, data: { name: 'way.gpx', text: 'way' } });
    expect(resolve.mock.calls).toEqual([['track-0001', 'file', expect.anything()]]);
  });

  it('that offers its surfaces in index form is asked for the definitions', async () => {
    const { runtime, agent } = openPage();
    const input = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } as const;
    openPlugin(runtime, [surface([{ id: 'find_way', input, handler: ({ n }) => n }])], { form: 'index' });
    await hasTool(agent, 'maps--route-map__find_way');
    expect(agent.tools()[0]!.inputSchema).toEqual(input);
    expect((await agent.call('maps--route-map__find_way', { n: 4 })).result.data).toBe(4);
  });

  it('gives an observation when it is asked for', async () => {
    const { runtime, agent } = openPage();
    const { mounts } = openPlugin(runtime, [surface([{ id: 'find_way' }], {
      observations: [{ id: 'position', description: 'Where', schema: {}, updateFrequency: 'polling' }],
    })]);
    let asked = 0;
    mounts[0]!.observe('position', () => ({ asked: ++asked }));
    await hasTool(agent, 'maps--route-map__find_way');
    const first = await agent.read('maps--route-map', 'position');
    expect(await agent.read('maps--route-map', 'position')).toEqual({ asked: (first as { asked: number }).asked + 1 });
  });

  it('takes its surfaces along when it goes, and has them again when it is back', async () => {
    const { runtime, agent } = openPage();
    const raw = await openRaw(runtime);
    raw.register(manifest());
    await hasTool(agent, 'maps--route-map__do_it');
    raw.transport.disconnect();
    await until(agent, () => agent.tools().length === 0);
    expect(raw.plugin).toMatchObject({ connected: false, surfaceIds: [] });
    await raw.transport.connect();
    raw.register(manifest());
    await hasTool(agent, 'maps--route-map__do_it');
  });
});

describe('the user of the page', () => {
  const pay = (more: object = {}): Action => ({ id: 'pay_fare', description: 'Pays', effect: 'transaction', ...more });

  it('is asked by the page, once, with the exact values, before the plugin hears of it', async () => {
    const asked: ApprovalRequest[] = [];
    const { runtime, agent } = openPage({ approve: (request) => (asked.push(request), asked.length > 1) });
    const handler = vi.fn(() => 'paid');
    openPlugin(runtime, [surface([pay({ handler })])]);
    await hasTool(agent, 'maps--route-map__pay_fare');
    const denied = await agent.call('maps--route-map__pay_fare', { sum: 3 });
    expect(denied.result.error?.code).toBe('ACTION_DENIED');
    expect(handler).not.toHaveBeenCalled();
    const { result } = await agent.call('maps--route-map__pay_fare', { sum: 4 });
    expect(result.data).toBe('paid');
    expect(asked.map(({ surfaceId, surfaceName, params }) => [surfaceId, surfaceName, params])).toEqual([
      ['maps--route-map', 'City maps: Route', { sum: 3 }],
      ['maps--route-map', 'City maps: Route', { sum: 4 }],
    ]);
  });

  it('is asked about what says both that it only reads and that it needs a yes', async () => {
    const approve = vi.fn(() => false);
    const { runtime, agent } = openPage({ approve });
    const raw = await openRaw(runtime);
    raw.register(manifest([{ id: 'peek', description: 'Peeks', input: {}, effect: 'view', confirm: true }]));
    await hasTool(agent, 'maps--route-map__peek');
    expect((await agent.call('maps--route-map__peek')).result.error?.code).toBe('ACTION_DENIED');
    expect(approve).toHaveBeenCalledTimes(1);
  });

  /** A page whose questions the test answers, and a plugin of which one is open. */
  async function asked() {
    const questions: [ApprovalRequest, (yes: boolean) => void, AbortSignal][] = [];
    const { runtime, agent } = openPage({
      approve: (request, signal) => new Promise<boolean>((resolve) => void questions.push([request, resolve, signal])),
    });
    const raw = await openRaw(runtime);
    const declare = (more: object): void =>
      raw.register(manifest([{ id: 'pay_fare', description: 'Pays', input: {}, effect: 'transaction', ...more }]));
    declare({});
    await hasTool(agent, 'maps--route-map__pay_fare');
    const call = agent.call('maps--route-map__pay_fare', {});
    await vi.waitUntil(() => questions.length === 1, { timeout: 15_000 });
    const forwarded = (): number => raw.heard.filter(({ type }) => type === 'action:request').length;
    return { call, questions, declare, forwarded };
  }

  it('decides, though the plugin declares meanwhile that nobody need be asked', async () => {
    const { call, questions, declare, forwarded } = await asked();
    declare({ effect: 'view' });
    const { error } = (await call).result;
    expect(error).toMatchObject({ code: 'PRECONDITION_FAILED', details: { ran: false } });
    expect(questions[0]![2].aborted).toBe(true);
    questions[0]![1](true);
    await new Promise((resolve) => setTimeout(resolve));
    expect([questions.length, forwarded()]).toEqual([1, 0]);
  });

  it('is asked anew at once when the plugin registers something else under the same name', async () => {
    const { call, questions, declare, forwarded } = await asked();
    declare({ description: 'Pays twice' });
    await vi.waitUntil(() => questions.length === 2, { timeout: 15_000 });
    expect(questions[0]![2].aborted).toBe(true);
    expect(questions[1]![0].description).toBe('Pays twice');
    questions[0]![1](true);
    questions[1]![1](false);
    expect((await call).result.error?.code).toBe('ACTION_DENIED');
    expect(forwarded()).toBe(0);
  });

  it('is asked for a plugin that speaks v1, and trusts the page around it', async () => {
    const approve = vi.fn(() => true);
    const { runtime, agent } = openPage({ approve });
    const raw = await openRaw(runtime, { prefix: 'maps' }, 'v1');
    raw.register(manifest([{ id: 'wipe_all', description: 'Wipes', input: {}, confirm: true }]));
    await hasTool(agent, 'maps--route-map__wipe_all');
    void agent.call('maps--route-map__wipe_all', { all: true });
    await vi.waitUntil(() => raw.heard.some(({ type }) => type === 'action:request'), { timeout: 15_000 });
    expect(raw.heard.find(({ type }) => type === 'action:request')!.payload['params']).toEqual({ all: true });
    expect(approve).toHaveBeenCalledTimes(1);
  });

  it('is not asked by a plugin: what it wants for itself is its failure, and no word of the page\'s', async () => {
    const { runtime, agent } = openPage({ approve: () => true });
    openPlugin(runtime, [surface([pay()])], { confirmBy: 'grant' });
    await hasTool(agent, 'maps--route-map__pay_fare');
    const { result } = await agent.call('maps--route-map__pay_fare');
    expect(result.error).toMatchObject({ code: 'EXECUTION_ERROR', details: { ran: false } });
    expect(result.error?.message).toContain('approve: () => true');
    expect(JSON.stringify(result.error)).not.toContain('argsHash');
  });
});

describe('a v1 plugin that does not answer', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] }));
  afterEach(() => void vi.useRealTimers());

  /** Its agent, the plugin, and a call of the agent's that never gets an answer. */
  async function unanswered() {
    const { runtime, agent } = openPage();
    const raw = await openRaw(runtime, { prefix: 'maps' }, 'v1');
    raw.register(manifest());
    await vi.advanceTimersByTimeAsync(0);
    const asked = (): number => raw.heard.filter(({ type }) => type === 'action:request').length;
    return { agent, raw, asked };
  }
  const TOOL = 'maps--route-map__do_it';

  it('keeps the turn of its surface for a few seconds after the call was given up, and no longer', async () => {
    const { agent, raw, asked } = await unanswered();
    const giveUp = new AbortController();
    const first = agent.call(TOOL, {}, { signal: giveUp.signal });
    await vi.advanceTimersByTimeAsync(1_000);
    giveUp.abort();
    const second = agent.call(TOOL, {});
    await vi.advanceTimersByTimeAsync(LIMITS.pluginGivenUpMs - 1);
    // It may be at work still, and v1 has no word to end it.
    expect([(await first).result.error?.code, asked()]).toEqual(['oui:cancelled', 1]);
    await vi.advanceTimersByTimeAsync(1);
    expect(asked()).toBe(2);
    const { requestId } = raw.heard.findLast(({ type }) => type === 'action:request')!.payload;
    raw.send('action:result', { requestId, success: true, data: 2, timestamp: Date.now() });
    await vi.advanceTimersByTimeAsync(1_000);
    expect((await second).result).toMatchObject({ success: true, data: 2 });
  });

  it('costs each of its calls the page\'s time for one, and the next is on its way soon after', async () => {
    const { agent, asked } = await unanswered();
    const first = agent.call(TOOL, {});
    await vi.advanceTimersByTimeAsync(LIMITS.actionMs - LIMITS.settleTimeoutMs);
    expect((await first).result.error?.code).toBe('TIMEOUT');
    void agent.call(TOOL, {});
    await vi.advanceTimersByTimeAsync(LIMITS.pluginGivenUpMs);
    expect(asked()).toBe(2);
  });
});
