import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { MockInstance } from 'vitest';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { resetWarnings } from '../../../src/protocol/warn-once.js';
import { surfaceIndex } from '../../../src/rules/index-entry.js';
import { surfacesHash } from '../../../src/rules/surfaces-hash.js';
import { defineSurface } from '../../../src/surface/definition/define-surface.js';
import { SURFACE_BRAND } from '../../../src/surface/definition/definition.js';
import type { RuntimeEvent } from '../../../src/surface/runtime.js';
import { createRuntime } from '../../../src/surface/create-runtime.js';
import { createDirectTransportPair } from '../../../src/transports/direct.js';
import { engineConfig, SOFTWARE } from '../../../src/surface/runtime-options.js';
import type { SurfaceRuntimeOptions } from '../../../src/surface/runtime-options.js';
import { idle } from './hand-clock.js';
import { bench, entry, mountedBench, running, surfaceOf } from './runtime-bench.js';

const surface = surfaceOf([{ id: 'go_on' }], [{ id: 'open_count' }, { id: 'todo_list' }]);
const other = surfaceOf([{ id: 'go_on' }], [{ id: 'open_count' }], 'other-one');
const call = { surfaceId: 'todo-app', actionId: 'go_on' };

let warn: MockInstance<typeof console.warn>;
beforeEach(() => {
  resetWarnings();
  warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
});
afterEach(() => warn.mockRestore());

