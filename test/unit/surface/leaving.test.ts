import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { MockInstance } from 'vitest';
import { resetWarnings } from '../../../src/protocol/warn-once.js';
import type { DefinedSurface } from '../../../src/surface/definition/definition.js';
import { Journal } from '../../../src/surface/document/journal.js';
import { JournalStorage } from '../../../src/surface/document/journal-storage.js';
import type { LeftJournal } from '../../../src/surface/document/journal-storage.js';
import { takenOver } from '../../../src/surface/document/left-request.js';
import { FakeStorage } from './fake-tab.js';
import { idle } from './hand-clock.js';
import { Handlers, LONG } from './handlers.js';
import { bench } from './runtime-bench.js';
import { TabBench } from './tab-bench.js';

const UNKNOWN = { success: false, error: { code: 'SURFACE_UNAVAILABLE', details: { ran: 'unknown' } } };
const NOT_RUN = { success: false, error: { code: 'SURFACE_UNAVAILABLE', details: { ran: false } } };

let warn: MockInstance<typeof console.warn>;
let handlers: Handlers;
beforeEach(() => {
  resetWarnings();
  warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  handlers = new Handlers();
});
afterEach(() => warn.mockRestore());

const approve = () => new Promise<boolean>(() => undefined);

async function opened(options?: ConstructorParameters<typeof TabBench>[0]) {
  const bench = new TabBench(options);
  const page = await bench.open({ approve }, handlers.surface());
  return { bench, page };
}

