import { describe, expect, it, vi } from 'vitest';
import type { ConfirmRequest } from '../../../src/agent/agent-types.js';
import { action, createScene, todos, turnOfTheLoop } from './scripted-page.js';

const DELETE = 'todo-app__delete_todo';

/** A callback whose answer the test gives later. */
function laterAnswer() {
  const asked: ConfirmRequest[] = [];
  let answer: (value: boolean) => void = () => {};
  const confirm = (request: ConfirmRequest): Promise<boolean> => {
    asked.push(request);
    return new Promise((resolve) => (answer = resolve));
  };
  return { asked, confirm, answer: (value: boolean) => answer(value) };
}

describe('confirmation', () => {
  it('is the page\'s where its hello says so: nobody is asked twice', () => {
    const confirm = vi.fn(() => true);
    const { page, call } = createScene({ confirm });
    call(DELETE, {});
    expect(confirm).not.toHaveBeenCalled();
    expect(page.requests).toHaveLength(1);
  });

  it.each([
    ['a v1 page', { plain: true }],
    ['a page that leaves it to the agent', { hello: { confirmBy: 'agent' } }],
    ['a page that runs on grants', { hello: { confirmBy: 'grant' } }],
    ['a page that does not say', { hello: { confirmBy: undefined } }],
  ])('is asked for by the agent\'s side of %s', async (_name, of) => {
    const confirm = vi.fn((_request: ConfirmRequest) => true);
    const { page, agent } = createScene({ confirm }, of);
    const sent = page.next('action:request');
    const done = agent.call(DELETE, { id: 4 });
    const { requestId } = (await sent).payload as { requestId: string };
    expect(confirm).toHaveBeenCalledTimes(1);
    expect(confirm.mock.calls[0]?.[0]).toMatchObject({
      requestId, surfaceId: 'todo-app', surfaceName: 'Todos', actionId: 'delete_todo',
      description: 'Does delete_todo.', effect: 'edit', params: { id: 4 },
    });
    page.result(requestId);
    expect((await done).result.success).toBe(true);
  });

  it('is asked for before transactions, unmarked confirmed actions and confirmed reads, and nothing else', async () => {
    const actions = [
      action('pay_now', { effect: 'transaction' }),
      action('wipe_all', { confirm: true }),
      action('look_at', { effect: 'view', confirm: true }),
      action('look_on', { effect: 'view' }),
      action('do_it'),
    ];
    const asked: string[] = [];
    const confirm = ({ actionId }: ConfirmRequest) => asked.push(actionId) < 0;
    const surface = { ...todos, concurrent: true, actions };
    const { agent, page } = createScene({ confirm }, { plain: true, surfaces: [surface] });
    for (const { id } of actions.slice(0, 3)) {
      expect((await agent.call(`todo-app__${id}`)).result.error?.code).toBe('ACTION_DENIED');
    }
    void agent.call('todo-app__look_on');
    void agent.call('todo-app__do_it');
    expect(asked).toEqual(['pay_now', 'wipe_all', 'look_at']);
    expect(page.requests.map(({ actionId }) => actionId)).toEqual(['look_on', 'do_it']);
  });

  it('does not run without a callback, and says the way out', async () => {
    const { agent, page } = createScene({}, { plain: true });
    const { result } = await agent.call(DELETE, { confirmed: true, confirm: true, approved: 'yes' });
    expect(result.error).toMatchObject({ code: 'APPROVAL_REQUIRED', details: { ran: false } });
    expect(result.error?.message).toContain('Give createAgentRuntime one');
    expect(page.requests).toEqual([]);
  });

  it.each([
    ['false', () => false],
    ['a text', () => 'yes' as unknown as boolean],
    ['1', () => 1 as unknown as boolean],
    ['nothing', () => undefined as unknown as boolean],
    ['a throw', () => { throw new Error('window closed'); }],
    ['a rejection', () => Promise.reject(new Error('window closed'))],
  ])('is a no when the callback gives %s', async (_name, confirm) => {
    const { agent, page } = createScene({ confirm }, { plain: true });
    const { result } = await agent.call(DELETE, {});
    expect(result.error).toMatchObject({ code: 'ACTION_DENIED', details: { ran: false } });
    expect(page.requests).toEqual([]);
  });

  it('is no answer when the callback gives null', async () => {
    const { agent, page } = createScene({ confirm: () => null }, { plain: true });
    const { result } = await agent.call(DELETE, {});
    expect(result.error).toMatchObject({ code: 'APPROVAL_REQUIRED', details: { ran: false } });
    expect(page.requests).toEqual([]);
  });

  it('is asked of the call\'s own callback where it has one', async () => {
    const confirm = vi.fn(() => true);
    const { agent } = createScene({ confirm }, { plain: true });
    const { result } = await agent.call(DELETE, {}, { confirm: () => false });
    expect(result.error?.code).toBe('ACTION_DENIED');
    expect(confirm).not.toHaveBeenCalled();
  });

  it('is left to a page that asks about transactions itself: nobody is asked twice', async () => {
    const confirm = vi.fn(({ actionId }: ConfirmRequest) => actionId === 'never');
    const actions = [action('pay_now', { effect: 'transaction' }), action('wipe_all', { confirm: true })];
    const of = { hello: { confirmBy: 'agent' }, surfaces: [{ ...todos, actions }] };
    const { agent, call, page } = createScene({ confirm }, of);
    call('todo-app__pay_now', {});
    expect(confirm).not.toHaveBeenCalled();
    expect((await agent.call('todo-app__wipe_all', {})).result.error?.code).toBe('ACTION_DENIED');
    expect(page.requests).toHaveLength(1);
  });

  it('keeps nobody waiting', async () => {
    const { confirm, answer, asked } = laterAnswer();
    const { agent, call, page } = createScene({ confirm }, { plain: true });
    const deletion = agent.call(DELETE, {});
    await turnOfTheLoop();
    expect(asked).toHaveLength(1);
    const { done, requestId } = call('todo-app__add_todo');
    answer(true);
    await turnOfTheLoop();
    expect(page.requests).toHaveLength(1);
    const next = page.next('action:request');
    page.result(requestId);
    await done;
    page.result(((await next).payload as { requestId: string }).requestId);
    expect((await deletion).result.success).toBe(true);
    expect(asked).toHaveLength(1);
  });

  it('is never asked about params that do not fit', async () => {
    const confirm = vi.fn(() => true);
    const needsId = action('delete_todo', { confirm: true, input: { required: ['id'] } });
    const { agent } = createScene({ confirm }, { plain: true, surfaces: [{ ...todos, actions: [needsId] }] });
    expect((await agent.call(DELETE, {})).result.error?.code).toBe('VALIDATION_ERROR');
    expect(confirm).not.toHaveBeenCalled();
  });

  it('holds only for what the user saw', async () => {
    const { confirm, answer, asked } = laterAnswer();
    const { agent, page } = createScene({ confirm }, { plain: true });
    const done = agent.call(DELETE, {});
    await turnOfTheLoop();
    expect(asked).toHaveLength(1);
    const other = action('delete_todo', { confirm: true, effect: 'edit', description: 'Deletes the account.' });
    page.register({ ...todos, actions: [other] });
    answer(true);
    expect((await done).result.error).toMatchObject({ code: 'PRECONDITION_FAILED', details: { ran: false } });
    expect(page.requests).toEqual([]);
  });

  it('is asked for when the action came to need it while the call waited', async () => {
    const { confirm, answer, asked } = laterAnswer();
    const { agent, call, page } = createScene({ confirm }, { plain: true });
    const first = call('todo-app__add_todo');
    const second = agent.call('todo-app__add_todo', { title: 'two' });
    const third = agent.call('todo-app__bulk_complete', {});
    page.register({ ...todos, actions: [action('add_todo', { confirm: true }), action('bulk_complete')] });
    const next = page.next('action:request');
    page.result(first.requestId);
    await first.done;
    const { requestId, actionId } = (await next).payload as { requestId: string; actionId: string };
    expect(actionId).toBe('bulk_complete');
    expect(asked).toHaveLength(1);
    answer(false);
    expect((await second).result.error?.code).toBe('ACTION_DENIED');
    page.result(requestId);
    await third;
    expect(page.requests).toHaveLength(2);
  });

  it('ends after five minutes without an answer, and when the question is moot', async () => {
    const { confirm, answer, asked } = laterAnswer();
    const { agent, clock, page } = createScene({ confirm }, { plain: true });
    const unanswered = agent.call(DELETE, {});
    await turnOfTheLoop();
    clock.advance(300_000);
    expect((await unanswered).result.error).toMatchObject({ code: 'APPROVAL_REQUIRED', details: { ran: false } });
    expect(asked[0]?.signal.aborted).toBe(true);
    answer(true);

    const abort = new AbortController();
    const cancelled = agent.call(DELETE, {}, { signal: abort.signal });
    await turnOfTheLoop();
    expect(asked[1]?.signal.aborted).toBe(false);
    abort.abort();
    expect((await cancelled).result.error?.code).toBe('oui:cancelled');
    expect(asked[1]?.signal.aborted).toBe(true);

    const left = agent.call(DELETE, {});
    await turnOfTheLoop();
    page.say('surface:deregister', { surfaceId: 'todo-app', timestamp: 2 });
    expect((await left).result.error?.code).toBe('SURFACE_UNAVAILABLE');
    answer(true);
    await turnOfTheLoop();
    expect(page.requests).toEqual([]);
    expect(clock.open).toBe(0);
  });
});
