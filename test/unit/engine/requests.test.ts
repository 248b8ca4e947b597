import { describe, expect, it } from 'vitest';
import { ACTIONS, EngineBench, surface } from './engine-bench.js';

function ready(config = {}, features?: readonly string[] | 'v1'): EngineBench {
  const bench = new EngineBench(config);
  bench.mount();
  bench.connect(features);
  return bench;
}

describe('order of checks', () => {
  it('runs a good request and answers with the page after it', () => {
    const bench = ready();
    const id = bench.request('add_todo', { title: 'Milk' });
    expect(bench.frames('x-oui:receipt').map(({ payload }) => payload)).toEqual([{ requestId: id, ok: true }]);
    expect(bench.of('run')).toMatchObject([{ requestId: id, actionId: 'add_todo', params: { title: 'Milk' } }]);
    bench.give({ kind: 'returned', requestId: id, outcome: { success: true, data: '{"id":"7"}' } });
    bench.give({ kind: 'observe', mountId: 1, observationId: 'todo_list', value: '[{"id":"7"}]' });
    expect(bench.results(id)).toEqual([]);
    bench.pass(20);
    bench.give({ kind: 'settled', requestId: id, settled: true });
    const result = bench.result(id);
    expect(result).toMatchObject({
      success: true,
      data: { id: '7' },
      durationMs: 20,
      settled: true,
      observations: { 'todo-app': { todo_list: [{ id: '7' }] } },
    });
    expect(result).not.toHaveProperty('interim');
    expect(result.surfaces).toHaveLength(1);
  });

  it('repeats the surfaces only when the agent holds others', () => {
    const bench = ready();
    const first = bench.request('list_todos');
    bench.finish(first);
    const knownSurfaces = bench.result(first).surfacesHash;
    const second = bench.request('list_todos', {}, { knownSurfaces });
    bench.finish(second);
    expect(bench.result(second).surfaces).toBeUndefined();
    expect(bench.result(second).surfacesHash).toBe(knownSurfaces);
  });

  it('are made in this order: of everything that is wrong, the first is answered', () => {
    const bench = ready({ hasGate: true, ratePerSecond: 1, rateBurst: 1 });
    const answers: unknown[] = [];
    const ask = (open: boolean, n: unknown = 'no number'): string => {
      const asked = bench.of('ask-gate').length;
      const id = bench.request('change_it', { n });
      answers.push(bench.of('ask-gate').length > asked ? 'asks the gate' : 'does not ask');
      bench.give({ kind: 'gate', requestId: id, open });
      const error = bench.results(id)[0]?.error;
      if (error) answers.push(`${error.code}: ${error.message.split(/[,;:.]/, 1)[0]}`);
      return id;
    };
    const change = (more: object): void => {
      const input = { type: 'object', properties: { n: { type: 'integer' }, by: { default: 1 } } };
      const action = { id: 'change_it', description: 'Changes', input, confirm: true, ...more };
      bench.give({ kind: 'define', mountId: 1, surface: surface('todo-app', [...ACTIONS, action]) });
    };
    // What the checks from the last to the first will find: the queue is held, the rate is used up, and so on.
    const holder = bench.request('add_todo', { title: 'a' });
    bench.give({ kind: 'gate', requestId: holder, open: true });
    bench.give({ kind: 'consent', surfaceId: 'todo-app', actionId: 'change_it', allowed: false });
    bench.give({ kind: 'consent', surfaceId: 'todo-app', allowed: false });
    bench.give({ kind: 'pause' });
    let deep: unknown = 'x';
    for (let depth = 0; depth < 100; depth++) deep = [deep];

    ask(false, deep);
    ask(false);
    ask(true);
    bench.give({ kind: 'resume' });
    ask(true);
    bench.give({ kind: 'consent', surfaceId: 'todo-app', allowed: true });
    ask(true);
    change({ enabled: false, disabledReason: 'nothing is selected' });
    ask(true);
    change({});
    ask(true);
    bench.give({ kind: 'consent', surfaceId: 'todo-app', actionId: 'change_it', allowed: true });
    ask(true);
    bench.pass(1_000);
    ask(true);
    expect(bench.of('ask-user')).toEqual([]);
    expect(answers).toEqual([
      'does not ask',
      'VALIDATION_ERROR: Malformed request',
      'asks the gate',
      'asks the gate',
      'ACTION_DENIED: The user of the page has paused agents',
      'asks the gate',
      'SURFACE_UNAVAILABLE: No surface "todo-app" is active on this page',
      'asks the gate',
      'ACTION_NOT_FOUND: Surface "todo-app" has no action "change_it"',
      'asks the gate',
      'PRECONDITION_FAILED: "change_it" on surface "todo-app" is not available now',
      'asks the gate',
      'ACTION_DENIED: The user of the page has switched off "change_it" on surface "todo-app"',
      'asks the gate',
      'oui:rate_limited: Too many requests for surface "todo-app"',
      'asks the gate',
      'VALIDATION_ERROR: Parameters of "change_it" do not fit its input schema',
    ]);

    bench.pass(1_000);
    const id = ask(true, 7);
    expect(bench.of('ask-user')).toMatchObject([{ approval: { requestId: id } }]);
    bench.give({ kind: 'decided', requestId: id, decision: 'granted' });
    expect(bench.running(id)).toBe(false);
    bench.finish(holder);
    expect(bench.of('run').at(-1)).toMatchObject({ requestId: id, params: { n: 7, by: 1 } });
    bench.request('change_it', {}, { requestId: id });
    expect(bench.of('ask-gate')).toHaveLength(answers.filter((answer) => answer === 'asks the gate').length + 1);
  });

  it('gives the receipt before the handler starts', () => {
    const bench = ready();
    const id = bench.request('add_todo', { title: 'Milk' });
    const told = bench.effects.map((effect) => (effect.kind === 'send' ? effect.type : effect.kind));
    expect(bench.running(id)).toBe(true);
    expect(told.indexOf('x-oui:receipt')).toBeGreaterThanOrEqual(0);
    expect(told.indexOf('x-oui:receipt')).toBeLessThan(told.indexOf('run'));
  });

  it('writes the journal before the handler starts', () => {
    const bench = ready();
    bench.request('add_todo', { title: 'Milk' });
    const kinds = bench.effects.map(({ kind }) => kind);
    expect(kinds.indexOf('journal')).toBeGreaterThanOrEqual(0);
    expect(kinds.indexOf('journal')).toBeLessThan(kinds.indexOf('run'));
    expect(bench.of('journal')[0]?.entry).toMatchObject({ stage: 'running', request: { params: { title: 'Milk' } } });
  });

  it('names what is there when surface or action is not', () => {
    const bench = ready();
    const noSurface = bench.result(bench.request('add_todo', {}, { surfaceId: 'nope' }));
    expect(noSurface.error).toMatchObject({ code: 'SURFACE_UNAVAILABLE', details: { ran: false } });
    expect(noSurface.error?.message).toContain('todo-app');
    const noAction = bench.result(bench.request('ad_todo'));
    expect(noAction.error?.code).toBe('ACTION_NOT_FOUND');
    expect(noAction.error?.message).toContain('add_todo, list_todos');
    const off = bench.result(bench.request('off_now'));
    expect(off.error).toMatchObject({ code: 'PRECONDITION_FAILED', details: { reason: 'nothing is selected' } });
  });

  it('reports every parameter that does not fit, with its path', () => {
    const input = {
      type: 'object',
      properties: { title: { type: 'string' }, count: { type: 'integer' } },
      required: ['title'],
    };
    const bench = new EngineBench();
    bench.mount(surface('todo-app', [{ id: 'add_many', description: 'Add', input }]));
    bench.connect();
    const { error } = bench.result(bench.request('add_many', { count: '3' }));
    expect(error?.code).toBe('VALIDATION_ERROR');
    expect(error?.details).toMatchObject({ ran: false });
    const { errors } = error?.details as { errors: { path: string }[] };
    expect(errors.map(({ path }) => path).sort()).toEqual(['/count', '/title']);
    expect(bench.of('run')).toEqual([]);
  });

  it('takes params as they were sent: a default does not stand for what is required', () => {
    const input = { type: 'object', properties: { title: { type: 'string', default: 'Milk' } }, required: ['title'] };
    const bench = new EngineBench();
    bench.mount(surface('todo-app', [{ id: 'add_one', description: 'Add', input }]));
    bench.connect();
    const { error } = bench.result(bench.request('add_one', {}));
    expect(error).toMatchObject({ code: 'VALIDATION_ERROR', details: { errors: [{ path: '/title', keyword: 'required' }] } });
  });

  it('takes no parameters at all for an empty object', () => {
    const bench = ready();
    bench.receive('action:request', { requestId: 'x', surfaceId: 'todo-app', actionId: 'list_todos', timestamp: 1 });
    expect(bench.of('run')).toMatchObject([{ params: {} }]);
  });

  it('limits the rate per surface', () => {
    const bench = ready({ ratePerSecond: 10, rateBurst: 2 });
    const ids = [1, 2, 3].map(() => bench.request('list_todos'));
    expect(bench.running(ids[1]!)).toBe(true);
    expect(bench.result(ids[2]!).error).toMatchObject({ code: 'oui:rate_limited', details: { retryAfterMs: 100 } });
    bench.pass(100);
    expect(bench.running(bench.request('list_todos'))).toBe(true);
  });

  it('denies while paused, and by the switches of the user', () => {
    const bench = ready();
    bench.give({ kind: 'pause' });
    expect(bench.result(bench.request('list_todos')).error?.code).toBe('ACTION_DENIED');
    bench.give({ kind: 'resume' });
    bench.give({ kind: 'consent', surfaceId: 'todo-app', actionId: 'add_todo', allowed: false });
    expect(bench.result(bench.request('add_todo', { title: 'a' })).error?.code).toBe('ACTION_DENIED');
    bench.give({ kind: 'consent', surfaceId: 'todo-app', allowed: false });
    expect(bench.frames('surface:deregister')).toHaveLength(1);
    expect(bench.result(bench.request('list_todos')).error?.code).toBe('SURFACE_UNAVAILABLE');
    bench.give({ kind: 'consent', surfaceId: 'todo-app', allowed: true });
    expect(bench.frames('surface:register')).toHaveLength(2);
    expect(bench.running(bench.request('list_todos'))).toBe(true);
  });
});