describe('the next document of a tab', () => {
  it('is the same client, and says that it does not know of a handler that was running', async () => {
    const { bench, page } = await opened();
    const id = await bench.request('save_it', { secret: 'params' });
    expect([...bench.tab.storage!.kept.values()].join()).not.toContain('secret');
    await bench.leave(page);
    await bench.open({}, handlers.surface('2'));
    expect(bench.results(id)).toEqual([]);
    await bench.clock.advance(250);
    expect(bench.results(id)).toMatchObject([UNKNOWN]);
    expect(new Set(bench.clientIds()).size).toBe(1);
    // Nor is it ever run again, whatever is repeated.
    await bench.resend(id, 'save_it', 300);
    expect(handlers.started).toEqual([id]);
    expect(bench.receipts(id)).toHaveLength(2);
  });

  it('tells what a handler had returned, with surfaces and values of its own', async () => {
    const { bench, page } = await opened();
    const id = await bench.request('save_it');
    await handlers.end({ saved: 1 });
    await bench.leave(page);
    const next = await bench.open();
    const mounted = next.runtime.mount(handlers.surface('2') as DefinedSurface);
    mounted.pushObservation('version', 2);
    await bench.clock.advance(250);
    expect(bench.results(id)).toMatchObject([{
      success: true,
      data: { saved: 1 },
      settled: true,
      surfaces: [{ observations: [{ description: 'Of document 2' }] }],
      observations: { 'todo-app': { version: 2 } },
    }]);
    await bench.acknowledge(id);
    expect(bench.journal().get(id)).toMatchObject({ stage: 'answered', acknowledged: true });
    expect(bench.journal().get(id)).not.toHaveProperty('ended');
  });

  it('says of what waited in the queue, and of what its user was being asked about, that it did not run', async () => {
    const { bench, page } = await opened();
    await bench.request('save_it');
    const queued = await bench.request('save_it');
    const asked = await bench.request('ask_first');
    expect(bench.journal().size).toBe(1);
    await bench.leave(page);
    await bench.open({}, handlers.surface());
    await bench.clock.advance(250);
    expect([bench.results(queued), bench.results(asked)]).toMatchObject([[NOT_RUN], [NOT_RUN]]);
    expect(handlers.started).toHaveLength(1);
  });

  it('does not run again what the storage had no room for: a resend of it is not known', async () => {
    const { bench, page } = await opened();
    await bench.clock.advance(5_000);
    bench.tab.storage!.full = true;
    const id = await bench.request('save_it');
    await handlers.end();
    await bench.clock.advance(250);
    await bench.acknowledge(id);
    await bench.leave(page);
    await bench.clock.advance(2_000);
    bench.tab.storage!.full = false;
    await bench.open({}, handlers.surface());
    await bench.resend(id, 'save_it', 2_250);
    expect(handlers.started).toEqual([id]);
    expect(bench.results(id).at(-1)).toMatchObject(UNKNOWN);
  });

  it('follows a job whose handler had returned, also when its engine said no more of it', async () => {
    const { bench, page } = await opened();
    const journal = new Journal(() => bench.tab.wall());
    const storage = new JournalStorage(page.document, 'here', 'client-1', '');
    journal.open(storage, storage.open() as undefined);
    const request = { requestId: 'j1', surfaceId: 'todo-app', actionId: 'render_it', params: {}, timestamp: 0 };
    const times = { receivedAt: 0, deadlineAt: 30_000, waits: true } as const;
    journal.record({ requestId: 'j1', stage: 'running', origin: 'agent', request, ...times });
    journal.dispatched({ kind: 'dispatched', requestId: 'j1', data: '{"job":7}', dispatch: '{"job":7}' });
    journal.leave();
    const next = new Journal(() => bench.tab.wall());
    next.open(storage, storage.open() as LeftJournal);
    // Acknowledged, for all that is known: what ends it says that it is not the acknowledgment.
    expect(next.left()).toMatchObject([{ entry: { dispatch: '{"job":7}', interimHash: '' }, outcome: undefined }]);
  });

  it('says that it does not know of a job whose text somebody has damaged', async () => {
    expect(takenOver(JSON.stringify({
      requestId: 'j1', stage: 'running', dispatch: '{"bad', request: { surfaceId: 'todo-app', actionId: 'render_it' },
    }))).toMatchObject({ ended: { outcome: UNKNOWN } });
  });

  it('runs the resend of what the gate had still to decide: it gave no receipt', async () => {
    const bench = new TabBench();
    const page = await bench.open({ accept: () => new Promise(() => undefined) }, handlers.surface());
    await bench.clock.advance(5_000);
    const id = await bench.request('save_it');
    await bench.leave(page);
    await bench.clock.advance(1_000);
    await bench.open({}, handlers.surface());
    await bench.resend(id, 'save_it', 1_000);
    expect(handlers.started).toEqual([id]);
  });

  it('keeps the id of an acknowledged request from running, and does not answer it again', async () => {
    const { bench, page } = await opened();
    const id = await bench.request('save_it');
    await handlers.end();
    await bench.clock.advance(250);
    await bench.acknowledge(id);
    await bench.leave(page);
    await bench.open({}, handlers.surface());
    await bench.clock.advance(10_000);
    await bench.resend(id, 'save_it', 11_000);
    expect(bench.results(id)).toHaveLength(1);
    expect(handlers.started).toEqual([id]);
  });

  it('answers again what was answered and not acknowledged: failures of the engine too', async () => {
    const { bench, page } = await opened();
    const done = await bench.request('save_it');
    await handlers.end('saved');
    await bench.clock.advance(250);
    const late = await bench.request('save_it');
    await bench.clock.advance(30_000);
    expect([bench.results(done).length, bench.results(late).length]).toEqual([1, 1]);
    await bench.leave(page);
    await bench.open({}, handlers.surface());
    await bench.clock.advance(250);
    expect(bench.results(done)[1]).toMatchObject({ success: true, data: 'saved' });
    expect(bench.results(late)[1]).toMatchObject({ error: { code: 'TIMEOUT' } });
  });

  it('runs a pure read again, and hears nothing of the page\'s own calls', async () => {
    const { bench, page } = await opened();
    const read = await bench.request('look_up');
    void page.runtime.execute({ surfaceId: 'todo-app', actionId: 'save_it' });
    await idle();
    expect(bench.journal().size).toBe(0);
    await bench.leave(page);
    await bench.open({}, handlers.surface());
    await bench.resend(read, 'look_up', 100);
    expect(handlers.started.filter((id) => id === read)).toHaveLength(2);
  });

  it('waits for the first mount, at most five seconds', async () => {
    const { bench, page } = await opened();
    const id = await bench.request('save_it');
    await bench.leave(page);
    const next = await bench.open();
    await bench.clock.advance(4_000);
    next.runtime.mount(handlers.surface('2') as DefinedSurface);
    await bench.clock.advance(249);
    expect(bench.results(id)).toEqual([]);
    await bench.clock.advance(1);
    expect(bench.results(id)).toMatchObject([
      { ...UNKNOWN, surfaces: [{ observations: [{ description: 'Of document 2' }] }] },
    ]);

    const other = await bench.request('save_it');
    await bench.leave(next);
    await bench.open();
    await bench.clock.advance(5_249);
    expect(bench.results(other)).toEqual([]);
    await bench.clock.advance(1);
    expect(bench.results(other)).toMatchObject([UNKNOWN]);
  });

  it('says so again when it is left before it had said anything', async () => {
    const { bench, page } = await opened();
    const id = await bench.request('save_it');
    await bench.leave(page);
    for (let reload = 0; reload < 3; reload += 1) {
      const next = await bench.open({}, handlers.surface());
      await bench.clock.advance(100);
      await bench.leave(next);
    }
    await bench.open({}, handlers.surface());
    await bench.clock.advance(250);
    expect(bench.results(id)).toMatchObject([UNKNOWN]);
  });

  it('ends an acknowledged job with one final answer', async () => {
    const { bench, page } = await opened();
    const id = await bench.request('import_all');
    await bench.leave(page);
    await bench.open({}, handlers.surface());
    await bench.clock.advance(250);
    expect(bench.results(id)).toMatchObject([{ interim: true }, { interim: false, ...UNKNOWN }]);
  });

  it('lets new requests run meanwhile', async () => {
    const { bench, page } = await opened();
    await bench.request('save_it');
    await bench.leave(page);
    await bench.open({}, handlers.surface());
    const id = await bench.request('save_it');
    expect(handlers.started).toContain(id);
  });

  it('answers a plain v1 agent too', async () => {
    const { bench, page } = await opened({ features: [] });
    const id = await bench.request('save_it');
    await bench.leave(page);
    await bench.open({}, handlers.surface());
    await bench.clock.advance(250);
    expect(bench.results(id)).toMatchObject([UNKNOWN]);
  });
});