describe('options', () => {
  it.each([
    [{ timeoutMs: 0 }, 'Option timeoutMs is 0; it must be a finite number above 0.'],
    [{ timeoutMs: Infinity }, 'Option timeoutMs is Infinity; it must be a finite number above 0.'],
    [{ settle: { quietMs: NaN } }, 'Option settle.quietMs is NaN; it must be a finite number above 0.'],
    [{ settle: { timeoutMs: -1 } }, 'Option settle.timeoutMs is -1; it must be a finite number above 0.'],
    [{ rateLimit: { perSecond: 1, burst: 0 } }, 'Option rateLimit.burst is 0; it must be a finite number above 0.'],
    [{ approvalMs: 1_800_001 }, 'Option approvalMs is 1800001; it must be a finite number above 0, at most 1800000.'],
    [{ dedupeWindow: '9' as never }, 'Option dedupeWindow is 9; it must be a finite number above 0.'],
    [{ helloTimeoutMs: -1 }, 'Option helloTimeoutMs is -1; it must be a finite number above 0.'],
    [{ reanswerAfterMs: 0 }, 'Option reanswerAfterMs is 0; it must be a finite number above 0.'],
    [{ form: 'short' as never }, 'Option form is "short"; it must be full or index.'],
    [{ validator: 'ajv' as never }, 'Option validator is "ajv"; it must be interpreted or compiled.'],
    [{ announce: 'no' as never }, 'Option announce is "no"; it must be true or false.'],
    [{ confirmBy: 'user' as never }, 'Option confirmBy is "user"; it must be page or grant or agent.'],
    [{ settle: { track: 'yes' as never } }, 'Option settle.track is "yes"; it must be true or false.'],
    ...(['resultBytes', 'snapshotBytes', 'updateBytes'] as const).map((name): [SurfaceRuntimeOptions, string] => [
      { budgets: { [name]: 32_767 } },
      `Option budgets.${name} is 32767; it must be a finite number of bytes, at least 32768, so that the outcome of an `
        + 'action always fits.',
    ]),
  ])('%j is refused', (options, message) => {
    expect(() => bench(options)).toThrow(new RangeError(message));
  });

  const absent = ' Where there is none, leave it out or give undefined.';
  it.each<[options: unknown, message: string]>([
    [{ url: null }, `Option url: must be of type string, and is null.${absent}`],
    [{ url: new URL('wss://x/') }, 'Option url: must be of type string, and is of type object.'],
    [{ insecureUrl: 'yes' }, 'Option insecureUrl: must be of type boolean, and is "yes".'],
    [{ token: 'abc' }, 'Option token: must be of type function, and is "abc".'],
    [{ socket: null }, `Option socket: must be of type object, and is null.${absent}`],
    [{ transport: 'oui' }, 'Option transport: must be of type object, and is "oui".'],
    [{ accept: true }, 'Option accept: must be of type function, and is true.'],
    [{ approve: null }, `Option approve: must be of type function, and is null.${absent}`],
    [{ onExtension: {} }, 'Option onExtension: must be of type function, and is of type object.'],
    [{ settle: 250 }, 'Option settle: must be of type object, and is 250.'],
    [{ rateLimit: 5 }, 'Option rateLimit: must be of type object, and is 5.'],
    [{ budgets: [] }, 'Option budgets: must be of type object, and is of type array.'],
    [{ worker: 1 }, 'Option worker: must be of type boolean, string or URL, and is 1.'],
    [{ attachments: null }, `Option attachments: must be of type object, and is null.${absent}`],
    [{ advice: 0 }, 'Option advice: must be of type boolean, and is 0.'],
    [{ software: 1 }, 'Option software: must be of type string, and is 1.'],
    [null, `The runtime's options: must be of type object, and is null.${absent}`],
    ['wss://x', 'The runtime\'s options: must be of type object, and is "wss://x".'],
  ])('%j of another type is refused', (options, message) => {
    expect(() => createRuntime(options as SurfaceRuntimeOptions, { hosts: () => [] })).toThrow(new TypeError(message));
  });

  it('reach the engine', () => {
    const budgets = { resultBytes: 480 * 1024, updateBytes: 256 * 1024 };
    expect(engineConfig({})).toMatchObject({ form: 'full', announce: true, reanswerAfterMs: 8_000, budgets });
    expect(engineConfig({}).helloMs).toBe(10_000);
    expect(engineConfig({ helloTimeoutMs: 200 }).helloMs).toBe(200);
    expect(engineConfig({})).toMatchObject({ ratePerSecond: 50, rateBurst: 100 });
    const given = { form: 'index', announce: false, reanswerAfterMs: 5, budgets: { resultBytes: 40_000 } } as const;
    expect(engineConfig(given)).toMatchObject({ ...given, budgets: { ...budgets, resultBytes: 40_000 } });
  });

  it('url and transport together are refused', () => {
    expect(() => bench({ url: 'ws://x', transport: createDirectTransportPair().page })).toThrow(/one connection/);
  });

  it('the hello says where the page is, without query and fragment', async () => {
    const address = async (url: string) => {
      vi.stubGlobal('location', new URL(url));
      vi.stubGlobal('document', { title: 'Todos' });
      try {
        return (await mountedBench(surface)).host.last('configure')?.config;
      } finally {
        vi.unstubAllGlobals();
      }
    };
    expect(await address('https://todos.example/list?token=1#secret')).toMatchObject({
      url: 'https://todos.example/list',
      title: 'Todos',
      software: SOFTWARE,
    });
    expect(await address('data:text/html,secret')).not.toHaveProperty('url');
  });

  it('the hello names the version of the package', () => {
    const { name, version } = JSON.parse(readFileSync('package.json', 'utf8')) as { name: string; version: string };
    expect(SOFTWARE).toBe(`${name}/${version}`);
  });
});

