import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { defineSurface as defineCoreSurface } from '../../../src/surface/definition/define-surface.js';
import { resetWarnings } from '../../../src/protocol/warn-once.js';
import { argsHash } from '../../../src/compat/approval-names.js';
import { compatPage, pass, surfaceOf } from './compat-page.js';
import { until } from '../../until.js';

const warn = vi.spyOn(console, 'warn');
beforeEach(() => {
  vi.useFakeTimers();
  resetWarnings();
  warn.mockReset().mockImplementation(() => {});
});
afterEach(() => {
  vi.useRealTimers();
});

const warned = () => warn.mock.calls.flat().join('\n');
const hanging = () => new Promise<never>(() => {});

describe('on the wire, to a server of oui-spec', () => {
  it('registers on each connection, with values, and says nothing that a v1 server does not know', async () => {
    const page = await compatPage(surfaceOf([{ id: 'go_on' }], [{ id: 'open_count' }]));
    page.mounted.pushObservation('open_count', 3);
    await pass(0);
    expect(page.names()).toEqual(['surface:register', 'observation']);
    expect(page.frames('observation')).toMatchObject([
      { surfaceId: 'todo-app', observationId: 'open_count', value: 3, timestamp: expect.any(Number) as number },
    ]);
    await page.reconnect();
    expect(page.names()).toEqual(['surface:register', 'observation', 'surface:register', 'observation']);
    page.mounted.unmount();
    await pass(0);
    expect(page.frames('surface:deregister')).toMatchObject([{ surfaceId: 'todo-app' }]);
    expect(page.client.emitted.some(({ event }) => event.includes('x-oui'))).toBe(false);
  });

  it('uses the namespace, and neither connects nor disconnects the socket', async () => {
    const page = await compatPage(surfaceOf([{ id: 'go_on' }]), { transport: { namespace: 'studio' } });
    await page.dispatch('r1', 'go_on');
    await pass(250);
    expect(page.results('r1')).toHaveLength(1);
    page.runtime.dispose();
    await pass(2_000);
    expect(page.client.calls).toEqual([]);
    expect(page.client.listening()).toEqual({});
  });

  it('answers with the page as it is then: surfaces unless they are known, their hash, observations', async () => {
    const surface = surfaceOf([{ id: 'go_on', handler: () => ({ success: true, data: 7 }) }], [{ id: 'open_count' }]);
    const page = await compatPage(surface);
    page.mounted.pushObservation('open_count', 3);
    await page.dispatch('r1', 'go_on');
    await pass(250);
    const [result] = page.results('r1');
    expect(result).toMatchObject({
      success: true,
      data: 7,
      settled: true,
      surfaces: [surface.toManifest()],
      observations: { 'todo-app': { open_count: 3 } },
    });
    expect(result).not.toHaveProperty('interim');
    await page.dispatch('r2', 'go_on', { knownSurfaces: result!.surfacesHash! });
    await pass(250);
    expect(page.results('r2')[0]).not.toHaveProperty('surfaces');
    expect(page.runtime.snapshot()).toMatchObject({ surfacesHash: result!.surfacesHash, surfaces: [{ id: 'todo-app' }] });
  });

  it('in index form: definitions when surfaces are registered, the index in results and snapshots', async () => {
    const page = await compatPage(surfaceOf([{ id: 'go_on' }]), { form: 'index' });
    expect(page.frames('surface:register')).toMatchObject([{ surface: { actions: [{ id: 'go_on', input: {} }] } }]);
    await page.dispatch('r1', 'go_on');
    await pass(250);
    expect(page.results('r1')).toMatchObject([{ index: [{ id: 'todo-app', index: [{ id: 'go_on', input: 'none' }] }] }]);
    expect(page.runtime.snapshot()).toHaveProperty('index');
    await page.dispatch('r2', 'describe', { surfaceId: 'oui', params: { actions: [{ surface: 'todo-app', action: 'go_on' }] } });
    expect(page.results('r2')).toMatchObject([{ data: { definitions: [{ surface: 'todo-app' }] } }]);
  });

  it('announce: false sends results only', async () => {
    const page = await compatPage(surfaceOf([{ id: 'go_on' }], [{ id: 'open_count' }]), { announce: false });
    page.mounted.pushObservation('open_count', 3);
    await page.dispatch('r1', 'go_on');
    await pass(250);
    expect(page.names()).toEqual(['action:result']);
  });

  it('gives receipts to who asks, and refuses on them what accept refuses', async () => {
    const handler = vi.fn(() => ({ success: true }));
    const page = await compatPage(surfaceOf([{ id: 'go_on', handler }]), { accept: ({ turnId }) => turnId === 't1' });
    expect(await page.dispatch('r1', 'go_on', { turnId: 't1', receipt: true })).toEqual({ ok: true });
    expect(await page.dispatch('r2', 'go_on', { turnId: 't2', receipt: true })).toEqual({
      ok: false,
      reason: 'this client does not accept requests now',
    });
    await pass(1_000);
    expect(page.results('r2')).toEqual([]);
    expect(handler).toHaveBeenCalledOnce();
  });

  it('sends a result that was refused again, a step smaller, three times at most', async () => {
    const surface = surfaceOf([{ id: 'go_on', handler: () => ({ success: true, data: 7 }) }], [{ id: 'open_count' }]);
    const page = await compatPage(surface, { says: () => ({ ok: false, error: 'too large' }) });
    page.mounted.pushObservation('open_count', 3);
    await page.dispatch('r1', 'go_on');
    await pass(300);
    expect(page.results('r1').map(({ delivery }) => delivery?.omitted)).toEqual([
      undefined,
      ['surfaces'],
      ['surfaces', 'observations'],
      ['surfaces', 'observations', 'data'],
    ]);
    expect(page.results('r1')[3]).toMatchObject({ success: true, delivery: { trimmed: true, reason: 'too large' } });
  });
});

