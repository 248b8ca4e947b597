import { describe, expect, it } from 'vitest';
import type { SettleMoment } from '../../../src/protocol/inspection.js';
import { PageTimers } from '../../../src/surface/clock/page-timers.js';
import { Settler } from '../../../src/surface/settle/settle.js';
import { PageWork } from '../../../src/surface/settle/track/page-work.js';
import type { PageScope } from '../../../src/surface/settle/track/begin-work.js';
import { HandClock } from './hand-clock.js';

const never = new AbortController().signal;
const observation = { surfaceId: 'todo-app', declaration: { id: 'open_count' } };

function setUp(scope?: object) {
  const clock = new HandClock();
  const work = scope && new PageWork(scope as PageScope, true);
  const times = { quietMs: 250, timeoutMs: 5_000 };
  const settler = new Settler({ timers: new PageTimers(clock), times, flush: () => {}, work });
  const told: SettleMoment[] = [];
  const tell = (moment: SettleMoment): void => void told.push(moment);
  return { clock, settler, told, tell };
}

describe('settling tells those who want to know', () => {
  it('what it waits for, in order, and what ended it', async () => {
    const { clock, settler, told, tell } = setUp();
    const before = settler.hold('spinner');
    const watch = settler.watch('quiet', never, tell);
    settler.changed(observation, clock.now());
    void watch.settled();
    settler.touched();
    before();
    settler.hold()();
    await clock.advance(250);
    expect(told).toEqual([
      { kind: 'observation', surfaceId: 'todo-app', observationId: 'open_count' },
      { kind: 'waiting', quietMs: 250, holds: ['spinner'], work: 0 },
      { kind: 'surfaces' },
      { kind: 'release', name: 'spinner' },
      { kind: 'hold', name: '' },
      { kind: 'release', name: '' },
      { kind: 'end', settled: true, why: 'quiet' },
    ]);
  });

  it('what it saw and did not wait for', async () => {
    const { clock, settler, told, tell } = setUp();
    for (let count = 0; count < 4; count++) settler.changed(observation, clock.now());
    const watch = settler.watch('quiet', never, tell);
    settler.changed(observation, clock.now());
    watch.end();
    expect(told).toEqual([
      { kind: 'observation', surfaceId: 'todo-app', observationId: 'open_count', ignored: true },
    ]);
  });

  it('that it gave up, and that the request was ended', async () => {
    const { clock, settler, told, tell } = setUp();
    settler.hold('for ever');
    void settler.watch('quiet', never, tell).settled();
    await clock.advance(5_000);
    expect(told.at(-1)).toEqual({ kind: 'end', settled: false, why: 'deadline' });
    const controller = new AbortController();
    void settler.watch('quiet', controller.signal, tell).settled();
    controller.abort();
    expect(told.at(-1)).toEqual({ kind: 'end', settled: false, why: 'ended' });
  });

  it('the page\'s own work, where it is tracked', async () => {
    const finished: (() => void)[] = [];
    const scope = { fetch: () => new Promise<void>((resolve) => finished.push(resolve)) };
    const { settler, told, tell } = setUp(scope);
    const watch = settler.watch('quiet', never, tell);
    void scope.fetch();
    void watch.settled();
    finished[0]!();
    await Promise.resolve();
    await Promise.resolve();
    watch.end();
    expect(told).toEqual([
      { kind: 'work', work: 'request' },
      { kind: 'waiting', quietMs: 250, holds: [], work: 1 },
      { kind: 'work-ended', work: 'request' },
      { kind: 'end', settled: false, why: 'ended' },
    ]);
  });

  it('only the painting, for an action whose own work is all there is', async () => {
    const { clock, settler, told, tell } = setUp();
    void settler.watch('sync', never, tell).settled();
    await clock.advance(0);
    await clock.paint();
    expect(told).toEqual([]);
    await clock.paint();
    expect(told).toEqual([{ kind: 'end', settled: true, why: 'rendered' }]);
    settler.watch('none', never, tell);
    expect(told).toHaveLength(1);
  });
});