describe('snapshot', () => {
  it('is synchronous, complete and up to date', () => {
    const { runtime } = bench();
    expect(runtime.snapshot()).toEqual({ surfaces: [], observations: {}, surfacesHash: surfacesHash([]) });
    const mounted = runtime.mount(surface);
    runtime.mount(other);
    mounted.pushObservation('open_count', { n: 1 });
    const surfaces = [surface[SURFACE_BRAND].manifest, other[SURFACE_BRAND].manifest];
    expect(runtime.snapshot()).toEqual({
      surfaces,
      observations: { 'todo-app': { open_count: { n: 1 } } },
      surfacesHash: surfacesHash(surfaces),
    });
  });

  it('is an index, hashed as such, in index form', () => {
    const { runtime } = bench({ form: 'index' });
    runtime.mount(surface);
    const index = [surfaceIndex(surface[SURFACE_BRAND].manifest)];
    expect(runtime.snapshot()).toEqual({ index, observations: {}, surfacesHash: surfacesHash(index) });
  });

  it('cuts observations to its budget, says so, and changes nothing of the page', () => {
    const { runtime } = bench({ budgets: { snapshotBytes: 32_768 } });
    const mounted = runtime.mount(surface);
    const list = Array.from({ length: 5_000 }, (_, index) => ({ index }));
    mounted.pushObservation('todo_list', list);
    mounted.pushObservation('open_count', { n: 1 });
    const snapshot = runtime.snapshot();
    expect(snapshot.observations).toEqual({ 'todo-app': { todo_list: list.slice(0, 200), open_count: { n: 1 } } });
    expect(snapshot.fit).toEqual({
      observations: [{ surface: 'todo-app', observation: 'todo_list', path: '', kind: 'list', total: 5_000, kept: 200 }],
    });
    expect(list).toHaveLength(5_000);
    expect(runtime.snapshot()).toBe(snapshot);
    mounted.pushObservation('todo_list', []);
    expect(runtime.snapshot()).not.toHaveProperty('fit');
  });

  it('is 256 KiB at most by default', () => {
    const { runtime } = bench();
    const rows = Array.from({ length: 300 }, () => 'x'.repeat(1024));
    runtime.mount(surface).pushObservation('todo_list', rows);
    const snapshot = runtime.snapshot();
    expect(snapshot.fit?.observations).toMatchObject([{ kind: 'list', total: 300, kept: 200 }]);
    expect(JSON.stringify(snapshot).length).toBeLessThanOrEqual(256 * 1024);
  });

  it('is within its budget, whatever the page shows, while what is offered is', () => {
    const { runtime } = bench({ budgets: { snapshotBytes: 32_768 } });
    const mounted = runtime.mount(surface);
    const text = fc.integer({ min: 0, max: 20_000 }).map((length) => 'é"'.repeat(length));
    const value = fc.oneof(text, fc.array(text, { maxLength: 6 }), fc.dictionary(fc.string(), text, { maxKeys: 4 }));
    fc.assert(
      fc.property(value, value, (list, count) => {
        mounted.pushObservation('todo_list', list);
        mounted.pushObservation('open_count', count);
        const json = JSON.stringify(runtime.snapshot());
        expect(new TextEncoder().encode(json).length).toBeLessThanOrEqual(32_768);
      }),
      { numRuns: 50 },
    );
  });

  it('has what is offered whole, however long', () => {
    const { runtime } = bench({ budgets: { snapshotBytes: 32_768 } });
    const usage = 'x'.repeat(40_000);
    runtime.mount(surfaceOf([{ id: 'go_on', usage }], [{ id: 'todo_list' }])).pushObservation('todo_list', usage);
    const { surfaces, observations, fit } = runtime.snapshot();
    expect(surfaces).toMatchObject([{ actions: [{ usage }] }]);
    expect(observations).toEqual({ 'todo-app': { todo_list: null } });
    expect(fit?.observations).toMatchObject([{ kind: 'value', total: 40_002 }]);
    // It can be cut no further, and is not tried again.
    expect(runtime.snapshot().observations).toBe(observations);
  });

  it('is remembered where its values are too short to be cut', () => {
    const { runtime } = bench({ budgets: { snapshotBytes: 32_768 } });
    runtime.mount(surfaceOf([{ id: 'go_on', usage: 'x'.repeat(40_000) }], [{ id: 'todo_list' }])).pushObservation('todo_list', 3);
    expect(runtime.snapshot()).toMatchObject({ observations: { 'todo-app': { todo_list: 3 } } });
    expect(runtime.snapshot()).toBe(runtime.snapshot());
  });

  it('has the order that a new engine gets from the replay', async () => {
    const { runtime, worker } = bench();
    const first = runtime.mount(surface);
    runtime.mount(other);
    runtime.mount(surface);
    first.unmount();
    await idle();
    expect(worker.host.all('mount').map(({ surface: { id } }) => id)).toEqual(['todo-app', 'other-one']);
    expect(runtime.snapshot().surfaces!.map(({ id }) => id)).toEqual(['todo-app', 'other-one']);
  });

  it('is the same object while nothing changed, and shares what did not', async () => {
    const { runtime, clock } = bench();
    const mounted = runtime.mount(surface);
    mounted.pushObservation('todo_list', [1]);
    mounted.pushObservation('open_count', 1);
    const first = runtime.snapshot();
    mounted.pushObservation('todo_list', [1]);
    await clock.advance(1000);
    expect(runtime.snapshot()).toBe(first);
    mounted.pushObservation('open_count', 2);
    const second = runtime.snapshot();
    expect(second.observations['todo-app']?.['open_count']).toBe(2);
    expect(second.observations['todo-app']?.['todo_list']).toBe(first.observations['todo-app']?.['todo_list']);
    expect(second.surfacesHash).toBe(first.surfacesHash);
  });

  it('keeps the order of first mounts, serves the newest, and the older again', () => {
    const { runtime } = bench();
    const first = runtime.mount(surface);
    runtime.mount(other);
    const second = runtime.mount(surfaceOf([{ id: 'other_way' }]));
    const ids = () => runtime.snapshot().surfaces!.map(({ id, actions }) => `${id} ${actions[0]!.id}`);
    expect(ids()).toEqual(['todo-app other_way', 'other-one go_on']);
    second.unmount();
    second.unmount();
    expect(ids()).toEqual(['todo-app go_on', 'other-one go_on']);
    first.unmount();
    runtime.mount(surface);
    expect(ids()).toEqual(['other-one go_on', 'todo-app go_on']);
  });

  it('leaves out what the user switched off, its values too', () => {
    const { runtime } = bench();
    runtime.mount(surface).pushObservation('open_count', 1);
    runtime.consent.set('todo-app', null, false);
    expect(runtime.snapshot()).toMatchObject({ surfaces: [], observations: {} });
    runtime.consent.set('todo-app', null, true);
    expect(runtime.snapshot().surfaces).toHaveLength(1);
  });

  it('drops the values that a new manifest does not declare, and takes up new ones', async () => {
    const { runtime, mounted, host, clock } = await mountedBench(surface);
    mounted.pushObservation('open_count', 1);
    mounted.pushObservation('todo_list', []);
    await idle();
    runtime.snapshot();
    mounted.update(surfaceOf([{ id: 'go_on' }], [{ id: 'todo_list' }, { id: 'new_one', updateFrequency: 'realtime' }]));
    mounted.pushObservation('new_one', 5);
    expect(() => mounted.pushObservation('open_count', 2)).toThrow(/it declares todo_list, new_one/);
    const { surfaces, observations, surfacesHash: hash } = runtime.snapshot();
    expect(observations).toEqual({ 'todo-app': { todo_list: [], new_one: 5 } });
    expect(hash).toBe(surfacesHash(surfaces!));
    await clock.paint();
    expect(host.last('observe')).toEqual({ kind: 'observe', mountId: 1, observationId: 'new_one', value: '5' });
  });
});

