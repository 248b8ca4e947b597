import { describe, expect, it } from 'vitest';
import { ACTIONS, EngineBench, surface } from './engine-bench.js';

function ready(config = {}, features?: readonly string[] | 'v1'): EngineBench {
  const bench = new EngineBench(config);
  bench.mount();
  bench.connect(features);
  return bench;
}

const ask = (bench: EngineBench, n = bench.effects.length): string => bench.request('delete_todo', { n });
const say = (bench: EngineBench, requestId: string, decision: 'granted' | 'denied' | 'dismissed'): void =>
  void bench.give({ kind: 'decided', requestId, decision });

function turnDown(bench: EngineBench, times: number, decision: 'denied' | 'dismissed' = 'denied'): void {
  for (let time = 0; time < times; time += 1) say(bench, ask(bench), decision);
}

const codeOf = (bench: EngineBench, id: string): string | undefined => bench.result(id).error?.code;
const questions = (bench: EngineBench): number => bench.of('ask-user').length;

describe('a user who turns down one question after the other', () => {
  it.each(['denied', 'dismissed'] as const)('is left alone after the third that is %s, and asked again later', (decision) => {
    const bench = ready();
    turnDown(bench, 3, decision);
    expect(questions(bench)).toBe(3);
    const fourth = ask(bench);
    expect(questions(bench)).toBe(3);
    expect(bench.result(fourth).error).toMatchObject({
      code: 'oui:rate_limited',
      details: { ran: false, retryAfterMs: 60_000 },
    });
    // What needs no user goes on.
    expect(bench.running(bench.request('add_todo', { title: 'a' }))).toBe(true);
    bench.pass(59_999);
    expect(codeOf(bench, ask(bench))).toBe('oui:rate_limited');
    bench.pass(1);
    ask(bench);
    expect(questions(bench)).toBe(4);
  });

  it('is left alone by agents of v1 too, about whatever they ask', () => {
    const bench = ready({}, 'v1');
    turnDown(bench, 3);
    expect(codeOf(bench, bench.request('pay_now'))).toBe('oui:rate_limited');
    expect(questions(bench)).toBe(3);
  });

  it('is not asked what waits behind the third', () => {
    for (const features of [undefined, 'v1'] as const) {
      const bench = ready({}, features);
      const ids = [1, 2, 3, 4, 5].map((n) => ask(bench, n));
      for (const id of ids.slice(0, 3)) say(bench, id, 'denied');
      expect(bench.of('close-question').map(({ requestId }) => requestId)).toEqual(ids.slice(3));
      if (features === undefined) for (const id of ids.slice(3)) expect(codeOf(bench, id)).toBe('oui:rate_limited');
      say(bench, ids[4]!, 'granted');
      bench.pass(0);
      expect(bench.of('run')).toEqual([]);
      expect(codeOf(bench, ask(bench, 5))).toBe('oui:rate_limited');
    }
  });

  it('is left alone twice as long each time, up to a quarter of an hour', () => {
    const bench = ready();
    const rests = Array.from({ length: 6 }, () => {
      turnDown(bench, 3);
      const { retryAfterMs } = bench.result(ask(bench)).error!.details as { retryAfterMs: number };
      bench.pass(retryAfterMs);
      return retryAfterMs / 60_000;
    });
    expect(rests).toEqual([1, 2, 4, 8, 15, 15]);
    // So long after, they may see it afresh.
    bench.pass(15 * 60_000);
    turnDown(bench, 3);
    expect(bench.result(ask(bench)).error!.details).toMatchObject({ retryAfterMs: 60_000 });
  });

  it('is asked on after a yes in between, after a while, and when they resume agents', () => {
    const bench = ready();
    turnDown(bench, 2);
    say(bench, ask(bench), 'granted');
    turnDown(bench, 2);
    bench.pass(60_000);
    turnDown(bench, 2);
    expect(questions(bench)).toBe(7);
    turnDown(bench, 1);
    bench.give({ kind: 'pause' });
    bench.give({ kind: 'resume' });
    ask(bench);
    expect(questions(bench)).toBe(9);
  });

  it('has turned down nothing while they were away, nor what the page asks for itself', () => {
    const bench = ready();
    for (let time = 0; time < 4; time += 1) ask(bench);
    bench.pass(300_000);
    const own = (requestId: string): void => {
      const request = { requestId, surfaceId: 'todo-app', actionId: 'delete_todo', params: {}, timestamp: 1 };
      bench.give({ kind: 'execute', request, nested: false });
    };
    for (const id of ['own-1', 'own-2', 'own-3']) {
      own(id);
      say(bench, id, 'denied');
    }
    ask(bench);
    expect(questions(bench)).toBe(8);
    turnDown(bench, 3);
    own('own-4');
    expect(bench.of('ask-user').at(-1)?.approval.requestId).toBe('own-4');
  });

  it('is left alone by what handlers ask for, too', () => {
    const bench = ready();
    const nested = (requestId: string): void => {
      const request = { requestId, surfaceId: 'todo-app', actionId: 'delete_todo', params: {}, timestamp: 1 };
      bench.give({ kind: 'execute', request, nested: true });
    };
    for (const id of ['n1', 'n2', 'n3']) {
      nested(id);
      say(bench, id, 'denied');
    }
    nested('n4');
    expect(questions(bench)).toBe(3);
  });

  it('is left alone by an agent that takes each question back before they can answer', () => {
    const bench = ready();
    const [first, second] = [ask(bench), ask(bench)];
    const takeBack = (requestId: string): void => void bench.receive('x-oui:cancel', { requestId });
    for (const id of [first, second]) takeBack(id);
    for (let time = 0; time < 20; time += 1) {
      bench.pass(400);
      takeBack(ask(bench));
    }
    expect(questions(bench)).toBeLessThan(8);
    expect(codeOf(bench, first)).toBe('oui:cancelled');
    expect(codeOf(bench, ask(bench))).toBe('oui:rate_limited');
  });

  it('is asked on when an agent ends several questions at once', () => {
    const bench = ready();
    const ids = [1, 2, 3, 4].map((n) => ask(bench, n));
    for (const requestId of ids) bench.receive('x-oui:cancel', { requestId });
    ask(bench);
    expect(questions(bench)).toBe(5);
  });
});