describe('policies', () => {
  it('has the error codes of oui-spec', async () => {
    const surface = surfaceOf([
      { id: 'go_on', handler: () => { throw new Error('Broke.'); } },
      { id: 'pay_now', effect: 'transaction' },
      { id: 'say_no', handler: () => ({ success: false, error: { code: 'NO_ROOM', message: 'Full.' } }) },
    ]);
    const page = await compatPage(surface);
    await page.dispatch('r1', 'go_on', { surfaceId: 'elsewhere' });
    await page.dispatch('r2', 'no_such');
    await page.dispatch('r3', 'go_on');
    await page.dispatch('r4', 'pay_now');
    await page.dispatch('r5', 'say_no');
    await page.dispatch('r6', 'read', { surfaceId: 'oui', params: {} });
    await pass(300);
    const codes = ['r1', 'r2', 'r3', 'r4', 'r5', 'r6'].map((id) => page.results(id).map(({ error }) => error?.code));
    expect(codes.flat()).toEqual([
      'SURFACE_NOT_MOUNTED', 'ACTION_NOT_FOUND', 'ACTION_EXECUTION_ERROR', 'APPROVAL_REQUIRED', 'NO_ROOM', 'INVALID_PARAMS',
    ]);
    expect(page.results('r3')[0]?.error?.message).toBe('Broke.');
  });

  it('warns of parameters that do not fit and runs; refuses them with validate: true', async () => {
    const input = { type: 'object', properties: { title: { type: 'string' }, tag: { default: 'x' } } };
    for (const validate of [false, true]) {
      const handler = vi.fn(() => ({ success: true }));
      const page = await compatPage(surfaceOf([{ id: 'go_on', input, handler }]), { validate });
      await page.dispatch('r1', 'go_on', { params: { title: 7 } });
      await page.dispatch('r2', 'go_on', { params: {} });
      await pass(300);
      expect(page.results('r1')[0]?.error?.code).toBe(validate ? 'VALIDATION_ERROR' : undefined);
      const params = handler.mock.calls.map(([given]: unknown[]) => given);
      expect(params).toEqual(validate ? [{ tag: 'x' }] : [{ title: 7 }, {}]);
      expect(warn.mock.calls.flat().filter((text) => String(text).includes('OUI1801'))).toHaveLength(validate ? 0 : 1);
      warn.mockClear();
    }
  });

  it('runs the actions of one surface side by side, however many', async () => {
    const handler = vi.fn(hanging);
    const page = await compatPage(surfaceOf([{ id: 'go_on', handler }]));
    for (let index = 0; index < 150; index++) await page.dispatch(`r${index}`, 'go_on');
    expect(handler).toHaveBeenCalledTimes(150);
  });

  it('lets reads wait for quiet too, from when the handler returned', async () => {
    const page = await compatPage(surfaceOf([{ id: 'go_on', effect: 'view' }], [{ id: 'open_count' }]));
    await page.dispatch('r1', 'go_on');
    await pass(200);
    page.mounted.pushObservation('open_count', 1);
    await pass(100);
    expect(page.results('r1')).toEqual([]);
    await pass(200);
    expect(page.results('r1')).toMatchObject([{ settled: true, observations: { 'todo-app': { open_count: 1 } } }]);
  });

  it('gives a handler ten minutes', async () => {
    const page = await compatPage(surfaceOf([{ id: 'go_on', handler: hanging }]));
    await page.dispatch('r1', 'go_on');
    await pass(9 * 60_000);
    expect(page.results('r1')).toEqual([]);
    await pass(60_000);
    expect(page.results('r1')).toMatchObject([{ success: false, error: { code: 'TIMEOUT' } }]);
  });

  it('answers an async action without polling once, with what its handler came to', async () => {
    const handler = () => new Promise<{ success: true; data: string }>((done) => {
      setTimeout(() => done({ success: true, data: 'end' }), 60_000);
    });
    const page = await compatPage(surfaceOf([{ id: 'go_on', async: true, handler }]));
    await page.dispatch('r1', 'go_on');
    await pass(59_000);
    expect(page.results('r1')).toEqual([]);
    await pass(2_000);
    expect(page.results('r1')).toMatchObject([{ success: true, data: 'end' }]);
  });

  it('awaits the handler of a polling action, and acknowledges with its data', async () => {
    const handler = () => new Promise<{ success: true; data: object }>((done) => {
      setTimeout(() => done({ success: true, data: { jobId: 'j1' } }), 20_000);
    });
    const resolve = vi.fn(() => ({ done: true, data: { url: '/a' } }));
    const page = await compatPage(surfaceOf([{ id: 'go_on', async: true, handler, polling: { intervalMs: 500, resolve } }]));
    await page.dispatch('r1', 'go_on');
    await pass(30_000);
    expect(page.results('r1')).toMatchObject([
      { interim: true, data: { jobId: 'j1' } },
      { interim: false, success: true, data: { url: '/a' } },
    ]);
    expect(resolve).toHaveBeenCalledExactlyOnceWith({ jobId: 'j1' }, undefined);
  });

  it('a newer job of an action ends the older one with SUPERSEDED, unless it says singleFlight: false', async () => {
    for (const singleFlight of [undefined, false] as const) {
      const polling = { intervalMs: 500, resolve: () => ({ done: false }) };
      const page = await compatPage(surfaceOf([{ id: 'go_on', polling, ...(singleFlight === false && { singleFlight }) }]));
      await page.dispatch('r1', 'go_on');
      await page.dispatch('r2', 'go_on');
      await pass(600);
      const ends = page.results('r1').map(({ interim, error }) => [interim, error?.code]);
      expect(ends).toEqual(singleFlight === false ? [[true, undefined]] : [[true, undefined], [false, 'SUPERSEDED']]);
    }
  });
});