describe('mounting', () => {
  it('takes nothing but what defineSurface returned, under the same id', () => {
    const { runtime } = bench();
    expect(() => runtime.mount({ id: 'todo-app' } as never)).toThrow('A runtime mounts what defineSurface() returned');
    const mounted = runtime.mount(surface);
    expect(() => mounted.update({} as never)).toThrow(TypeError);
    expect(() => mounted.update(other)).toThrow('Surface "todo-app" cannot become "other-one"');
  });

  it('sends the activation, which is documentation here, and offers the surface whatever it says', () => {
    const activation = { routes: ['/nowhere'], entity: { type: 'none' }, condition: 'Never' };
    const { runtime } = bench();
    runtime.mount(defineSurface({
      id: 'todo-app',
      name: 'Todos',
      description: 'Create and complete tasks.',
      actions: [{ id: 'go_on', description: 'Goes on.', input: {}, handler: () => undefined }],
      activation,
    }));
    expect(runtime.snapshot().surfaces).toMatchObject([{ id: 'todo-app', activation }]);
  });

  it('is posted, each mount with a number of its own', async () => {
    const { runtime, host, mounted } = await mountedBench(surface);
    runtime.mount(surface).unmount();
    mounted.unmount();
    expect(host.kinds()).toEqual(['configure', 'mount', 'mount', 'unmount', 'unmount']);
    expect(host.all('mount').map(({ mountId }) => mountId)).toEqual([1, 2]);
    expect(host.all('unmount').map(({ mountId }) => mountId)).toEqual([2, 1]);
  });
});

