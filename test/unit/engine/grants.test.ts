import { describe, expect, it } from 'vitest';
import type { ApprovalGrant } from '../../../src/protocol/approval.js';
import type { OUIActionRequest } from '../../../src/protocol/events.js';
import { argsHash } from '../../../src/rules/args-hash.js';
import { ACTIONS, EngineBench, surface } from './engine-bench.js';

const PARAMS = { id: 4 };
const HASH = argsHash(PARAMS);
const APPROVAL = { approvalId: 'a1', argsHash: HASH };

type Peer = Parameters<EngineBench['connect']>[0];

function ready(config: ConstructorParameters<typeof EngineBench>[0] = {}, features?: Peer): EngineBench {
  const bench = new EngineBench({ confirmBy: 'grant', ...config });
  bench.mount();
  bench.connect(features);
  return bench;
}

function grant(bench: EngineBench, more: Partial<ApprovalGrant> = {}): void {
  const held = { approvalId: 'a1', argsHash: HASH, expiresAt: bench.wall + 60_000, ...more };
  bench.give({ kind: 'grants', held: [held], used: [] });
}

const send = (bench: EngineBench, more: Partial<OUIActionRequest> = {}, actionId = 'delete_todo'): string =>
  bench.request(actionId, PARAMS, { approval: APPROVAL, ...more });

/** The store's answer about the use of a grant. */
const claimed = (bench: EngineBench, requestId: string, ok = true): void =>
  void bench.give({ kind: 'claimed', requestId, ok });

/** What a request comes to once the store has said yes to it. */
function runs(bench: EngineBench, requestId: string): boolean {
  claimed(bench, requestId);
  return bench.running(requestId);
}

const refused = (bench: EngineBench, requestId: string): string => {
  const { error } = bench.result(requestId);
  expect(error).toMatchObject({ code: 'APPROVAL_REQUIRED', details: { ran: false } });
  expect(bench.running(requestId)).toBe(false);
  return error!.message;
};