describe('the accept gate', () => {
  it('lets a request in, or refuses it on its receipt and leaves no trace', () => {
    const bench = ready({ hasGate: true });
    const id = bench.request('add_todo', { title: 'a' }, { requestId: 'same' });
    expect(bench.of('ask-gate')).toMatchObject([{ request: { requestId: 'same' } }]);
    bench.give({ kind: 'gate', requestId: id, open: false });
    expect(bench.frames('x-oui:receipt').at(-1)?.payload).toEqual({
      requestId: 'same',
      ok: false,
      reason: 'this client does not accept requests now',
    });
    expect(bench.results(id)).toEqual([]);
    bench.request('add_todo', { title: 'a' }, { requestId: 'same' });
    bench.give({ kind: 'gate', requestId: id, open: true });
    expect(bench.running(id)).toBe(true);
  });

  it('answers where there are no receipts', () => {
    const bench = ready({ hasGate: true }, 'v1');
    const id = bench.request('add_todo', { title: 'a' });
    bench.give({ kind: 'gate', requestId: id, open: false });
    expect(bench.result(id).error?.code).toBe('oui:not_accepting');
  });

  it('that refuses without a connection is answered on the next one', () => {
    const bench = ready({ hasGate: true });
    const id = bench.request('add_todo', { title: 'a' });
    bench.give({ kind: 'disconnected', reason: 'gone' });
    bench.give({ kind: 'gate', requestId: id, open: false });
    bench.connect();
    expect(bench.result(id).error?.code).toBe('oui:not_accepting');
  });

  it('is not asked about a request that already ran', () => {
    const bench = ready({ hasGate: true });
    const id = bench.request('list_todos');
    bench.give({ kind: 'gate', requestId: id, open: true });
    bench.finish(id);
    bench.pass(9_000);
    bench.request('list_todos', {}, { requestId: id });
    expect(bench.of('ask-gate')).toHaveLength(1);
    expect(bench.results(id)).toHaveLength(2);
  });

  it('is not asked about the calls of the page, nor about those of its handlers', () => {
    const bench = ready({ hasGate: true });
    for (const nested of [false, true]) {
      const request = { requestId: `nested ${nested}`, surfaceId: 'todo-app', actionId: 'list_todos', params: {}, timestamp: 1 };
      bench.give({ kind: 'execute', request, nested });
      expect(bench.running(request.requestId)).toBe(true);
    }
    expect(bench.of('ask-gate')).toEqual([]);
  });
});