describe('execute', () => {
  it('resolves with the engine\'s result; the same open id is the same call', async () => {
    const { runtime, host } = await mountedBench(surface);
    const first = runtime.execute({ ...call, requestId: 'r1', params: { a: 1, b: undefined } });
    expect(runtime.execute({ ...call, requestId: 'r1' })).toBe(first);
    const timestamp = expect.any(Number) as number;
    const request = { ...call, requestId: 'r1', params: { a: 1 }, timestamp };
    expect(host.all('execute')).toEqual([{ kind: 'execute', nested: false, request }]);
    const result = { requestId: 'r1', success: true, timestamp: 1 };
    host.play({ kind: 'journal', entry: entry('r1', 'answered') }, { kind: 'executed', requestId: 'r1', result });
    expect(await first).toBe(result);
    expect((await runtime.execute({ ...call, requestId: 'r1' })).error).toEqual({
      code: 'VALIDATION_ERROR',
      message: 'requestId "r1" was used before; leave it out to get a fresh one.',
    });
  });

  it('never rejects: params that are not JSON, a signal that fired', async () => {
    const { runtime, host } = await mountedBench(surface);
    expect((await runtime.execute({ ...call, params: { n: 1n } })).error?.code).toBe('VALIDATION_ERROR');
    expect((await runtime.execute({ ...call, signal: AbortSignal.abort() })).error?.code).toBe('oui:cancelled');
    expect(host.all('execute')).toEqual([]);
  });

  it('is withdrawn by its signal, but not after its end', async () => {
    const { runtime, host } = await mountedBench(surface);
    const controller = new AbortController();
    const open = runtime.execute({ ...call, requestId: 'r1', signal: controller.signal });
    const done = runtime.execute({ ...call, requestId: 'r2', signal: controller.signal });
    host.play({ kind: 'executed', requestId: 'r2', result: { requestId: 'r2', success: true, timestamp: 1 } });
    await done;
    controller.abort();
    expect(host.all('withdraw')).toEqual([{ kind: 'withdraw', requestId: 'r1' }]);
    host.play({ kind: 'executed', requestId: 'r1', result: { requestId: 'r1', success: false, timestamp: 1 } });
    await open;
  });
});

