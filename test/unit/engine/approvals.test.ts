import { describe, expect, it } from 'vitest';
import type { OUIAction, OUISurface } from '../../../src/protocol/manifest.js';
import { ACTIONS, EngineBench, surface } from './engine-bench.js';

function ready(config = {}, features?: readonly string[] | 'v1'): EngineBench {
  const bench = new EngineBench(config);
  bench.mount();
  bench.connect(features);
  return bench;
}

const EMPTY_HASH = '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a';

describe('the page asks its user', () => {
  it('and runs after a yes, telling an agent that waits', () => {
    const bench = ready();
    const id = bench.request('delete_todo');
    expect(bench.of('ask-user')).toMatchObject([{ approval: { requestId: id, params: {}, argsHash: EMPTY_HASH } }]);
    expect(bench.running(id)).toBe(false);
    bench.give({ kind: 'decided', requestId: id, decision: 'granted' });
    expect(bench.running(id)).toBe(true);
    const states = bench.frames('x-oui:approval').map(({ payload }) => (payload as { state: string }).state);
    expect(states).toEqual(['pending', 'granted']);
  });

  it('and denies after a no', () => {
    const bench = ready();
    const id = bench.request('delete_todo');
    bench.give({ kind: 'decided', requestId: id, decision: 'denied' });
    expect(bench.result(id).error).toMatchObject({ code: 'ACTION_DENIED', details: { ran: false } });
    expect(bench.of('run')).toEqual([]);
  });

  it('and answers APPROVAL_REQUIRED when nobody does', () => {
    const bench = ready();
    const dismissed = bench.request('delete_todo');
    bench.give({ kind: 'decided', requestId: dismissed, decision: 'dismissed' });
    expect(bench.result(dismissed).error?.code).toBe('APPROVAL_REQUIRED');
    const expired = bench.request('delete_todo');
    bench.pass(300_000);
    expect(bench.result(expired).error?.code).toBe('APPROVAL_REQUIRED');
    expect(bench.of('close-question')).toMatchObject([{ requestId: expired }]);
    bench.give({ kind: 'decided', requestId: expired, decision: 'granted' });
    expect(bench.of('run')).toEqual([]);
  });

  it('and tells an agent that waits of a no, and of no answer in time', () => {
    const states = (decide: (bench: EngineBench, id: string) => void): unknown[] => {
      const bench = ready();
      decide(bench, bench.request('delete_todo'));
      return bench.frames('x-oui:approval').map(({ payload }) => (payload as { state: string }).state);
    };
    const decided = (decision: 'denied' | 'dismissed') => (bench: EngineBench, requestId: string): void =>
      void bench.give({ kind: 'decided', requestId, decision });
    expect(states(decided('denied'))).toEqual(['pending', 'denied']);
    expect(states(decided('dismissed'))).toEqual(['pending', 'expired']);
    expect(states((bench) => bench.pass(300_000))).toEqual(['pending', 'expired']);
    expect(states((bench) => void bench.give({ kind: 'stop' }))).toEqual(['pending', 'expired']);
  });

  it('without holding the queue of the surface', () => {
    const bench = ready();
    bench.request('delete_todo');
    expect(bench.running(bench.request('add_todo', { title: 'a' }))).toBe(true);
  });

  it('for every transaction and for the page’s own calls too', () => {
    const bench = ready();
    bench.request('pay_now');
    const request = { requestId: 'own', surfaceId: 'todo-app', actionId: 'delete_todo', params: {}, timestamp: 1 };
    bench.give({ kind: 'execute', request, nested: false });
    expect(bench.of('ask-user').map(({ approval }) => approval.actionId)).toEqual(['pay_now', 'delete_todo']);
    expect(bench.of('run')).toEqual([]);
  });
});

const ask = (bench: EngineBench, params: unknown = {}): string => bench.request('delete_todo', params);