describe('repeats', () => {
  it('get a receipt and nothing else while the outcome is worked out', () => {
    const bench = ready();
    const id = bench.request('add_todo', { title: 'a' });
    bench.request('add_todo', { title: 'a' }, { requestId: id });
    expect(bench.frames('x-oui:receipt')).toHaveLength(2);
    expect(bench.of('run')).toHaveLength(1);
    expect(bench.results(id)).toEqual([]);
  });

  it('get the same answer again after a while, until it is acknowledged', () => {
    const bench = ready();
    const id = bench.request('list_todos');
    bench.finish(id);
    bench.request('list_todos', {}, { requestId: id });
    expect(bench.results(id)).toHaveLength(1);
    bench.pass(8_000);
    bench.request('list_todos', {}, { requestId: id });
    expect(bench.results(id)).toHaveLength(2);
    expect(bench.results(id)[1]).toEqual(bench.results(id)[0]);
    bench.receive('x-oui:ack', { requestId: id, interim: false, ok: true });
    expect(bench.of('journal').at(-1)?.entry).not.toHaveProperty('result');
    bench.pass(60_000);
    bench.request('list_todos', {}, { requestId: id });
    expect(bench.results(id)).toHaveLength(2);
    expect(bench.of('run')).toHaveLength(1);
  });

  it('are remembered for the window only, open requests always', () => {
    const bench = ready({ dedupeWindow: 3 });
    const open = bench.request('add_todo', { title: 'a' });
    const first = bench.request('list_todos');
    bench.finish(first);
    for (let count = 0; count < 3; count++) bench.finish(bench.request('list_todos'));
    expect(bench.of('forget').map(({ requestId }) => requestId)).toContain(first);
    bench.request('add_todo', { title: 'a' }, { requestId: open });
    expect(bench.of('run').filter(({ requestId }) => requestId === open)).toHaveLength(1);
  });
});