describe('options', () => {
  it('takes every number that oui-spec takes: what cannot work is replaced, and said', async () => {
    const page = await compatPage(surfaceOf([{ id: 'go_on' }]), {
      settle: { quietMs: 0, timeoutMs: Infinity },
      dedupeWindow: -1,
      reanswerAfterMs: 0,
      budgets: { answerBytes: 100, snapshotBytes: NaN },
    });
    await page.dispatch('r1', 'go_on');
    await pass(20);
    expect(page.results('r1')).toHaveLength(1);
    for (const name of ['dedupeWindow is -1', 'answerBytes is 100', 'snapshotBytes is NaN']) {
      expect(warned()).toContain(name);
    }
    expect(warned()).not.toContain('quietMs');
  });

  it('attach: the same socket again changes nothing, null lets go of it', async () => {
    const page = await compatPage(surfaceOf([{ id: 'go_on' }]));
    page.runtime.attach(page.client);
    await pass(0);
    expect(page.names()).toEqual(['surface:register']);
    page.runtime.attach(null);
    await page.dispatch('r1', 'go_on');
    await pass(300);
    expect(page.results('r1')).toEqual([]);
    expect(page.client.listening()).toEqual({});
  });
});

describe('approvals', () => {
  it('run on a grant of this tab for exactly these params, once; another tab\'s are refused on their receipt', async () => {
    const handler = vi.fn(() => ({ success: true }));
    const page = await compatPage(surfaceOf([{ id: 'pay_now', effect: 'transaction', handler }]));
    const hash = await argsHash({ amount: 5 });
    const approval = { approvalId: 'a1', argsHash: hash };
    const grant = { ...approval, expiresAt: Date.now() + 60_000 };
    const params = { amount: 5 };
    expect(await page.dispatch('r0', 'pay_now', { params, approval, receipt: true })).toMatchObject({ ok: false });
    expect([page.runtime.grantApproval(grant), page.runtime.grantApproval(grant)]).toEqual([true, false]);
    expect(() => page.runtime.grantApproval({ ...grant, argsHash: 'short' })).toThrow();
    await page.dispatch('r1', 'pay_now', { params: { amount: 6 }, approval });
    await page.dispatch('r2', 'pay_now', { params, approval });
    await page.dispatch('r3', 'pay_now', { params, approval });
    await page.dispatch('r4', 'pay_now', { params });
    await pass(300);
    const outcomes = ['r1', 'r2', 'r3', 'r4'].map((id) => page.results(id).map(({ error }) => error?.code ?? 'ran'));
    expect(outcomes.flat()).toEqual(['APPROVAL_REQUIRED', 'ran', 'APPROVAL_REQUIRED', 'APPROVAL_REQUIRED']);
    expect(handler).toHaveBeenCalledOnce();
  });
});

