import { describe, expect, it } from 'vitest';
import { createDirectTransportPair } from '../../../src/transports/direct.js';
import { idle } from './hand-clock.js';
import { Handlers } from './handlers.js';
import { surfaceOf } from './runtime-bench.js';
import { TabBench } from './tab-bench.js';
import type { OpenedPage } from './tab-bench.js';

const UNKNOWN = { success: false, error: { code: 'SURFACE_UNAVAILABLE', details: { ran: 'unknown' } } };
const approve = () => new Promise<boolean>(() => undefined);

async function opened() {
  const handlers = new Handlers();
  const bench = new TabBench();
  const page = await bench.open({ approve }, handlers.surface());
  const comeBack = async ({ document }: OpenedPage = page): Promise<void> => {
    document.comeBack();
    await bench.clock.advance(0);
  };
  return { bench, page, handlers, comeBack };
}

describe('a document that is left', () => {
  it('ends its engine and its connection at once', async () => {
    const { bench, page } = await opened();
    const states: string[] = [];
    page.runtime.subscribe((event) => event.type === 'connection' && states.push(event.state));
    await bench.leave(page);
    expect(page.hosts.map((host) => host.closedAtOnce())).toEqual([true]);
    expect([page.runtime.engine, page.runtime.connection, states]).toEqual([null, 'disconnected', ['disconnected']]);
  });

  it('leaves a connection alone that it did not open', async () => {
    const pair = createDirectTransportPair();
    await Promise.all([pair.page.connect(), pair.agent.connect()]);
    const bench = new TabBench();
    const page = await bench.open({ transport: pair.page }, new Handlers().surface());
    await bench.leave(page);
    expect(pair.page.state).toBe('connected');
    const heard: unknown[] = [];
    pair.agent.onEvent((message) => heard.push((message as { type: string }).type));
    page.document.comeBack();
    await bench.clock.advance(0);
    expect(heard).toEqual(['x-oui:hello', 'surface:register']);
  });

  it('starts nothing before it is there again, and what was asked for meanwhile then', async () => {
    const bench = new TabBench();
    const page = await bench.open({});
    page.runtime.attach(null);
    await bench.leave(page);
    page.runtime.mount(new Handlers().surface() as never);
    await idle();
    expect(page.runtime.engine).toBe(null);
    page.document.comeBack();
    await idle();
    expect(page.runtime.engine).toBe('in-process');
  });
});