describe('a grant', () => {
  it('admits one request with exactly its parameters', () => {
    const bench = ready();
    grant(bench);
    const first = send(bench);
    expect(runs(bench, first)).toBe(true);
    bench.finish(first);
    expect(refused(bench, send(bench))).toContain('has been used');
    expect(bench.of('ask-user')).toEqual([]);
  });

  it('is used up before the handler starts, and written down for the tab and the other tabs before that', () => {
    const bench = ready();
    grant(bench, { expiresAt: bench.wall + 5_000 });
    const id = send(bench);
    expect(bench.of('claim')).toMatchObject([
      { key: 'a1', text: `client-1 ${id}`, until: bench.wall + 5_000, requestId: id },
    ]);
    expect(bench.running(id)).toBe(false);
    const kinds = bench.give({ kind: 'claimed', requestId: id, ok: true }).map(({ kind }) => kind);
    expect(kinds).toEqual(['journal', 'grant-used', 'run']);
  });

  it.each<[string, Partial<ApprovalGrant>, Partial<OUIActionRequest>]>([
    ['other parameters', {}, { params: { id: 5 } }],
    ['a hash that the request does not name', {}, { approval: { approvalId: 'a1', argsHash: 'f'.repeat(64) } }],
    ['another hash', { argsHash: 'f'.repeat(64) }, {}],
    ['another surface', { surfaceId: 'other-app' }, {}],
    ['another action with equal parameters', { actionId: 'pay_now' }, {}],
    ['a time that is over', { expiresAt: 0 }, {}],
  ])('does not admit a request with %s', (_what, of, more) => {
    const bench = ready();
    grant(bench, of);
    refused(bench, send(bench, more));
    expect(bench.of('claim')).toEqual([]);
  });

  it('is not used up by a request that it does not admit', () => {
    const bench = ready();
    grant(bench, { surfaceId: 'todo-app', actionId: 'delete_todo' });
    refused(bench, send(bench, { params: { id: 5 } }));
    refused(bench, send(bench, {}, 'pay_now'));
    expect(runs(bench, send(bench))).toBe(true);
  });

  it('that names no action admits any with these parameters', () => {
    const bench = ready();
    grant(bench);
    expect(runs(bench, send(bench, {}, 'pay_now'))).toBe(true);
  });

  it('is over the parameters as sent, without the defaults that are filled in', () => {
    const bench = new EngineBench({ confirmBy: 'grant' });
    const input = { type: 'object', properties: { id: {}, force: { default: true } } };
    bench.mount(surface('todo-app', [{ ...ACTIONS[2]!, input }]));
    bench.connect();
    grant(bench);
    const id = send(bench);
    expect(runs(bench, id)).toBe(true);
    expect(bench.of('run')).toMatchObject([{ params: { id: 4, force: true } }]);
  });

  it('is looked at again when the turn comes: of two requests that wait with it one runs', () => {
    const bench = ready();
    grant(bench);
    const running = bench.request('add_todo', { title: 'a' });
    const [first, second] = [send(bench), send(bench)];
    expect(bench.of('claim')).toEqual([]);
    bench.finish(running);
    expect(bench.of('claim')).toHaveLength(1);
    claimed(bench, first);
    expect(bench.running(first)).toBe(true);
    bench.finish(first);
    refused(bench, second);
  });

  it('that expires while its request waits its turn admits nothing', () => {
    const bench = ready();
    grant(bench, { expiresAt: bench.wall + 1_000 });
    const running = bench.request('add_todo', { title: 'a' });
    const waiting = send(bench);
    bench.pass(1_000);
    bench.finish(running);
    expect(refused(bench, waiting)).toContain('expired');
  });

  it('is not given to two at once where a surface runs several', () => {
    const bench = new EngineBench({ confirmBy: 'grant' });
    bench.mount({ ...surface(), concurrent: true });
    bench.connect();
    grant(bench);
    const [first, second] = [send(bench), send(bench)];
    refused(bench, second);
    expect(runs(bench, first)).toBe(true);
  });

  it('that another tab has used admits nothing', () => {
    const bench = ready();
    grant(bench);
    const id = send(bench);
    claimed(bench, id, false);
    expect(refused(bench, id)).toContain('has been used');
    expect(bench.of('grant-used')).toMatchObject([{ approvalId: 'a1' }]);
    // The queue goes on.
    expect(bench.running(bench.request('add_todo', { title: 'a' }))).toBe(true);
  });

  it('is used up also by a request that was cancelled while that was being written down', () => {
    const bench = ready();
    grant(bench);
    const id = send(bench);
    bench.receive('x-oui:cancel', { requestId: id });
    claimed(bench, id);
    expect(bench.result(id).error?.code).toBe('oui:cancelled');
    expect(bench.running(id)).toBe(false);
    refused(bench, send(bench));
  });

  it('is claimed once more, by the same name, when an engine takes over in between', () => {
    const bench = ready();
    grant(bench);
    const id = send(bench);
    const [entry] = bench.of('journal').map((effect) => effect.entry).filter(({ requestId }) => requestId === id);
    const next = new EngineBench({ confirmBy: 'grant' });
    next.mount();
    grant(next);
    next.give({ kind: 'restore', entries: [entry!] });
    expect(next.of('claim')).toEqual(bench.of('claim'));
    expect(runs(next, id)).toBe(true);
  });

  it('is known to a later engine as used', () => {
    const bench = ready();
    grant(bench);
    bench.give({ kind: 'grants', held: [], used: [{ approvalId: 'a1', expiresAt: bench.wall + 1 }] });
    expect(refused(bench, send(bench))).toContain('has been used');
  });

  it('of before the sign-out admits nothing', () => {
    const bench = ready();
    grant(bench);
    bench.give({ kind: 'forget-outcomes' });
    expect(bench.results(send(bench))).toEqual([]);
    expect(bench.of('claim')).toEqual([]);
  });

  it('admits nothing after a sign-out while its use was being written down', () => {
    const bench = ready();
    grant(bench);
    const id = send(bench);
    bench.give({ kind: 'forget-outcomes' });
    claimed(bench, id);
    expect(bench.running(id)).toBe(false);
  });

  it('admits the page\'s own calls too', () => {
    const bench = ready();
    grant(bench);
    const own = { surfaceId: 'todo-app', actionId: 'delete_todo', params: PARAMS, timestamp: 1, approval: APPROVAL };
    bench.give({ kind: 'execute', request: { ...own, requestId: 'own' }, nested: false });
    expect(runs(bench, 'own')).toBe(true);
    bench.give({ kind: 'execute', request: { ...own, requestId: 'again' }, nested: false });
    expect(bench.of('executed')).toMatchObject([{ requestId: 'again', result: { error: { code: 'APPROVAL_REQUIRED' } } }]);
  });

  it('is asked for in a turn that the gate lets in, too', () => {
    const bench = ready({ hasGate: true });
    const id = bench.request('delete_todo', PARAMS);
    bench.give({ kind: 'gate', requestId: id, open: true });
    refused(bench, id);
  });
});