describe('a document that crashed', () => {
  it('was running what it was running, and had not begun the rest', async () => {
    const { bench, page } = await opened();
    const running = await bench.request('save_it');
    const queued = await bench.request('save_it');
    page.document.crash();
    await bench.open({}, handlers.surface());
    await bench.clock.advance(250);
    expect(bench.results(running)).toMatchObject([UNKNOWN]);
    await bench.resend(queued, 'save_it', 250);
    expect(handlers.started).toEqual([running, queued]);
  });
});

describe('what is kept', () => {
  it('is not for a duplicated tab', async () => {
    const { bench } = await opened();
    const id = await bench.request('save_it');
    const copy = new TabBench({ sharing: bench });
    await copy.open({}, handlers.surface());
    await copy.clock.advance(10_000);
    expect(copy.clientIds()).not.toContain(bench.clientIds()[0]);
    expect(copy.results(id)).toEqual([]);
    expect(copy.journal().size).toBe(0);
    expect(bench.journal().size).toBe(1);
  });

  it('is not for another session, and is dropped by it', async () => {
    const bench = new TabBench();
    const page = await bench.open({ session: 'ada' }, handlers.surface());
    const long = await bench.request('save_long');
    await bench.clock.advance(250);
    const told = bench.results(long).length;
    const id = await bench.request('save_it');
    expect(bench.store.kept.size).toBe(1);
    await bench.leave(page);
    expect([...bench.tab.storage!.kept.values()].join()).not.toContain('ada');
    const next = await bench.open({ session: 'bob' }, handlers.surface());
    await bench.clock.advance(10_000);
    expect([bench.results(long).length, bench.results(id).length]).toEqual([told, 0]);
    expect([bench.journal().size, bench.store.kept.size]).toEqual([0, 0]);
    // Nobody knows of it any more, and nobody says that it did not run.
    await bench.leave(next);
    await bench.open({ session: 'ada' }, handlers.surface());
    await bench.resend(id, 'save_it', 11_000);
    expect(bench.results(id)).toMatchObject([UNKNOWN]);
    expect(handlers.started.filter((each) => each === id)).toHaveLength(1);
  });

  it('is bound to a session that is a text', () => {
    expect(() => bench({ session: 7 as never })).toThrow(new TypeError('Option session is of type number; it must be a text, such as the user\'s id.'));
  });

  it('is dropped after a quarter of an hour, and then nothing from before it is known', async () => {
    const { bench, page } = await opened();
    await bench.clock.advance(5_000);
    const id = await bench.request('save_it');
    await bench.leave(page);
    await bench.clock.advance(15 * 60_000);
    await bench.open({}, handlers.surface());
    await bench.clock.advance(1_000);
    expect(bench.results(id)).toEqual([]);
    await bench.resend(id, 'save_it', 15 * 60_000 + 1_000);
    expect(bench.results(id)).toMatchObject([UNKNOWN]);
    expect(handlers.started).toEqual([id]);
  });

  it('is not run again for a clock that was set forward by more than that', async () => {
    const { bench, page } = await opened();
    const id = await bench.request('save_it');
    await bench.leave(page);
    const wall = bench.tab.wall();
    bench.tab.wall = () => wall + 3_600_000;
    await bench.open({}, handlers.surface());
    // By the clock as it is now, the agent has sent it a moment before.
    await bench.resend(id, 'save_it', 100);
    expect(bench.results(id)).toMatchObject([UNKNOWN]);
    expect(handlers.started).toEqual([id]);
  });

  it('is no more than the dedupe window: what fell out of it is not run again either', async () => {
    const bench = new TabBench();
    const page = await bench.open({ dedupeWindow: 2 }, handlers.surface());
    const ids: string[] = [];
    for (let count = 0; count < 4; count += 1) {
      ids.push(await bench.request('save_it'));
      await handlers.end();
      await bench.clock.advance(5_000);
      await bench.acknowledge(ids.at(-1)!);
    }
    expect([...bench.journal().keys()]).toEqual(ids.slice(2));
    await bench.leave(page);
    await bench.open({ dedupeWindow: 2 }, handlers.surface());
    for (const index of [3, 2, 1, 0]) await bench.resend(ids[index]!, 'save_it', (4 - index) * 5_000);
    expect(bench.results(ids[0]!)[1]).toMatchObject(UNKNOWN);
    expect(bench.results(ids[1]!)[1]).toMatchObject(UNKNOWN);
    expect(bench.results(ids[3]!)).toHaveLength(1);
    expect(handlers.started).toEqual(ids);
  });

  it.each(['full', 'forbidden'] as const)('is nothing where the storage is %s: one warning, and it works', async (how) => {
    const storage = new FakeStorage();
    storage[how] = true;
    const { bench, page } = await opened({ storage });
    for (let count = 0; count < 2; count += 1) {
      const id = await bench.request('save_it');
      await handlers.end('saved');
      await bench.clock.advance(250);
      expect(bench.results(id)).toMatchObject([{ success: true, data: 'saved' }]);
    }
    await bench.leave(page);
    expect(warn.mock.calls.map(([text]) => String(text).slice(0, 9))).toEqual(['[OUI1204]']);
  });

  it('survives what else lies in the storage', async () => {
    const { bench, page } = await opened();
    const id = await bench.request('save_it');
    await bench.leave(page);
    const { kept } = bench.tab.storage!;
    for (const [name, text] of [['a', 'no json'], ['b', 'null'], ['c', '{}'], ['d', '{"at":1e15,"requestId":"d"}']]) {
      kept.set(`oui:journal::0:${name}`, text!);
    }
    await bench.open({}, handlers.surface());
    await bench.clock.advance(250);
    expect(bench.results(id)).toMatchObject([UNKNOWN]);
  });

  it('belongs to the place of its runtime among those of the document', async () => {
    const { bench, page } = await opened();
    const id = await bench.request('save_it');
    await bench.leave(page);
    const document = bench.tab.open();
    document.places.add(':0');
    vi.spyOn(bench.tab, 'open').mockReturnValue(document);
    await bench.open({}, handlers.surface());
    await bench.clock.advance(10_000);
    expect(bench.results(id)).toEqual([]);
  });

  it('is there for the next runtime of the same document', async () => {
    const { bench, page } = await opened();
    const id = await bench.request('save_it');
    page.runtime.dispose();
    await bench.clock.advance(1_000);
    expect(bench.results(id)).toMatchObject([{ error: { code: 'SURFACE_UNAVAILABLE' } }]);
    vi.spyOn(bench.tab, 'open').mockReturnValue(page.document);
    await bench.open({}, handlers.surface());
    await bench.clock.advance(250);
    expect(bench.results(id)).toHaveLength(2);
    await bench.resend(id, 'save_it', 1_250);
    expect(handlers.started).toEqual([id]);
  });
});