describe('the queue', () => {
  it('runs one action at a time, in order; reads do not wait', () => {
    const bench = ready();
    const [first, second, third] = ['a', 'b', 'c'].map((title) => bench.request('add_todo', { title }));
    const read = bench.request('list_todos');
    expect([first, second, third, read].map((id) => bench.running(id!))).toEqual([true, false, false, true]);
    bench.finish(first!);
    expect(bench.running(second!)).toBe(true);
    expect(bench.running(third!)).toBe(false);
    bench.finish(second!);
    expect(bench.running(third!)).toBe(true);
  });

  it('is not for surfaces that say concurrent, nor for a handler calling another action', () => {
    const bench = new EngineBench();
    bench.mount({ ...surface(), concurrent: true });
    bench.connect();
    const ids = ['a', 'b'].map((title) => bench.request('add_todo', { title }));
    expect(ids.map((id) => bench.running(id))).toEqual([true, true]);

    const queued = ready();
    queued.request('add_todo', { title: 'outer' });
    const request = { requestId: 'inner', surfaceId: 'todo-app', actionId: 'add_todo', params: { title: 'i' }, timestamp: 1 };
    queued.give({ kind: 'execute', request, nested: true });
    expect(queued.running('inner')).toBe(true);
    queued.finish('inner');
    expect(queued.of('executed')).toMatchObject([{ requestId: 'inner', result: { success: true } }]);
  });

  it('is for the calls of the page as for those of agents', () => {
    const bench = ready();
    const first = bench.request('add_todo', { title: 'a' });
    const request = { requestId: 'own', surfaceId: 'todo-app', actionId: 'add_todo', params: { title: 'b' }, timestamp: 1 };
    bench.give({ kind: 'execute', request, nested: false });
    const third = bench.request('add_todo', { title: 'c' });
    expect(bench.running('own')).toBe(false);
    bench.finish(first);
    expect([bench.running('own'), bench.running(third)]).toEqual([true, false]);
    bench.finish('own');
    expect(bench.running(third)).toBe(true);
  });

  it('asks again, when the turn comes, whether the action is still there', () => {
    const bench = ready();
    const first = bench.request('add_todo', { title: 'a' });
    const second = bench.request('add_todo', { title: 'b' });
    bench.give({ kind: 'pause' });
    bench.finish(first);
    expect(bench.running(second)).toBe(false);
    expect(bench.result(second).error).toMatchObject({ code: 'ACTION_DENIED', details: { ran: false } });
  });
});