describe('the gate and the user', () => {
  it.each<[what: string, accept: () => unknown, open: boolean]>([
    ['true', () => true, true],
    ['a promise', () => Promise.resolve(true), true],
    ['false', () => false, false],
    ['nothing', () => undefined, false],
    ['a throw', () => { throw new Error('no'); }, false],
    ['a rejection', () => Promise.reject(new Error('no')), false],
  ])('accept: %s', async (_what, accept, open) => {
    const { host } = await mountedBench(surface, { accept: accept as never });
    host.play({ kind: 'ask-gate', request: entry('r1', 'gate').request });
    await idle();
    expect(host.all('gate')).toEqual([{ kind: 'gate', requestId: 'r1', open }]);
  });

  it.each<[what: string, approve: (() => unknown) | undefined, decision: string]>([
    ['true', () => true, 'granted'],
    ['false', () => Promise.resolve(false), 'denied'],
    ['null', () => null, 'dismissed'],
    ['a throw', () => { throw new Error('no'); }, 'dismissed'],
    ['no callback', undefined, 'dismissed'],
  ])('approve: %s', async (_what, approve, decision) => {
    const { host } = await mountedBench(surface, approve ? { approve: approve as never } : {});
    expect(host.last('configure')?.config.canAsk).toBe(approve !== undefined);
    host.play({ kind: 'ask-user', round: 1, approval: { requestId: 'r1' } as never });
    await idle();
    expect(host.all('decided')).toEqual([{ kind: 'decided', requestId: 'r1', round: 1, decision }]);
  });

  it('a question that is moot is closed by its signal', async () => {
    const approve = vi.fn((_request: unknown, signal: AbortSignal) =>
      new Promise<null>((resolve) => signal.addEventListener('abort', () => resolve(null))));
    const { host } = await mountedBench(surface, { approve });
    host.play({ kind: 'ask-user', round: 1, approval: { requestId: 'r1' } as never });
    host.play({ kind: 'close-question', requestId: 'r1' });
    await idle();
    expect(host.last('decided')?.decision).toBe('dismissed');
  });
});

describe('consent and pause', () => {
  it('are told the engine, once per change', async () => {
    const { runtime, host } = await mountedBench(surface);
    for (const allowed of [true, false, false, true]) runtime.consent.set('todo-app', 'go_on', allowed);
    runtime.consent.set('todo-app', null, false);
    runtime.consent.set('todo-app', 'go_on', false);
    expect(host.all('consent')).toHaveLength(4);
    expect(runtime.consent.allowed('todo-app')).toBe(false);
    runtime.consent.set('todo-app', null, true);
    expect([runtime.consent.allowed('todo-app'), runtime.consent.allowed('todo-app', 'go_on')]).toEqual([true, false]);
    runtime.pause();
    runtime.resume();
    runtime.stop();
    expect(host.kinds().slice(-3)).toEqual(['pause', 'resume', 'stop']);
  });
});

describe('warnings of the engine', () => {
  it('are written once for each key', async () => {
    const { host } = await mountedBench(surface);
    for (const message of ['a', 'b']) host.play({ kind: 'warn', code: 'OUI1003', message, key: 'frame' });
    for (const message of ['c', 'd']) host.play({ kind: 'warn', code: 'OUI1003', message });
    expect(warn.mock.calls.map(([text]) => text)).toEqual(['[OUI1003] a', '[OUI1003] c', '[OUI1003] d']);
  });
});

describe('events', () => {
  it('reach every listener, also beside one that throws', async () => {
    const { runtime, host, mounted } = await mountedBench(surface);
    const events: RuntimeEvent[] = [];
    const off = runtime.subscribe(() => {
      throw new Error('no');
    });
    const release = runtime.subscribe((event) => events.push(event));
    expect(host.all('watch')).toEqual([{ kind: 'watch', calls: true }]);
    mounted.pushObservation('open_count', 1);
    await idle();
    runtime.consent.set('todo-app', null, false);
    host.play(
      { kind: 'connection', state: 'connecting' },
      { kind: 'connection', state: 'connected', reason: 'again' },
      { kind: 'connection', state: 'connected' },
      { kind: 'peer', software: null, features: [] },
      { kind: 'call', report: { phase: 'received', requestId: 'r1', origin: 'agent', surfaceId: 'a', actionId: 'b' } },
    );
    expect(runtime.connection).toBe('connected');
    mounted.unmount();
    expect(events.map((event) => event.type)).toEqual(
      ['observation', 'surfaces', 'connection', 'connection', 'peer', 'call', 'surfaces'],
    );
    expect(events[0]).toEqual({ type: 'observation', surfaceId: 'todo-app', observationId: 'open_count' });
    expect(events[3]).toEqual({ type: 'connection', state: 'connected', reason: 'again' });
    off();
    release();
    release();
    expect(host.all('watch')).toEqual([{ kind: 'watch', calls: true }, { kind: 'watch', calls: false }]);
    expect(warn).toHaveBeenCalledTimes(1);
  });

  it('an extension reaches its hook, a warning the console', async () => {
    const onExtension = vi.fn(() => {
      throw new Error('no');
    });
    const { host } = await mountedBench(surface, { onExtension });
    const warning = { kind: 'warn', code: 'OUI1005', message: 'mismatch' } as const;
    host.play({ kind: 'extension', type: 'x-mine', payload: 1 }, warning);
    expect(onExtension).toHaveBeenCalledExactlyOnceWith('x-mine', 1);
    expect(warn.mock.calls.flat()).toEqual([expect.stringContaining('onExtension'), '[OUI1005] mismatch']);
  });
});