describe('long data', () => {
  it('lie in the store until they were acknowledged, not in the storage of the tab', async () => {
    const { bench, page } = await opened();
    const id = await bench.request('save_long');
    expect(bench.store.kept.size).toBe(1);
    expect(JSON.stringify([...bench.journal()]).length).toBeLessThan(1_000);
    await bench.leave(page);
    await bench.open({}, handlers.surface());
    await bench.clock.advance(250);
    expect(bench.results(id)).toMatchObject([{ success: true, data: LONG }]);
    await bench.acknowledge(id);
    expect(bench.store.kept.size).toBe(0);
  });

  it.each(['lost', 'blocked'] as const)('that are %s are left out, and it is said so', async (how) => {
    const { bench, page } = await opened();
    const id = await bench.request('save_long');
    await bench.leave(page);
    if (how === 'lost') bench.store.kept.clear();
    else bench.store.blocked = true;
    await bench.open({}, handlers.surface());
    await bench.clock.advance(2_000);
    const [result, ...more] = bench.results(id);
    expect(more).toEqual([]);
    expect(result).toMatchObject({ success: true, fit: { data: { bytes: JSON.stringify(LONG).length, limit: 4_096 } } });
    expect(result).not.toHaveProperty('data');
  });

  it('are stored again by the engine that takes over', async () => {
    const { bench, page } = await opened();
    const id = await bench.request('save_long');
    bench.store.kept.clear();
    await bench.leave(page);
    page.document.comeBack();
    await bench.clock.advance(0);
    expect(bench.store.kept.size).toBe(1);
    await bench.clock.advance(250);
    expect(bench.results(id)).toMatchObject([{ data: LONG }]);
  });
});