describe('the deadline', () => {
  it('ends a handler that never returns, and the queue goes on', () => {
    const bench = ready();
    const stuck = bench.request('add_todo', { title: 'a' });
    const next = bench.request('add_todo', { title: 'b' });
    bench.pass(24_999);
    expect(bench.results(stuck)).toEqual([]);
    bench.pass(1);
    expect(bench.result(stuck).error?.code).toBe('TIMEOUT');
    expect(bench.of('abort')).toMatchObject([{ requestId: stuck, error: { code: 'TIMEOUT' } }]);
    // The second has waited as long as the first: nothing is left for its handler.
    expect(bench.result(next).error).toMatchObject({ code: 'TIMEOUT', details: { ran: false } });
    const third = bench.request('add_todo', { title: 'c' });
    expect(bench.running(third)).toBe(true);
    bench.finish(stuck);
    expect(bench.results(stuck)).toHaveLength(1);
  });

  it('answers at the very end when the page never settles', () => {
    const bench = ready();
    const id = bench.request('add_todo', { title: 'a' });
    bench.give({ kind: 'returned', requestId: id, outcome: { success: true } });
    bench.pass(30_000);
    expect(bench.result(id)).toMatchObject({ success: true, settled: false });
  });

  it('stands still while the user is asked', () => {
    const bench = ready();
    const id = bench.request('delete_todo', {});
    bench.pass(120_000);
    bench.give({ kind: 'decided', requestId: id, decision: 'granted' });
    expect(bench.running(id)).toBe(true);
    bench.pass(24_999);
    expect(bench.results(id)).toEqual([]);
    bench.pass(1);
    expect(bench.result(id).error?.code).toBe('TIMEOUT');
  });
});

describe('ends from outside', () => {
  it('cancels before, while running, and not after the handler returned', () => {
    const bench = ready();
    const running = bench.request('add_todo', { title: 'a' });
    const queued = bench.request('add_todo', { title: 'b' });
    bench.receive('x-oui:cancel', { requestId: queued });
    expect(bench.result(queued).error).toMatchObject({ code: 'oui:cancelled', details: { ran: false } });
    bench.receive('x-oui:cancel', { requestId: running });
    expect(bench.result(running).error?.code).toBe('oui:cancelled');
    expect(bench.of('abort')).toMatchObject([{ requestId: running }]);
    const returned = bench.request('add_todo', { title: 'c' });
    bench.give({ kind: 'returned', requestId: returned, outcome: { success: true, data: '1' } });
    bench.receive('x-oui:cancel', { requestId: returned });
    expect(bench.result(returned)).toMatchObject({ success: true, data: 1 });
  });

  it('stop denies what runs, dispose answers everything', () => {
    const bench = ready();
    const running = bench.request('add_todo', { title: 'a' });
    bench.give({ kind: 'stop' });
    expect(bench.result(running).error?.code).toBe('ACTION_DENIED');
    expect(bench.of('abort')).toMatchObject([{ requestId: running, error: { code: 'ACTION_DENIED' } }]);
    bench.give({ kind: 'resume' });
    const open = bench.request('add_todo', { title: 'a' });
    bench.give({ kind: 'dispose' });
    expect(bench.result(open).error?.code).toBe('SURFACE_UNAVAILABLE');
    expect(bench.of('closed')).toHaveLength(1);
  });
});