describe('a v1 agent', () => {
  it('is told at once, and admitted once after a yes', () => {
    const bench = ready({}, 'v1');
    const first = ask(bench);
    expect(bench.result(first).error).toMatchObject({
      code: 'APPROVAL_REQUIRED',
      details: { argsHash: EMPTY_HASH, expiresAt: bench.wall + 300_000 },
    });
    const second = ask(bench);
    expect(bench.result(second).error?.code).toBe('APPROVAL_REQUIRED');
    expect(bench.of('ask-user')).toHaveLength(1);
    bench.give({ kind: 'decided', requestId: first, decision: 'granted' });
    const third = ask(bench);
    expect(bench.running(third)).toBe(true);
    bench.finish(third);
    expect(bench.result(ask(bench)).error?.code).toBe('APPROVAL_REQUIRED');
    expect(bench.of('ask-user')).toHaveLength(2);
  });

  it('admits with a yes that surface, action and hash alone', () => {
    const bench = ready({}, 'v1');
    const other = { surfaceId: 'other-app' };
    bench.mount({ ...surface(), id: 'other-app' }, 2);
    bench.give({ kind: 'decided', requestId: ask(bench, { id: 4 }), decision: 'granted' });
    const others = [
      bench.request('delete_todo', { id: 5 }),
      bench.request('pay_now', { id: 4 }),
      bench.request('delete_todo', { id: 4 }, other),
    ];
    for (const id of others) expect(bench.result(id).error?.code).toBe('APPROVAL_REQUIRED');
    expect(bench.running(ask(bench, { id: 4 }))).toBe(true);
  });

  it('is denied after a no, until the question expires, for these parameters only', () => {
    const bench = ready({}, 'v1');
    bench.give({ kind: 'decided', requestId: ask(bench), decision: 'denied' });
    expect(bench.result(ask(bench)).error?.code).toBe('ACTION_DENIED');
    expect(bench.result(ask(bench, { other: 1 })).error?.code).toBe('APPROVAL_REQUIRED');
    bench.pass(300_000);
    expect(bench.result(ask(bench)).error?.code).toBe('APPROVAL_REQUIRED');
  });

  it('asks anew after nobody answered', () => {
    const bench = ready({}, 'v1');
    bench.give({ kind: 'decided', requestId: ask(bench), decision: 'dismissed' });
    ask(bench);
    expect(bench.of('ask-user')).toHaveLength(2);
  });
});

describe('questions', () => {
  it('of v1 agents go when their surface goes, and when the user stops agents', () => {
    const bench = ready({}, 'v1');
    const first = ask(bench);
    bench.give({ kind: 'unmount', mountId: 1 });
    expect(bench.of('close-question')).toMatchObject([{ requestId: first }]);
    bench.mount(undefined, 2);
    const second = ask(bench);
    bench.give({ kind: 'stop' });
    expect(bench.of('close-question').at(-1)).toMatchObject({ requestId: second });
  });

  it('are not piled up', () => {
    for (const features of [undefined, 'v1'] as const) {
      const bench = ready({}, features);
      const ids = Array.from({ length: 25 }, (_, index) => ask(bench, { index }));
      expect(bench.of('ask-user')).toHaveLength(20);
      expect(bench.result(ids.at(-1)!).error?.code).toBe('oui:rate_limited');
      bench.give({ kind: 'decided', requestId: ids[0]!, decision: 'denied' });
      ask(bench, { index: 99 });
      expect(bench.of('ask-user')).toHaveLength(21);
    }
  });

  it('of agents and of the page itself leave each other room', () => {
    const own = (bench: EngineBench, requestId: string): void => {
      const request = { requestId, surfaceId: 'todo-app', actionId: 'delete_todo', params: {}, timestamp: 1 };
      bench.give({ kind: 'execute', request, nested: false });
    };
    const flooded = ready();
    for (let n = 0; n < 21; n += 1) ask(flooded, { n });
    own(flooded, 'own');
    expect(flooded.of('ask-user').map(({ approval }) => approval.requestId).slice(19)).toEqual(['r20', 'own']);
    const busy = ready();
    for (let n = 0; n < 21; n += 1) own(busy, `own-${n}`);
    const id = ask(busy);
    expect(busy.of('ask-user').map(({ approval }) => approval.requestId).slice(19)).toEqual(['own-19', id]);
  });

  it('are asked of an agent that waits, though its connection broke before the question', () => {
    const bench = ready({ hasGate: true });
    const id = ask(bench);
    bench.give({ kind: 'disconnected', reason: 'gone' });
    bench.give({ kind: 'gate', requestId: id, open: true });
    bench.connect();
    expect(bench.results(id)).toEqual([]);
    bench.give({ kind: 'decided', requestId: id, decision: 'granted' });
    expect(bench.running(id)).toBe(true);
  });
});