describe('signing out', () => {
  it('forgets what requests came to, here and on the device, and keeps their ids', async () => {
    const { bench, page } = await opened();
    const long = await bench.request('save_long');
    await bench.clock.advance(250);
    const done = await bench.request('save_it');
    await handlers.end('secret');
    await bench.clock.advance(250);
    const running = await bench.request('save_it');
    const forgotten = page.runtime.forget();
    expect(bench.journal().size).toBe(0);
    await idle();
    await forgotten;
    expect(bench.store.kept.size).toBe(0);
    const before = bench.results(done).length;
    await bench.clock.advance(10_000);
    await bench.resend(done, 'save_it', 11_000);
    expect(JSON.stringify(bench.results(done).slice(before))).not.toContain('secret');
    // What runs goes on, and is not written.
    await handlers.end('later');
    await bench.clock.advance(250);
    expect(bench.results(running)).toMatchObject([{ data: 'later' }]);
    expect(bench.journal().size).toBe(0);
    expect(handlers.started).toEqual([long, done, running]);
    await bench.leave(page);
    await bench.open({}, handlers.surface());
    await bench.clock.advance(250);
    await bench.resend(done, 'save_it', 12_000);
    expect(bench.results(done).at(-1)).toMatchObject(UNKNOWN);
    expect(handlers.started).toEqual([long, done, running]);
  });

  it('retracts what an earlier document left', async () => {
    const { bench, page } = await opened();
    const id = await bench.request('save_it');
    await handlers.end('secret');
    await bench.leave(page);
    const next = await bench.open({}, handlers.surface());
    const forgotten = next.runtime.forget();
    await bench.clock.advance(250);
    await forgotten;
    expect(bench.results(id)).toMatchObject([UNKNOWN]);
  });

  it('does so before anything else was started, and over the loss of an engine', async () => {
    const { bench, page } = await opened();
    await bench.request('save_long');
    await bench.leave(page);
    const next = await bench.open({ session: 'ada' });
    const forgotten = next.runtime.forget();
    next.document.leave();
    next.document.comeBack();
    await bench.clock.advance(0);
    await forgotten;
    expect(bench.store.kept.size).toBe(0);
  });

  it('says when the device could not be cleared', async () => {
    const { bench, page } = await opened();
    bench.store.blocked = true;
    const forgotten = page.runtime.forget().catch(String);
    await bench.clock.advance(2_000);
    expect(await forgotten).toContain('expires within 15 minutes');
    const late = page.runtime.forget().catch(String);
    page.runtime.dispose();
    await bench.clock.advance(2_000);
    expect(await late).toContain('could not be cleared');
    await expect(page.runtime.forget()).rejects.toThrow('disposed');
  });
});
