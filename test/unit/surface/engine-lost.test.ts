import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { MockInstance } from 'vitest';
import { resetWarnings } from '../../../src/protocol/warn-once.js';
import { EngineLink } from '../../../src/surface/link/engine-link.js';
import { PageTimers } from '../../../src/surface/clock/page-timers.js';
import type { SurfaceRuntimeOptions } from '../../../src/surface/runtime-options.js';
import { createDirectTransportPair } from '../../../src/transports/direct.js';
import { HandClock, idle } from './hand-clock.js';
import { entry, mountedBench, surfaceOf } from './runtime-bench.js';
import { scriptedFactory } from './scripted-host.js';
import type { ScriptedHost } from './scripted-host.js';

const surface = surfaceOf([{ id: 'go_on' }]);
const call = { surfaceId: 'todo-app', actionId: 'go_on' };

let warn: MockInstance<typeof console.warn>;
beforeEach(() => {
  resetWarnings();
  warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
});
afterEach(() => warn.mockRestore());

describe('what an engine took to its grave', () => {
  const message = {
    type: 'action:request',
    payload: { requestId: 'r1', surfaceId: 'todo-app', actionId: 'go_on', params: { a: 1 }, timestamp: 1 },
  };

  async function connectedBench() {
    const pair = createDirectTransportPair();
    const made = await mountedBench(surface, { transport: pair.page });
    await pair.agent.connect();
    await idle();
    const hand = async (...messages: object[]): Promise<void> => {
      for (const each of messages) pair.agent.send(each as never);
      await idle();
    };
    return { ...made, pair, hand };
  }
  const heard = (host: ScriptedHost): unknown[] => host.all('message').map((input) => input.message);

  it('is given to the next, less what it had taken', async () => {
    const { host, worker, hand } = await connectedBench();
    await hand({ type: 'one' }, { type: 'two' }, { type: 'three' });
    host.play({ kind: 'taken', count: 2 });
    host.lose();
    await hand({ type: 'four' });
    expect(heard(worker.host)).toEqual([{ type: 'three' }, { type: 'four' }]);
    worker.host.play({ kind: 'taken', count: 1 });
    worker.host.lose();
    await idle();
    expect(heard(worker.host)).toEqual([{ type: 'four' }]);
    worker.host.play({ kind: 'taken', count: 1 });
    worker.host.lose();
    await idle();
    expect(heard(worker.host)).toEqual([]);
  });

  it('is not, once its connection has ended', async () => {
    const { host, worker, hand, runtime } = await connectedBench();
    await hand({ type: 'one' }, { type: 'two' });
    runtime.attach(null);
    host.play({ kind: 'taken', count: 1 });
    const next = createDirectTransportPair();
    runtime.attach(next.page);
    await next.agent.connect();
    next.agent.send({ type: 'three' } as never);
    await idle();
    host.lose();
    await idle();
    expect(heard(worker.host)).toEqual([{ type: 'three' }]);
  });

  it('when that was the withdrawal of a call: is repeated', async () => {
    const { host, worker, runtime } = await mountedBench(surface);
    const stop = new AbortController();
    void runtime.execute({ ...call, requestId: 'r1', signal: stop.signal });
    host.play({ kind: 'journal', entry: entry('r1', 'running', { origin: 'local' }) });
    stop.abort();
    host.lose();
    await idle();
    expect(worker.host.kinds()).toEqual(['configure', 'mount', 'restore', 'withdraw']);
  });

  it('is counted in the journal, whatever an engine writes there', async () => {
    const { host, worker } = await mountedBench(surface);
    host.play({ kind: 'journal', entry: entry('open', 'gate') }, { kind: 'journal', entry: entry('done', 'answered') });
    host.lose();
    await idle();
    worker.host.play({ kind: 'journal', entry: entry('open', 'queued') });
    worker.host.lose();
    await idle();
    expect(worker.host.last('restore')?.entries).toEqual([
      entry('open', 'queued', { losses: 2 }),
      entry('done', 'answered'),
    ]);
  });

  it('is given to no third as it was: that one answers it, without its params', async () => {
    const { worker, hand } = await connectedBench();
    await hand({ type: 'x-app:note' }, message);
    worker.host.lose();
    await idle();
    expect(heard(worker.host)).toEqual([{ type: 'x-app:note' }, message]);
    worker.host.lose();
    await idle();
    expect(heard(worker.host)).toEqual([]);
    expect(worker.host.last('restore')?.entries).toEqual([expect.objectContaining({
      requestId: 'r1',
      stage: 'queued',
      origin: 'agent',
      losses: 2,
      request: expect.objectContaining({ surfaceId: 'todo-app', actionId: 'go_on', params: {} }) as unknown,
    })]);
  });

  it('when that was a call of the page\'s own: the third answers it', async () => {
    const { worker, runtime } = await mountedBench(surface);
    void runtime.execute({ ...call, requestId: 'r1' });
    for (let i = 0; i < 2; i += 1) {
      expect(worker.host.all('execute')).toHaveLength(1);
      worker.host.lose();
      await idle();
    }
    expect(worker.host.all('execute')).toEqual([]);
    expect(worker.host.last('restore')?.entries).toMatchObject([{ requestId: 'r1', origin: 'local', losses: 2 }]);
  });
});