describe('dispose', () => {
  it('starts nothing that waits', () => {
    const bench = ready();
    bench.request('add_todo', { title: 'a' });
    const queued = bench.request('add_todo', { title: 'b' });
    const job = bench.request('bulk_complete');
    bench.give({ kind: 'dispose' });
    for (const id of [queued, job]) {
      expect(bench.running(id)).toBe(false);
      expect(bench.result(id).error).toMatchObject({ code: 'SURFACE_UNAVAILABLE', details: { ran: false } });
    }
  });

  it('answers what comes after it', () => {
    const bench = ready();
    bench.give({ kind: 'dispose' });
    expect(bench.result(bench.request('list_todos')).error?.code).toBe('SURFACE_UNAVAILABLE');
  });

  it('ends a long line without running out of stack', () => {
    const bench = ready({ ratePerSecond: 1e6, rateBurst: 1e6, dedupeWindow: 10_000 });
    for (let count = 0; count < 3_000; count++) bench.request('add_todo', { title: 'a' });
    bench.give({ kind: 'stop' });
    expect(bench.frames('action:result')).toHaveLength(3_000);
  });
});

describe('an action that changes while a request waits its turn', () => {
  const change = (bench: EngineBench, more: object): void => {
    const actions = ACTIONS.map((action) => (action.id === 'add_todo' ? { ...action, ...more } : action));
    bench.give({ kind: 'define', mountId: 1, surface: surface('todo-app', actions) });
  };

  it('is asked about when it needs approval now', () => {
    const bench = ready();
    const first = bench.request('add_todo', { title: 'a' });
    const queued = bench.request('add_todo', { title: 'b' });
    const third = bench.request('add_todo', { title: 'c' });
    change(bench, { confirm: true });
    bench.finish(first);
    expect(bench.running(queued)).toBe(false);
    expect(bench.of('ask-user').map(({ approval }) => approval.requestId)).toEqual([queued, third]);
    bench.give({ kind: 'decided', requestId: queued, decision: 'granted' });
    expect(bench.running(queued)).toBe(true);
  });

  it('is validated against its new input', () => {
    const bench = ready();
    const first = bench.request('add_todo', { title: 'a' });
    const queued = bench.request('add_todo', { title: 'b' });
    change(bench, { input: { type: 'object', properties: { title: { type: 'integer' } } } });
    bench.finish(first);
    expect(bench.result(queued).error?.code).toBe('VALIDATION_ERROR');
  });
});

describe('another agent\'s end', () => {
  it('gets nothing that was meant for the last one', () => {
    const bench = ready();
    const answered = bench.request('list_todos');
    bench.finish(answered);
    const running = bench.request('add_todo', { title: 'a' });
    bench.give({ kind: 'disconnected', reason: 'replaced' });
    bench.give({ kind: 'connected', connection: 2, fresh: true });
    bench.finish(running);
    expect(bench.results(running)).toEqual([]);
    expect(bench.results(answered)).toHaveLength(1);
    expect(bench.of('send').at(-1)).toMatchObject({ connection: 2 });
  });

  it('cannot cancel the page\'s own calls', () => {
    const bench = ready();
    const request = { requestId: 'own', surfaceId: 'todo-app', actionId: 'add_todo', params: { title: 'a' }, timestamp: 1 };
    bench.give({ kind: 'execute', request, nested: false });
    bench.receive('x-oui:cancel', { requestId: 'own' });
    expect(bench.of('executed')).toEqual([]);
    bench.give({ kind: 'withdraw', requestId: 'own' });
    const message = '"add_todo" was cancelled by the page while it was running.';
    expect(bench.of('executed')).toMatchObject([{ result: { error: { code: 'oui:cancelled', message } } }]);
  });
});