describe('other ways to confirm', () => {
  it('"agent" trusts no one for the page\'s own calls', () => {
    const bench = ready({ confirmBy: 'agent' });
    const request = { requestId: 'own', surfaceId: 'todo-app', actionId: 'delete_todo', params: {}, timestamp: 1 };
    bench.give({ kind: 'execute', request, nested: true });
    expect(bench.running('own')).toBe(false);
  });

  it('"agent" trusts the agent with confirm, not with transactions', () => {
    const bench = ready({ confirmBy: 'agent' });
    expect(bench.running(bench.request('delete_todo'))).toBe(true);
    bench.request('pay_now');
    expect(bench.of('ask-user')).toMatchObject([{ approval: { actionId: 'pay_now' } }]);
  });

  it('"grant", and a page that cannot ask, refuse', () => {
    for (const config of [{ confirmBy: 'grant' }, { canAsk: false }]) {
      const bench = ready(config);
      const { error } = bench.result(bench.request('delete_todo'));
      expect(error).toMatchObject({ code: 'APPROVAL_REQUIRED', details: { argsHash: EMPTY_HASH } });
      expect(bench.of('ask-user')).toEqual([]);
    }
  });
});

/** The surface with `delete_todo` declared otherwise. */
function redefined(change: Partial<OUIAction>): OUISurface {
  const actions = ACTIONS.map((action) => (action.id === 'delete_todo' ? { ...action, ...change } : action));
  return surface('todo-app', actions);
}

const allByDefault = { type: 'object', properties: { all: { type: 'boolean', default: true } } };
const WIPE: Partial<OUIAction> = { description: 'WIPE ALL', effect: 'transaction', input: allByDefault };
const grant = (bench: EngineBench, requestId: string, round?: number): void =>
  void bench.give({ kind: 'decided', requestId, decision: 'granted', ...(round !== undefined && { round }) });