/** The surface with `delete_todo` declared otherwise. */
function redefined(change: object | null): ReturnType<typeof surface> {
  const others = ACTIONS.filter(({ id }) => id !== 'delete_todo');
  const action = ACTIONS.find(({ id }) => id === 'delete_todo')!;
  return surface('todo-app', change === null ? others : [...others, { ...action, ...change }]);
}
const define = (bench: EngineBench, change: object | null): void =>
  void bench.give({ kind: 'define', mountId: 1, surface: redefined(change), policies: {} });

describe('an action that changes while its user is being asked', () => {
  it('closes the question at once, and asks about what it is now', () => {
    const bench = ready();
    const id = ask(bench);
    bench.pass(10_000);
    define(bench, { description: 'WIPE ALL' });
    expect(bench.of('close-question')).toMatchObject([{ requestId: id }]);
    expect(bench.of('ask-user').at(-1)).toMatchObject({
      round: 2, approval: { requestId: id, description: 'WIPE ALL', expiresAt: bench.wall + 300_000 },
    });
    // An answer to what stood there before is none, be it yes or no.
    for (const decision of ['granted', 'denied', 'dismissed'] as const) {
      bench.give({ kind: 'decided', requestId: id, round: 1, decision });
    }
    expect([bench.running(id), bench.results(id)]).toEqual([false, []]);
    // The clock stands all the time.
    bench.pass(100_000);
    say(bench, id, 'granted');
    expect(bench.running(id)).toBe(true);
  });

  it('asks anew about all that waits, though there is no room for one more question', () => {
    for (const features of [undefined, 'v1'] as const) {
      const bench = ready({}, features);
      const ids = Array.from({ length: 20 }, (_, n) => ask(bench, n));
      define(bench, { description: 'WIPE ALL' });
      expect(bench.of('ask-user').slice(20).map(({ approval }) => approval.requestId)).toEqual(ids);
    }
  });

  it('leaves a question that shows the same, and its answer counts', () => {
    const bench = ready();
    const id = ask(bench);
    define(bench, { enabled: false, disabledReason: 'busy', tags: ['x'] });
    define(bench, { tags: ['y'] });
    expect(bench.of('close-question')).toEqual([]);
    bench.give({ kind: 'decided', requestId: id, round: 1, decision: 'granted' });
    expect(bench.running(id)).toBe(true);
  });

  const ends: [string, object | null, string][] = [
    ['is gone', null, 'ACTION_NOT_FOUND'],
    ['takes other parameters', { input: { type: 'object', required: ['name'] } }, 'VALIDATION_ERROR'],
    ['needs no approval any more', { confirm: false }, 'PRECONDITION_FAILED'],
  ];
  it.each(ends)('ends the request when it %s', (_, change, code) => {
    const bench = ready();
    const id = ask(bench);
    define(bench, change);
    expect(bench.of('close-question')).toMatchObject([{ requestId: id }]);
    expect(bench.result(id).error).toMatchObject({ code, details: { ran: false } });
    say(bench, id, 'granted');
    expect(bench.of('run')).toEqual([]);
  });

  it('ends it when the user switches it off', () => {
    const bench = ready();
    const [action, whole] = [ask(bench), ask(bench)];
    bench.give({ kind: 'consent', surfaceId: 'todo-app', actionId: 'delete_todo', allowed: false });
    expect([action, whole].map((id) => codeOf(bench, id))).toEqual(['ACTION_DENIED', 'ACTION_DENIED']);
    bench.give({ kind: 'consent', surfaceId: 'todo-app', actionId: 'delete_todo', allowed: true });
    const third = ask(bench);
    bench.give({ kind: 'consent', surfaceId: 'todo-app', allowed: false });
    expect(codeOf(bench, third)).toBe('SURFACE_UNAVAILABLE');
  });

  it('asks about the older mount of its surface when the newer one goes', () => {
    const bench = ready();
    bench.mount(redefined({ description: 'WIPE ALL' }), 2);
    const id = ask(bench);
    bench.give({ kind: 'unmount', mountId: 2 });
    expect(bench.of('ask-user').map(({ approval }) => approval.description)).toEqual(['WIPE ALL', 'Delete']);
    say(bench, id, 'granted');
    expect(bench.of('run')).toMatchObject([{ requestId: id, mountId: 1 }]);
  });

  it('ends the request when it goes on changing', () => {
    const bench = ready();
    const id = ask(bench);
    for (let time = 0; time < 8; time += 1) define(bench, { description: `Delete ${time}` });
    expect(questions(bench)).toBe(5);
    expect(codeOf(bench, id)).toBe('PRECONDITION_FAILED');
  });

  it.each([undefined, 'v1'] as const)('is no way to go on asking, with one request after the other (features: %s)', (features) => {
    const bench = ready({}, features);
    for (let request = 0; request < 10; request += 1) {
      ask(bench);
      for (let time = 0; time < 5; time += 1) {
        bench.pass(400);
        define(bench, { description: `Delete ${request} ${time}` });
      }
    }
    expect(questions(bench)).toBe(15);
    expect(codeOf(bench, ask(bench))).toBe('oui:rate_limited');
  });

  const comings: [string, (bench: EngineBench) => void][] = [
    ['with its surface', (bench) => {
      bench.give({ kind: 'unmount', mountId: 1 });
      bench.mount();
    }],
    ['alone', (bench) => {
      define(bench, null);
      define(bench, {});
    }],
    ['with its need for approval', (bench) => {
      define(bench, { confirm: false });
      define(bench, {});
    }],
  ];
  it.each(comings)('is no way to go on asking when it comes and goes %s', (_, comeAndGo) => {
    for (const features of [undefined, 'v1'] as const) {
      const bench = ready({}, features);
      for (let time = 0; time < 20; time += 1) {
        ask(bench);
        bench.pass(400);
        comeAndGo(bench);
      }
      expect(questions(bench)).toBeLessThan(8);
      expect(codeOf(bench, ask(bench))).toBe('oui:rate_limited');
    }
  });

  it('leaves the user alone about all that waits, when it was one of three that went', () => {
    const bench = ready();
    bench.mount(surface('other-app'), 2);
    turnDown(bench, 2);
    const [first, second] = [ask(bench), ask(bench)];
    const elsewhere = bench.request('delete_todo', {}, { surfaceId: 'other-app' });
    define(bench, null);
    expect([first, second, elsewhere].map((id) => codeOf(bench, id))).toEqual([
      'ACTION_NOT_FOUND', 'ACTION_NOT_FOUND', 'oui:rate_limited',
    ]);
  });

  it('counts once for all that goes with a surface, and never for what the page asks for itself', () => {
    const bench = ready();
    for (let n = 0; n < 5; n += 1) ask(bench, n);
    const own = (requestId: string): void => {
      const request = { requestId, surfaceId: 'todo-app', actionId: 'delete_todo', params: {}, timestamp: 1 };
      bench.give({ kind: 'execute', request, nested: false });
    };
    for (let time = 0; time < 5; time += 1) {
      own(`own-${time}`);
      bench.give({ kind: 'unmount', mountId: 1 });
      bench.mount();
      bench.pass(1000);
    }
    ask(bench);
    expect(questions(bench)).toBe(11);
  });

  it('tells an agent that waits that its question is over, when it cannot be asked anew', () => {
    const bench = ready();
    ask(bench);
    for (let time = 0; time < 5; time += 1) define(bench, { description: `Delete ${time}` });
    const told = bench.frames().flatMap(({ type, payload }) =>
      type === 'x-oui:approval' ? [(payload as { state: string }).state] : type === 'action:result' ? ['result'] : []);
    expect(told).toEqual([...Array<string>(5).fill('pending'), 'expired', 'result']);
  });

  it('closes the question of a v1 agent, and asks anew where there is something to ask', () => {
    for (const [change, asked] of [[{ title: 'Wipe' }, 2], [{ confirm: false }, 1], [null, 1]] as const) {
      const bench = ready({}, 'v1');
      const id = ask(bench, 1);
      define(bench, change);
      expect(bench.of('close-question')).toMatchObject([{ requestId: id }]);
      expect(questions(bench)).toBe(asked);
      if (asked === 1) continue;
      say(bench, id, 'granted');
      expect(bench.running(ask(bench, 1))).toBe(true);
    }
  });
});