describe('dispose', () => {
  it('ends calls, handlers and questions, waits for the engine\'s last word, and closes it', async () => {
    const aborted = vi.fn();
    const closed = vi.fn();
    const slow = surfaceOf([{
      id: 'go_on',
      handler: (_params, _context, { signal }) => new Promise((resolve) => signal.addEventListener('abort', () => {
        aborted(signal.reason.code);
        resolve(undefined);
      })),
    }], [{ id: 'open_count' }]);
    const approve = vi.fn((_request: unknown, signal: AbortSignal) =>
      new Promise<null>(() => signal.addEventListener('abort', closed)));
    const { runtime, host, mounted, clock, worker } = await mountedBench(slow, { approve });
    host.play(...running('r1', 'go_on'), { kind: 'ask-user', round: 1, approval: { requestId: 'r2' } as never });
    mounted.pushObservation('open_count', 1);
    const open = runtime.execute(call);
    await idle();
    mounted.pushObservation('open_count', 2);
    runtime.dispose();
    runtime.dispose();
    expect((await open).error?.code).toBe('SURFACE_UNAVAILABLE');
    expect(aborted).toHaveBeenCalledExactlyOnceWith('SURFACE_UNAVAILABLE');
    expect(closed).toHaveBeenCalledTimes(1);
    expect(host.all('dispose')).toHaveLength(1);
    expect(host.closed).toBe(false);
    host.play(...running('r3', 'go_on'), { kind: 'ask-user', round: 1, approval: { requestId: 'r4' } as never });
    host.play({ kind: 'closed' });
    expect(approve).toHaveBeenCalledTimes(1);
    expect(host.closed).toBe(true);
    await idle();
    expect(clock.timers).toEqual([]);
    expect(runtime.snapshot().surfaces).toEqual([]);
    expect((await runtime.execute(call)).error?.code).toBe('SURFACE_UNAVAILABLE');
    expect(() => runtime.mount(slow)).toThrow(/disposed/);
    expect(() => runtime.attach(null)).toThrow(/disposed/);
    mounted.pushObservation('open_count', 3);
    mounted.unmount();
    runtime.consent.set('todo-app', null, false);
    expect(worker.attempts).toBe(1);
  });

  it('says of each call that had not begun that it did not run', async () => {
    const { runtime, host } = await mountedBench(surface);
    const begun = runtime.execute({ ...call, requestId: 'r1' });
    const waiting = runtime.execute({ ...call, requestId: 'r2' });
    host.play({ kind: 'journal', entry: entry('r1', 'running', { origin: 'local' }) });
    runtime.dispose();
    expect((await begun).error?.details).toBeUndefined();
    expect((await waiting).error).toMatchObject({ code: 'SURFACE_UNAVAILABLE', details: { ran: false } });
  });

  it('does not wait for an engine that does not answer', async () => {
    const { runtime, host, clock } = await mountedBench(surface);
    runtime.dispose();
    await clock.advance(1000);
    expect(host.closed).toBe(true);
  });

  it('while the engine is being opened: it is closed when it comes', async () => {
    const { runtime, worker } = bench();
    runtime.mount(surface);
    const open = runtime.execute(call);
    runtime.dispose();
    expect((await open).error?.code).toBe('SURFACE_UNAVAILABLE');
    await idle();
    expect(worker.host.closed).toBe(true);
    expect(worker.host.inputs).toEqual([]);
  });
});