describe('a document that comes back out of the back/forward cache', () => {
  it('is the same client and goes on with what it was running', async () => {
    const { bench, page, handlers, comeBack } = await opened();
    const id = await bench.request('save_it');
    const queued = await bench.request('save_it');
    const asked = await bench.request('ask_first');
    await bench.leave(page);
    await bench.clock.advance(1_000);
    await comeBack();
    await handlers.end('saved');
    await bench.clock.advance(250);
    expect(bench.results(id)).toMatchObject([{ success: true, data: 'saved' }]);
    expect(handlers.started).toEqual([id, queued]);
    expect(bench.results(asked)).toEqual([]);
    expect(new Set(bench.clientIds()).size).toBe(1);
  });

  it('does not take up what its gate had not decided: another document may have answered it', async () => {
    const handlers = new Handlers();
    const bench = new TabBench();
    const gates: ((open: boolean) => void)[] = [];
    const accept = () => new Promise<boolean>((resolve) => gates.push(resolve));
    const first = await bench.open({ accept }, handlers.surface());
    const id = await bench.request('save_it');
    await bench.leave(first);
    // Another document has no such surface, says so, and leaves no trace: nothing has run.
    const second = await bench.open();
    await bench.resend(id, 'save_it', 100);
    expect(bench.results(id)).toMatchObject([{ success: false }]);
    await bench.acknowledge(id);
    await bench.leave(second);
    first.document.comeBack();
    await bench.clock.advance(0);
    for (const open of gates) open(true);
    await bench.clock.advance(1_000);
    expect(handlers.started).toEqual([]);
  });

  it('sends what a handler came to while it was away', async () => {
    const { bench, page, handlers, comeBack } = await opened();
    const id = await bench.request('save_it');
    await bench.leave(page);
    await bench.clock.advance(1_000);
    await handlers.end('saved');
    await comeBack();
    expect(bench.journal().get(id)).toMatchObject({ stage: 'running', ended: { outcome: { success: true } } });
    await bench.clock.advance(250);
    expect(bench.results(id)).toMatchObject([{ data: 'saved' }]);
  });

  it('drops what another document has answered: the signal fires, and nothing is sent', async () => {
    const { bench, page, handlers, comeBack } = await opened();
    const id = await bench.request('save_it');
    const queued = await bench.request('save_it');
    await bench.leave(page);
    const between = await bench.open({}, handlers.surface('2'));
    await bench.clock.advance(250);
    await bench.acknowledge(id);
    await bench.acknowledge(queued);
    await bench.leave(between);
    await comeBack();
    expect(handlers.aborted).toEqual([id]);
    await handlers.end('saved');
    await bench.clock.advance(10_000);
    expect(bench.results(id)).toMatchObject([UNKNOWN]);
    expect(bench.results(queued)).toHaveLength(1);
    expect(handlers.started).toEqual([id]);
    await bench.resend(queued, 'save_it', 10_500);
    expect(handlers.started).toEqual([id]);
  });

  it('writes nothing before it knows what the other document has written', async () => {
    const { bench, page, handlers, comeBack } = await opened();
    const id = await bench.request('save_it');
    await bench.leave(page);
    const between = await bench.open({}, handlers.surface());
    await bench.clock.advance(250);
    await bench.acknowledge(id);
    await bench.leave(between);
    // The handler of the document that is about to come back.
    await handlers.end('saved');
    expect(bench.journal().get(id)).toMatchObject({ acknowledged: true });
    await comeBack();
    await bench.clock.advance(1_000);
    expect(bench.results(id)).toMatchObject([UNKNOWN]);
  });

  it('says what another document has said, when that was not acknowledged', async () => {
    const { bench, page, handlers, comeBack } = await opened();
    const id = await bench.request('save_it');
    await bench.leave(page);
    const between = await bench.open({}, handlers.surface());
    await bench.clock.advance(250);
    await bench.leave(between);
    const theirs = bench.journal().get(id);
    await comeBack();
    expect(bench.journal().get(id)).toEqual(theirs);
    await handlers.end('saved');
    await bench.clock.advance(250);
    expect(bench.results(id)).toMatchObject([UNKNOWN, UNKNOWN]);
  });

  it('goes on when the other document had not said anything yet', async () => {
    const { bench, page, handlers, comeBack } = await opened();
    const id = await bench.request('save_it');
    await bench.leave(page);
    const between = await bench.open({}, handlers.surface());
    await bench.clock.advance(100);
    await bench.leave(between);
    await comeBack();
    await handlers.end('saved');
    await bench.clock.advance(250);
    expect(bench.results(id)).toMatchObject([{ data: 'saved' }]);
  });

  it('settles anew before it says what an earlier document left', async () => {
    const { bench, page, handlers, comeBack } = await opened();
    const id = await bench.request('save_it');
    await bench.leave(page);
    const next = await bench.open({}, handlers.surface());
    await bench.clock.advance(100);
    await bench.leave(next);
    await bench.clock.advance(1_000);
    await comeBack(next);
    expect(bench.results(id)).toEqual([]);
    await bench.clock.advance(250);
    expect(bench.results(id)).toMatchObject([UNKNOWN]);
  });

  it('knows what the other document ran', async () => {
    const { bench, page, handlers, comeBack } = await opened();
    await bench.leave(page);
    const between = await bench.open({}, handlers.surface());
    const [done, running] = [await bench.request('save_it'), await bench.request('import_all')];
    await handlers.end();
    await bench.clock.advance(250);
    await bench.acknowledge(done);
    await bench.leave(between);
    await comeBack();
    await bench.clock.advance(250);
    expect(bench.results(running).at(-1)).toMatchObject(UNKNOWN);
    await bench.resend(done, 'save_it', 500);
    expect(handlers.started).toEqual([done, running]);
  });

  it('keeps nothing over a sign-out in the other document', async () => {
    const { bench, page, handlers, comeBack } = await opened();
    const id = await bench.request('save_it');
    await bench.leave(page);
    const between = await bench.open({}, handlers.surface());
    const forgotten = between.runtime.forget();
    await bench.clock.advance(0);
    await forgotten;
    await bench.leave(between);
    await comeBack();
    expect([handlers.aborted, bench.journal().size]).toEqual([[id], 0]);
    await handlers.end('secret');
    await bench.clock.advance(1_000);
    expect(JSON.stringify(bench.results(id))).not.toContain('secret');
  });

  it('stays disposed of', async () => {
    const { bench, page, comeBack } = await opened();
    page.runtime.dispose();
    await bench.clock.advance(1_000);
    const frames = bench.frames.length;
    await bench.leave(page);
    await comeBack();
    expect(bench.frames).toHaveLength(frames);
  });
});

describe('a job that can be followed further', () => {
  const job = (polls: string[]) =>
    surfaceOf([{
      id: 'render_chart',
      async: true,
      resumable: true,
      polling: {
        intervalMs: 1_000,
        resolve: (dispatched: unknown) => {
          polls.push(JSON.stringify(dispatched));
          return { done: polls.length >= 2, data: { url: '/chart.png' } };
        },
      },
      handler: () => ({ jobId: 7 }),
    }]);

  it('goes on in the next document, once its surface is mounted', async () => {
    const bench = new TabBench();
    const page = await bench.open({}, job([]) as never);
    const id = await bench.request('render_chart');
    await bench.leave(page);
    const polls: string[] = [];
    const next = await bench.open({});
    await bench.clock.advance(4_000);
    next.runtime.mount(job(polls));
    await bench.clock.advance(2_250);
    expect(polls).toEqual(['{"jobId":7}', '{"jobId":7}']);
    expect(bench.results(id)).toMatchObject([
      { interim: true, data: { jobId: 7 } },
      { interim: false, success: true, data: { url: '/chart.png' } },
    ]);
  });

  it('goes on in a document that comes back after another had taken it up', async () => {
    const bench = new TabBench();
    const polls: string[] = [];
    const page = await bench.open({}, job(['never']) as never);
    const id = await bench.request('render_chart');
    await bench.leave(page);
    // The second document follows the job and is left before it has ended.
    const second = await bench.open({}, job(polls) as never);
    await bench.clock.advance(300);
    await bench.leave(second);
    page.document.comeBack();
    await bench.clock.advance(5_000);
    const finals = bench.results(id).filter(({ interim }) => interim === false);
    expect(finals.at(0)).toMatchObject({ success: true, data: { url: '/chart.png' } });
  });

  it('ends unknown when its surface does not come in time', async () => {
    const bench = new TabBench();
    const page = await bench.open({}, job([]) as never);
    const id = await bench.request('render_chart');
    await bench.leave(page);
    await bench.open({});
    await bench.clock.advance(5_250);
    expect(bench.results(id)).toMatchObject([{ interim: true }, { interim: false, ...UNKNOWN }]);
  });
});
