import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { MockInstance } from 'vitest';
import type { EngineHostFactory } from '../../../src/protocol/engine-host.js';
import { resetWarnings } from '../../../src/protocol/warn-once.js';
import { createRuntime } from '../../../src/surface/create-runtime.js';
import { FakeTab } from './fake-tab.js';
import { HandClock, idle } from './hand-clock.js';
import { bench, entry, mountedBench, surfaceOf } from './runtime-bench.js';
import { scriptedFactory } from './scripted-host.js';

const surface = surfaceOf([{ id: 'go_on' }], [{ id: 'open_count' }]);
const call = { surfaceId: 'todo-app', actionId: 'go_on' };

let warn: MockInstance<typeof console.warn>;
const warnings = (): string[] => warn.mock.calls.map(([message]) => String(message));
beforeEach(() => {
  resetWarnings();
  warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
});
afterEach(() => warn.mockRestore());

describe('starting', () => {
  it('waits for the first mount, attach or execute, and happens once', async () => {
    const { runtime, worker } = bench();
    runtime.subscribe(() => {});
    runtime.snapshot();
    await idle();
    expect(worker.attempts).toBe(0);
    void runtime.execute(call);
    runtime.mount(surface);
    runtime.mount(surfaceOf([{ id: 'go_on' }], [], 'other-one'));
    await idle();
    expect(worker.attempts).toBe(1);
    expect(runtime.engine).toBe('worker');
  });

  it('tells the engine everything in one go, in order', async () => {
    const { runtime, worker } = bench({ timeoutMs: 1000, accept: () => true });
    runtime.subscribe(() => {});
    const mounted = runtime.mount(surface);
    runtime.mount(surfaceOf([{ id: 'go_on' }], [], 'other-one'));
    mounted.pushObservation('open_count', 1);
    runtime.consent.set('other-one', null, false);
    runtime.consent.set('todo-app', 'go_on', false);
    runtime.pause();
    void runtime.execute({ ...call, requestId: 'r1' });
    await idle();
    expect(worker.host.batches[0]).toEqual(
      ['configure', 'watch', 'pause', 'consent', 'consent', 'mount', 'mount', 'observe', 'execute'],
    );
    expect(worker.host.last('configure')?.config).toMatchObject({
      software: expect.stringMatching(/^oui-elements\/\d/) as unknown,
      clientId: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
      confirmBy: 'page',
      canAsk: false,
      hasGate: true,
      actionMs: 1000,
      // Half of the action's time: the page must give up waiting before the engine gives up the request.
      settleTimeoutMs: 500,
    });
    expect(worker.host.all('consent')).toEqual([
      { kind: 'consent', surfaceId: 'other-one', allowed: false },
      { kind: 'consent', surfaceId: 'todo-app', actionId: 'go_on', allowed: false },
    ]);
    // What was pushed before is not posted a second time.
    await idle();
    expect(worker.host.batches).toHaveLength(1);
  });

  it('falls to the next kind with one warning that names the reason', async () => {
    const { runtime, worker, inPage } = bench();
    worker.refusal = 'blocked by worker-src';
    runtime.mount(surface);
    await idle();
    expect(runtime.engine).toBe('in-process');
    expect(inPage.host.kinds()).toEqual(['configure', 'mount']);
    expect(warnings()).toEqual([expect.stringMatching(/^\[OUI1001\].*blocked by worker-src.*still works/)]);
  });

  it('gives up a host that never opens, and closes it should it come after all', async () => {
    const clock = new HandClock();
    const inPage = scriptedFactory(clock, 'in-process');
    let open: (host: never) => void = () => {};
    const slow: EngineHostFactory = { kind: 'worker', open: () => new Promise((resolve) => (open = resolve)) };
    const runtime = createRuntime({}, { hosts: () => [slow, inPage], clock });
    runtime.mount(surface);
    await clock.advance(30_000);
    expect(runtime.engine).toBe('in-process');
    const close = vi.fn();
    open({ kind: 'worker', close } as never);
    await idle();
    expect(close).toHaveBeenCalledTimes(1);
    expect(runtime.engine).toBe('in-process');
    expect(clock.timers).toEqual([]);
  });

  it('ends open calls with INTERNAL_ERROR when nothing opens, and tries again with the next one', async () => {
    const { runtime, worker, inPage } = bench();
    worker.refusal = 'blocked';
    inPage.refusal = 'offline';
    const failed = await runtime.execute(call);
    expect(failed).toMatchObject({ success: false, error: { code: 'INTERNAL_ERROR' } });
    expect(failed.error?.message).toContain('blocked; offline');
    expect(warnings().at(-1)).toMatch(/^\[OUI1202\]/);
    expect(runtime.engine).toBe(null);
    inPage.refusal = undefined;
    void runtime.execute(call);
    await idle();
    expect(runtime.engine).toBe('in-process');
    expect(inPage.host.all('execute')).toHaveLength(1);
  });

  it('says so when there is no host at all', async () => {
    const runtime = createRuntime({}, { hosts: () => [] });
    expect((await runtime.execute(call)).error?.code).toBe('INTERNAL_ERROR');
  });
});