describe('attachments', () => {
  const file = { type: 'string', format: 'oui-attachment', 'x-oui-attachment': { as: 'text', mediaTypes: ['text/*'] } };
  const input = { type: 'object', properties: { notes: file } };

  it('are opened by the host, and their type is looked at', async () => {
    const handler = vi.fn(() => ({ success: true }));
    const resolve = vi.fn(async (id: string) => {
      return { name: 'n', mediaType: id.startsWith('image') ? 'image/png' : 'text/plain', text: 'Notes.' };
    });
    const page = await compatPage(surfaceOf([{ id: 'add_notes', input, handler }]), { attachments: { resolve } });
    await page.dispatch('r1', 'add_notes', { params: { notes: 'notes_0001' } });
    await page.dispatch('r2', 'add_notes', { params: { notes: 'image_0001' } });
    await until(() => expect(resolve).toHaveBeenCalledTimes(2));
    await pass(500);
    expect(page.results('r1')).toMatchObject([{ success: true }]);
    expect(page.results('r2')).toMatchObject([{ success: false, error: { code: 'ATTACHMENT_UNAVAILABLE' } }]);
    const params = handler.mock.calls.map(([given]: unknown[]) => given);
    expect(params).toEqual([{ notes: 'Notes.' }]);
  });

  it('are not supported without one', async () => {
    const page = await compatPage(surfaceOf([{ id: 'add_notes', input }]));
    await page.dispatch('r1', 'add_notes', { params: { notes: 'notes_0001' } });
    await pass(500);
    expect(page.results('r1')).toMatchObject([{ success: false, error: { code: 'ATTACHMENTS_UNSUPPORTED' } }]);
  });
});