describe('a yes is to the action as it was shown', () => {
  const changes: [string, Partial<OUIAction>][] = [
    ['description', { description: 'WIPE ALL' }],
    ['title', { title: 'Wipe' }],
    ['effect', { effect: 'transaction' }],
    ['default', { input: allByDefault }],
  ];

  it.each(changes)('and one that has another %s by then is asked about anew', (_, change) => {
    const bench = ready();
    const id = ask(bench);
    bench.mount(redefined(change), 2);
    // The user pressed the button while the page was changing.
    grant(bench, id, 1);
    expect(bench.running(id)).toBe(false);
    expect(bench.of('ask-user')).toHaveLength(2);
    // The page keeps its answers by request, and would give the first one again.
    const order = bench.effects.map(({ kind }) => kind).filter((kind) => /ask-user|close-question/.test(kind));
    expect(order).toEqual(['ask-user', 'close-question', 'ask-user']);
    grant(bench, id);
    expect(bench.running(id)).toBe(true);
    const states = bench.frames('x-oui:approval').map(({ payload }) => (payload as { state: string }).state);
    expect(states).toEqual(['pending', 'pending', 'granted']);
  });

  it('and one that changes while it waits in the queue is asked about anew', () => {
    const bench = ready();
    const first = bench.request('add_todo', { title: 'a' });
    const id = ask(bench, { n: 1 });
    grant(bench, id);
    bench.give({ kind: 'define', mountId: 1, surface: redefined(WIPE), policies: {} });
    bench.finish(first);
    expect(bench.running(id)).toBe(false);
    expect(bench.of('ask-user').at(-1)?.approval).toMatchObject({ description: 'WIPE ALL', defaults: { all: true } });
  });

  it('and a change of what was not shown leaves it', () => {
    const bench = ready();
    const id = ask(bench);
    const tags = ['new'];
    bench.give({ kind: 'define', mountId: 1, surface: redefined({ tags, enabled: true }), policies: {} });
    grant(bench, id);
    expect(bench.running(id)).toBe(true);
    expect(bench.of('ask-user')).toHaveLength(1);
  });

  it('and an engine that takes over knows what was shown', () => {
    const old = ready();
    const id = ask(old);
    const bench = new EngineBench();
    bench.mount(redefined(WIPE));
    bench.give({ kind: 'restore', entries: old.of('journal').map(({ entry }) => entry).slice(-1) });
    expect(bench.of('ask-user')).toMatchObject([{ round: 2, approval: { description: 'WIPE ALL' } }]);
    grant(bench, id, 1);
    expect(bench.running(id)).toBe(false);
    grant(bench, id);
    expect(bench.running(id)).toBe(true);
  });

  it('for v1 agents too: an answer about another action does not count, nor does its question stay', () => {
    for (const answered of [true, false]) {
      const bench = ready({}, 'v1');
      const first = ask(bench);
      if (answered) grant(bench, first);
      bench.mount(redefined(WIPE), 2);
      // What is open is asked anew at once; what was answered, with the next request.
      expect(bench.of('ask-user')).toHaveLength(answered ? 1 : 2);
      const second = ask(bench);
      expect(bench.result(second).error?.code).toBe('APPROVAL_REQUIRED');
      expect(bench.of('ask-user')).toHaveLength(2);
      expect(bench.of('close-question')).toHaveLength(answered ? 0 : 1);
      grant(bench, first, 1);
      expect(bench.result(ask(bench)).error?.code).toBe('APPROVAL_REQUIRED');
      grant(bench, answered ? second : first);
      expect(bench.running(ask(bench))).toBe(true);
    }
  });

  it('for v1 agents in the queue too, and the new question stays open for the next request', () => {
    const bench = ready({}, 'v1');
    const busy = bench.request('add_todo', { title: 'a' });
    grant(bench, ask(bench));
    const id = ask(bench);
    bench.give({ kind: 'define', mountId: 1, surface: redefined(WIPE), policies: {} });
    bench.finish(busy);
    expect(bench.result(id).error?.code).toBe('APPROVAL_REQUIRED');
    const asked = bench.effects.findLastIndex(({ kind }) => kind === 'ask-user');
    expect(bench.effects.slice(asked).filter(({ kind }) => kind === 'close-question')).toEqual([]);
    grant(bench, id);
    expect(bench.running(ask(bench))).toBe(true);
  });

  it('and a question that an agent asked is no yes to a transaction', () => {
    for (const features of [undefined, 'v1'] as const) {
      const bench = ready({ confirmBy: 'agent' }, features);
      const busy = bench.request('add_todo', { title: 'a' });
      const id = ask(bench);
      bench.give({ kind: 'define', mountId: 1, surface: redefined({ effect: 'transaction' }), policies: {} });
      bench.finish(busy);
      expect(bench.running(id)).toBe(false);
      expect(bench.of('ask-user')).toMatchObject([{ approval: { requestId: id } }]);
    }
  });

  it('and to the parameters as they were hashed, whatever is done with what is shown', () => {
    const bench = ready();
    const params = { n: 1, list: [{ m: 1 }] };
    const request = { requestId: 'own', surfaceId: 'todo-app', actionId: 'delete_todo', params, timestamp: 1 };
    bench.give({ kind: 'execute', request, nested: false });
    const shown = bench.of('ask-user')[0]!.approval.params as typeof params;
    shown.n = 999;
    shown.list[0]!.m = 999;
    grant(bench, 'own');
    expect(bench.of('run')).toMatchObject([{ params: { n: 1, list: [{ m: 1 }] } }]);
  });
});