describe('whoever confirms', () => {
  it.each(['page', 'agent', 'grant'] as const)('a grant admits, and nobody is asked ("%s")', (confirmBy) => {
    const bench = ready({ confirmBy });
    grant(bench);
    expect(runs(bench, send(bench, {}, 'pay_now'))).toBe(true);
    refused(bench, send(bench, {}, 'pay_now'));
    expect(bench.of('ask-user')).toEqual([]);
  });

  it('an action that needs no approval runs and leaves the grant', () => {
    const bench = ready();
    grant(bench);
    expect(bench.running(send(bench, {}, 'list_todos'))).toBe(true);
    expect(runs(bench, send(bench))).toBe(true);
  });

  it('a read that says confirm needs none in the page', () => {
    const bench = new EngineBench();
    bench.mount(surface('todo-app', [{ ...ACTIONS[2]!, effect: 'view' }]));
    bench.connect();
    expect(bench.running(bench.request('delete_todo'))).toBe(true);
  });
});

describe('an approval of another tab\'s', () => {
  it('is refused on its receipt, neither run nor answered, and runs when the grant has come', () => {
    const bench = ready();
    const id = send(bench, {}, 'list_todos');
    const reason = 'this tab was not given the approval that the request names';
    expect(bench.frames('x-oui:receipt').map(({ payload }) => payload)).toEqual([{ requestId: id, ok: false, reason }]);
    expect(bench.results(id)).toEqual([]);
    expect(bench.running(id)).toBe(false);
    const again = send(bench, { requestId: 'again' });
    grant(bench);
    send(bench, { requestId: again });
    expect(runs(bench, again)).toBe(true);
    expect(bench.frames('x-oui:receipt').at(-1)?.payload).toEqual({ requestId: again, ok: true });
  });

  it('is answered where there are no receipts', () => {
    const bench = ready({}, 'v1');
    expect(refused(bench, send(bench))).toContain('this tab was not given');
  });

  it('is this tab\'s own when the grant has been used or has expired: it is received and answered', () => {
    const bench = ready();
    grant(bench, { expiresAt: bench.wall });
    const id = send(bench);
    refused(bench, id);
    expect(bench.frames('x-oui:receipt').at(-1)?.payload).toEqual({ requestId: id, ok: true });
  });

  it('is judged after the gate', () => {
    const bench = ready({ hasGate: true });
    const id = send(bench);
    expect(bench.frames('x-oui:receipt')).toEqual([]);
    bench.give({ kind: 'gate', requestId: id, open: false });
    const reason = 'this client does not accept requests now';
    expect(bench.frames('x-oui:receipt').map(({ payload }) => payload)).toEqual([{ requestId: id, ok: false, reason }]);
  });
});