describe('the runtime by itself', () => {
  it('execute: one id runs once, and resolves with the first result', async () => {
    const handler = vi.fn(() => ({ success: true, data: 7 }));
    const { runtime } = await compatPage(surfaceOf([{ id: 'go_on', handler }]), { dedupeWindow: 2 });
    const request = (requestId: string) =>
      runtime.execute({ requestId, surfaceId: 'todo-app', actionId: 'go_on', params: {}, timestamp: 1 });
    const first = request('l1');
    await pass(300);
    expect(await request('l1')).toBe(await first);
    expect(await first).toMatchObject({ success: true, data: 7 });
    expect(handler).toHaveBeenCalledOnce();
    const gone = runtime.execute({ surfaceId: 'gone', actionId: 'go_on' });
    await pass(300);
    expect(await gone).toMatchObject({ success: false, error: { code: 'SURFACE_NOT_MOUNTED' } });
  });

  it('execute after dispose says so in oui-spec\'s words', async () => {
    const { runtime } = await compatPage(surfaceOf([{ id: 'go_on' }]));
    runtime.dispose();
    const result = await runtime.execute({ surfaceId: 'todo-app', actionId: 'go_on' });
    expect(result.error?.code).toBe('SURFACE_NOT_MOUNTED');
  });

  it('takes observations that nobody declared, without offering them', async () => {
    const page = await compatPage(surfaceOf([{ id: 'go_on' }], [{ id: 'open_count' }]));
    page.mounted.pushObservation('theme:mode', 'dark');
    await pass(0);
    expect(page.frames('observation')).toMatchObject([{ observationId: 'theme:mode', value: 'dark' }]);
    expect(page.runtime.snapshot()).toMatchObject({
      surfaces: [{ observations: [{ id: 'open_count' }] }],
      observations: { 'todo-app': { 'theme:mode': 'dark' } },
    });
  });

  it('subscribe calls back when the snapshot changed, and not for calls', async () => {
    const page = await compatPage(surfaceOf([{ id: 'go_on' }], [{ id: 'open_count' }]));
    const listener = vi.fn();
    const off = page.runtime.subscribe(listener);
    await page.dispatch('r1', 'go_on');
    await pass(300);
    expect(listener).not.toHaveBeenCalled();
    page.mounted.pushObservation('open_count', 1);
    await pass(0);
    expect(listener).toHaveBeenCalledOnce();
    page.mounted.unmount();
    expect(listener).toHaveBeenCalledTimes(2);
    off();
  });

  it('hold keeps results waiting, and onSettled tells of the end of a job', async () => {
    const polling = { intervalMs: 500, resolve: () => ({ done: true }) };
    const page = await compatPage(surfaceOf([{ id: 'go_on' }, { id: 'run_it', polling }]));
    const release = page.runtime.hold();
    const listener = vi.fn();
    page.runtime.onSettled(listener);
    await page.dispatch('r1', 'go_on');
    await pass(1_000);
    expect(page.results('r1')).toEqual([]);
    release();
    await pass(300);
    expect(page.results('r1')).toHaveLength(1);
    await page.dispatch('r2', 'run_it', { turnId: 't1' });
    await pass(2_000);
    const job = { requestId: 'r2', turnId: 't1', surfaceId: 'todo-app', actionId: 'run_it', success: true };
    expect(listener).toHaveBeenCalledExactlyOnceWith(job);
  });

  it('has how far a job is in its snapshots, for a host that takes them with each turn', async () => {
    let looks = 0;
    const resolve = () => (++looks < 2 ? { done: false, data: { progress: 45 } } : { done: true, data: { chartUrl: '/c' } });
    const page = await compatPage(surfaceOf([{ id: 'run_it', polling: { intervalMs: 500, resolve } }]), { announce: false });
    const status = () => page.runtime.snapshot().observations['todo-app']?.['todo-app:run_it:status'];
    const listener = vi.fn();
    page.runtime.subscribe(listener);
    await page.dispatch('r1', 'run_it');
    await pass(600);
    expect(status()).toMatchObject({ progress: 45, interim: true });
    expect(listener).toHaveBeenCalled();
    await pass(800);
    expect(status()).toMatchObject({ chartUrl: '/c', interim: false });
    page.mounted.unmount();
    expect(status()).toBeUndefined();
  });

  it('mounts surfaces of oui-elements/core too', async () => {
    const page = await compatPage(surfaceOf([{ id: 'go_on' }]));
    page.runtime.mount(
      defineCoreSurface({ id: 'core-app', name: 'N', description: 'D', actions: [{ id: 'go_on', description: 'D', input: {}, handler: () => 5 }] }),
      () => undefined,
    );
    await page.dispatch('r1', 'go_on', { surfaceId: 'core-app' });
    await pass(300);
    expect(page.results('r1')).toMatchObject([{ success: true, data: 5 }]);
  });
});