describe('losing the engine', () => {
  it('opens another of the same kind and tells it everything', async () => {
    const { host, worker, runtime, mounted } = await mountedBench(surface);
    const kinds: unknown[] = [];
    runtime.subscribe((event) => event.type === 'engine' && kinds.push(event.kind));
    mounted.pushObservation('open_count', 1);
    await idle();
    host.lose('out of memory');
    expect(runtime.engine).toBe(null);
    mounted.pushObservation('open_count', 2);
    runtime.mount(surfaceOf([{ id: 'go_on' }], [], 'other-one'));
    await idle();
    expect(worker.host).not.toBe(host);
    expect(worker.host.kinds()).toEqual(['configure', 'watch', 'mount', 'mount', 'observe']);
    expect(worker.host.last('observe')?.value).toBe('2');
    expect(kinds).toEqual([null, 'worker']);
    expect(warnings()).toEqual([expect.stringMatching(/^\[OUI1002\].*out of memory/)]);
  });

  it('three times within a minute is borne, the fourth time the next kind serves', async () => {
    const { runtime, worker, inPage, clock } = await mountedBench(surface);
    for (let i = 0; i < 3; i += 1) {
      worker.host.lose();
      await clock.advance(1000);
      expect(runtime.engine).toBe('worker');
    }
    worker.host.lose();
    await idle();
    expect(runtime.engine).toBe('in-process');
    expect(inPage.host.kinds()).toEqual(['configure', 'mount']);
    expect(worker.hosts).toHaveLength(4);
  });

  it('now and then is borne for ever', async () => {
    const { runtime, worker, clock } = await mountedBench(surface);
    for (let i = 0; i < 8; i += 1) {
      worker.host.lose();
      await clock.advance(25_000);
    }
    expect(runtime.engine).toBe('worker');
  });

  it('just after it opened, before it was used, is noticed', async () => {
    const clock = new HandClock();
    const inPage = scriptedFactory(clock, 'in-process');
    const dying: EngineHostFactory = {
      kind: 'worker',
      async open(events) {
        const host = await scriptedFactory(clock).open(events);
        events.lost('died young');
        return host;
      },
    };
    const runtime = createRuntime({}, { hosts: () => [dying, inPage], clock });
    runtime.mount(surface);
    await idle();
    expect(runtime.engine).toBe('in-process');
  });

  it('whose kind will not do here goes on in the next kind at once', async () => {
    const { runtime, worker, clock } = await mountedBench(surface);
    worker.host.lose('its part could not be loaded', 'unfit');
    await idle();
    expect(worker.hosts).toHaveLength(1);
    expect(runtime.engine).toBe('in-process');
    await clock.advance(0);
  });

  it('does not hear what still comes from the old one', async () => {
    const { host, worker, runtime } = await mountedBench(surface);
    const seen: unknown[] = [];
    runtime.subscribe((event) => event.type === 'peer' && seen.push(event.software));
    host.lose();
    host.play({ kind: 'peer', software: 'old', features: [] });
    await idle();
    host.play({ kind: 'peer', software: 'old', features: [] });
    host.events.lost('again');
    await idle();
    worker.host.play({ kind: 'peer', software: 'new', features: [] });
    expect(seen).toEqual(['new']);
    expect(worker.hosts).toHaveLength(2);
  });

  it('leaves no call without an end', async () => {
    const { host, worker, runtime } = await mountedBench(surface);
    const before = runtime.execute({ ...call, requestId: 'r1' });
    host.lose();
    const between = runtime.execute({ ...call, requestId: 'r2' });
    await idle();
    expect(worker.host.all('execute').map(({ request }) => request.requestId)).toEqual(['r1', 'r2']);
    for (const requestId of ['r1', 'r2']) {
      worker.host.play({ kind: 'executed', requestId, result: { requestId, success: true, timestamp: 1 } });
    }
    expect([(await before).success, (await between).success]).toEqual([true, true]);
  });

  it('hands what a journal knows to the new one instead of executing it again', async () => {
    const { host, worker, runtime } = await mountedBench(surface);
    void runtime.execute({ ...call, requestId: 'r1' });
    const { request } = host.last('execute')!;
    const left = entry('r1', 'queued', { origin: 'local', request });
    host.play({ kind: 'journal', entry: left });
    host.play({ kind: 'journal', entry: { ...left, requestId: 'r0' } }, { kind: 'forget', requestId: 'r0' });
    host.lose();
    await idle();
    expect(worker.host.last('restore')?.entries).toEqual([{ ...left, losses: 1 }]);
    expect(worker.host.all('execute')).toEqual([]);
  });

  it('with no kind left ends its calls, and another engine does not run them', async () => {
    const { host, worker, inPage, runtime } = await mountedBench(surface);
    worker.refusal = inPage.refusal = 'gone';
    const call1 = runtime.execute({ ...call, requestId: 'r1' });
    const { request } = host.last('execute')!;
    host.play({ kind: 'journal', entry: entry('r1', 'queued', { origin: 'local', request }) });
    host.lose();
    expect((await call1).error?.code).toBe('INTERNAL_ERROR');
    inPage.refusal = undefined;
    void runtime.execute({ ...call, requestId: 'r2' });
    await idle();
    expect(inPage.host.last('restore')?.entries).toMatchObject([{ requestId: 'r1', stage: 'answered' }]);
    expect(inPage.host.all('execute').map(({ request: { requestId } }) => requestId)).toEqual(['r2']);
  });

  it('while a call is withdrawn: the new one is told', async () => {
    const { host, worker, runtime } = await mountedBench(surface);
    const controller = new AbortController();
    void runtime.execute({ ...call, requestId: 'r1', signal: controller.signal });
    host.lose();
    controller.abort();
    await idle();
    expect(worker.host.kinds()).toEqual(['configure', 'mount', 'execute', 'withdraw']);
  });

  it('lets timers go on that the lost host kept', async () => {
    const { host, worker, clock, mounted } = await mountedBench(surface);
    mounted.pushObservation('open_count', 1);
    await idle();
    mounted.pushObservation('open_count', 2);
    host.lose();
    await clock.advance(1000);
    expect(worker.host.all('observe').map(({ value }) => value)).toEqual(['2']);
    mounted.pushObservation('open_count', 3);
    await idle();
    mounted.pushObservation('open_count', 4);
    worker.host.closed = true;
    worker.host.events.lost('again');
    await clock.advance(100);
    expect(worker.host.last('observe')?.value).toBe('4');
    expect(clock.timers).toEqual([]);
  });

  it('the user is asked once, whichever engine asks', async () => {
    let answer: (yes: boolean) => void = () => {};
    const approve = vi.fn(() => new Promise<boolean>((resolve) => (answer = resolve)));
    const { host, worker } = await mountedBench(surface, { approve });
    const ask = { kind: 'ask-user', approval: { requestId: 'r1' } } as never;
    host.play({ kind: 'journal', entry: entry('r1', 'approval') }, ask);
    host.lose();
    await idle();
    worker.host.play(ask);
    answer(true);
    await idle();
    worker.host.play(ask);
    await idle();
    expect(approve).toHaveBeenCalledTimes(1);
    expect(host.all('decided')).toEqual([]);
    expect(worker.host.all('decided').map(({ decision }) => decision)).toEqual(['granted', 'granted']);
  });
});

describe('a document that is left while its engine opens', () => {
  it('closes what opens then, and has another when it is there again', async () => {
    const clock = new HandClock();
    const document = new FakeTab(clock).open();
    const worker = scriptedFactory(clock);
    const runtime = createRuntime({}, { hosts: () => [worker], clock, page: document });
    runtime.mount(surface);
    document.leave();
    await idle();
    expect([worker.host.closed, worker.host.inputs, runtime.engine]).toEqual([true, [], null]);
    document.comeBack();
    await idle();
    expect(worker.hosts).toHaveLength(2);
    expect(worker.host.kinds()).toEqual(['configure', 'mount']);
    expect(runtime.engine).toBe('worker');
  });
});