describe('messages that are no good', () => {
  it('warn once for each type, whatever is in them', () => {
    const bench = ready();
    for (const observationId of [1, 2, 3]) bench.receive('observation:request', { observationId });
    expect(new Set(bench.of('warn').map(({ key }) => key)).size).toBe(1);
  });

  it('are refused on the receipt, unless they are a broken copy of what is known', () => {
    const bench = ready();
    const id = bench.request('add_todo', { title: 'a' });
    bench.receive('action:request', { requestId: id });
    bench.receive('action:request', { requestId: 'new' });
    expect(bench.frames('x-oui:receipt').map(({ payload }) => payload)).toEqual([
      { requestId: id, ok: true },
      { requestId: 'new', ok: false, reason: 'a request needs requestId, surfaceId and actionId' },
    ]);
  });

  it('answers what names itself, ignores the rest', () => {
    const bench = ready({}, 'v1');
    for (const message of [null, 7, 'text', [], {}, { type: 3 }, { type: 'action:request' }, { type: 'x-app:y' }]) {
      bench.give({ kind: 'message', message });
    }
    expect(bench.frames('action:result')).toEqual([]);
    expect(bench.of('extension')).toMatchObject([{ type: 'x-app:y' }]);
    bench.receive('action:request', { requestId: 'broken', surfaceId: 'todo-app' });
    expect(bench.result('broken').error?.code).toBe('VALIDATION_ERROR');
    let deep: unknown = 'x';
    for (let depth = 0; depth < 100; depth++) deep = [deep];
    bench.request('add_todo', { title: deep }, { requestId: 'deep' });
    expect(bench.result('deep').error?.code).toBe('VALIDATION_ERROR');
  });
});

describe('an agent that takes the id of a request of the page\'s own', () => {
  it('is told so, each time, and nothing else is changed', () => {
    const bench = new EngineBench();
    bench.mount();
    bench.connect();
    const request = { requestId: 'same', surfaceId: 'todo-app', actionId: 'add_todo', params: { title: 'x' }, timestamp: 1 };
    bench.give({ kind: 'execute', request, nested: false });
    bench.request('add_todo', { title: 'y' }, { requestId: 'same' });
    bench.finish('same');
    bench.request('add_todo', { title: 'y' }, { requestId: 'same' });
    expect(bench.results('same')).toMatchObject([
      { success: false, error: { code: 'VALIDATION_ERROR', details: { ran: false } } },
      { success: false, error: { code: 'VALIDATION_ERROR' } },
    ]);
    expect(bench.of('run')).toHaveLength(1);
    expect(bench.of('executed')).toMatchObject([{ result: { success: true } }]);
  });
});

it('what is told of a call names its action by title, as long as it goes on', () => {
  const bench = new EngineBench();
  bench.mount(surface('todo-app', [{ ...ACTIONS[0]!, title: 'Add a todo' }, ...ACTIONS.slice(1)]));
  bench.connect();
  bench.give({ kind: 'watch', calls: true });
  bench.finish(bench.request('add_todo', { title: 'a' }));
  bench.request('list_todos');
  bench.request('no_such');
  const told = bench.of('call').map(({ report: { phase, actionId, title } }) => [phase, actionId, title]);
  expect(told).toEqual([
    ['received', 'add_todo', 'Add a todo'], ['started', 'add_todo', 'Add a todo'], ['ended', 'add_todo', undefined],
    ['received', 'list_todos', undefined], ['started', 'list_todos', undefined],
    ['received', 'no_such', undefined], ['ended', 'no_such', undefined],
  ]);
});