describe('an engine that hangs', () => {
  it('is replaced in a worker, however often: the page\'s thread must not hang', async () => {
    const { worker, inPage, clock, runtime } = await mountedBench(surface);
    for (let i = 0; i < 10; i += 1) {
      worker.host.lose('silent', 'hung');
      await clock.advance(10);
    }
    expect(worker.hosts).toHaveLength(11);
    expect(inPage.hosts).toEqual([]);
    expect(runtime.engine).toBe('worker');
  });

  it('and can be replaced in the page only: what it had in hand is not looked at there', async () => {
    const { worker, inPage, host, runtime } = await mountedBench(surface);
    void runtime.execute({ ...call, requestId: 'r2' });
    host.play({ kind: 'journal', entry: entry('r1', 'queued') });
    worker.refusal = 'blocked';
    host.lose('silent', 'hung');
    await idle();
    expect(inPage.host.all('execute')).toEqual([]);
    expect(inPage.host.last('restore')?.entries).toMatchObject([
      { requestId: 'r1', losses: 2 },
      { requestId: 'r2', losses: 2 },
    ]);
  });

  it('before it was put to use is replaced by its own kind', async () => {
    const clock = new HandClock();
    const worker = scriptedFactory(clock, 'worker');
    let readyNow = (): void => {};
    const ready = new Promise<void>((resolve) => (readyNow = resolve));
    const link = new EngineLink([worker], new PageTimers(clock), {
      effects: () => {},
      ready: () => ready,
      lost: () => {},
      replay: () => [],
      changed: () => {},
      unavailable: () => {},
    });
    link.start();
    await idle();
    worker.host.lose('killed');
    readyNow();
    await idle();
    expect(worker.hosts).toHaveLength(2);
    expect(worker.host.closed).toBe(false);
    expect(link.kind).toBe('worker');
  });
});

describe('questions of an engine that was lost', () => {
  const ask = (requestId: string) => ({ kind: 'ask-user', approval: { requestId } }) as never;

  async function asking(options: SurfaceRuntimeOptions = {}) {
    const signals: AbortSignal[] = [];
    const answers: ((yes: boolean) => void)[] = [];
    const approve = (_request: unknown, signal: AbortSignal): Promise<boolean> => {
      signals.push(signal);
      return new Promise((resolve) => answers.push(resolve));
    };
    return { ...await mountedBench(surface, { ...options, approve }), signals, answers };
  }

  it('are closed at once when nobody can ask them again', async () => {
    const { host, signals } = await asking();
    host.play({ kind: 'journal', entry: entry('r1', 'answered', { acknowledged: true }) }, ask('r1'));
    host.lose();
    await idle();
    expect(signals[0]?.aborted).toBe(true);
  });

  it('are closed when the next one has not asked them again with its first word', async () => {
    const { host, worker, signals } = await asking();
    const question = { expiresAt: 1, state: 'pending', shown: 's' } as const;
    host.play({ kind: 'journal', entry: entry('r1', 'approval') }, ask('r1'));
    host.play({ kind: 'journal', entry: entry('r2', 'answered', { question }) }, ask('r2'));
    host.lose();
    await idle();
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
    worker.host.play(ask('r2'), { kind: 'peer', software: null, features: [] });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    worker.host.play({ kind: 'close-question', requestId: 'r2' });
    expect(signals[1]?.aborted).toBe(true);
  });

  it('stay known while they are open, however many there are', async () => {
    const { host, signals } = await asking();
    for (let n = 0; n < 600; n += 1) host.play(ask(`q${n}`));
    host.play({ kind: 'close-question', requestId: 'q0' });
    expect(signals).toHaveLength(600);
    expect(signals[0]?.aborted).toBe(true);
  });
});
