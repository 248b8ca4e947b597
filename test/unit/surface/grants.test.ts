import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { MockInstance } from 'vitest';
import type { ApprovalGrant } from '../../../src/protocol/approval.js';
import { resetWarnings } from '../../../src/protocol/warn-once.js';
import { argsHash } from '../../../src/rules/args-hash.js';
import { Handlers } from './handlers.js';
import { idle } from './hand-clock.js';
import { TabBench, type OpenedPage } from './tab-bench.js';

const HASH = argsHash({});
const APPROVAL = { approval: { approvalId: 'a1', argsHash: HASH } };

let warn: MockInstance<typeof console.warn>;
let handlers: Handlers;
beforeEach(() => {
  resetWarnings();
  warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  handlers = new Handlers();
});
afterEach(() => warn.mockRestore());

const grantOf = (bench: TabBench, more: Partial<ApprovalGrant> = {}): ApprovalGrant =>
  ({ approvalId: 'a1', argsHash: HASH, expiresAt: bench.tab.wall() + 60_000, ...more });

const open = (bench: TabBench): Promise<OpenedPage> => bench.open({ confirmBy: 'grant' }, handlers.surface());

async function opened() {
  const bench = new TabBench();
  return { bench, page: await open(bench), grant: grantOf(bench) };
}

/** Sends the request that the grant is for. @returns whether its handler was started. */
async function started(bench: TabBench): Promise<boolean> {
  const id = await bench.request('ask_first', {}, APPROVAL);
  await bench.clock.advance(0);
  await idle();
  return handlers.started.includes(id);
}

describe('grantApproval', () => {
  it('takes a grant once, and none that has expired', async () => {
    const { bench, page: { runtime }, grant } = await opened();
    expect(runtime.grantApproval(grant)).toBe(true);
    expect(runtime.grantApproval({ ...grant })).toBe(false);
    expect(runtime.grantApproval({ ...grant, approvalId: 'a2', expiresAt: bench.tab.wall() })).toBe(false);
    expect(await started(bench)).toBe(true);
    expect(runtime.grantApproval(grant)).toBe(false);
    expect(await started(bench)).toBe(false);
  });

  it.each<[string, unknown]>([
    ['it must be an object', null],
    ['approvalId must be a text', {}],
    ['approvalId must be a text of 1 to 160', { approvalId: '' }],
    ['argsHash must be 64 lowercase hex', { argsHash: HASH.toUpperCase() }],
    ['argsHash must be 64 lowercase hex', { argsHash: HASH.slice(1) }],
    ['expiresAt must be a time', { expiresAt: '2030-01-01' }],
    ['expiresAt must be a time', { expiresAt: NaN }],
    ['surfaceId must be the id', { surfaceId: 4 }],
    ['actionId must be the id', { actionId: '' }],
  ])('throws a TypeError that says: %s', async (message, more) => {
    const { bench, page } = await opened();
    const value = more && { ...(Object.keys(more).length > 0 && grantOf(bench)), ...more };
    const record = (): boolean => page.runtime.grantApproval(value as ApprovalGrant);
    expect(record).toThrow(TypeError);
    expect(record).toThrow(message);
  });

  it('holds what it was given, whatever becomes of the host\'s object', async () => {
    const { bench, page, grant } = await opened();
    const given = { ...grant };
    page.runtime.grantApproval(given);
    given.argsHash = 'f'.repeat(64);
    expect(await started(bench)).toBe(true);
  });

  it('is false after dispose', async () => {
    const { page, grant } = await opened();
    page.runtime.dispose();
    expect(page.runtime.grantApproval(grant)).toBe(false);
  });
});

describe('a grant', () => {
  it('lives in the page: another engine has it, and knows when it was used', async () => {
    const { bench, page, grant } = await opened();
    page.runtime.grantApproval(grant);
    page.document.leave();
    page.document.comeBack();
    await bench.clock.advance(0);
    expect(await started(bench)).toBe(true);
    await handlers.end();
    page.document.leave();
    page.document.comeBack();
    await bench.clock.advance(0);
    expect(await started(bench)).toBe(false);
  });

  it('ends with its document: the next one is given it again, unless it was used', async () => {
    const { bench, page, grant } = await opened();
    page.runtime.grantApproval(grant);
    await bench.leave(page);
    const second = await open(bench);
    expect(await started(bench)).toBe(false);
    expect(second.runtime.grantApproval(grant)).toBe(true);
    expect(await started(bench)).toBe(true);
    await bench.leave(second);
    const third = await open(bench);
    expect(third.runtime.grantApproval(grant)).toBe(false);
    expect(await started(bench)).toBe(false);
    expect(handlers.started).toHaveLength(1);
  });

  it('that was used is refused by a document that comes back after the one that used it', async () => {
    const { bench, page, grant } = await opened();
    page.runtime.grantApproval(grant);
    await bench.leave(page);
    const second = await open(bench);
    second.runtime.grantApproval(grant);
    expect(await started(bench)).toBe(true);
    bench.store.claims.clear();
    await bench.leave(second);
    page.document.comeBack();
    await bench.clock.advance(0);
    expect(await started(bench)).toBe(false);
    expect(page.runtime.grantApproval(grant)).toBe(false);
  });

  it('is forgotten as used when it has expired, and admits nothing then', async () => {
    const { bench, page, grant } = await opened();
    page.runtime.grantApproval(grant);
    expect(await started(bench)).toBe(true);
    expect([...bench.tab.storage!.kept.keys()].filter((key) => key.startsWith('oui:grant:'))).toEqual(['oui:grant:a1']);
    await bench.clock.advance(60_000);
    await bench.leave(page);
    const next = await open(bench);
    expect(next.runtime.grantApproval(grant)).toBe(false);
    expect([...bench.tab.storage!.kept.keys()].filter((key) => key.startsWith('oui:grant:'))).toEqual([]);
  });

  it('runs in one of two tabs that hold it', async () => {
    const { bench, page, grant } = await opened();
    const other = new TabBench({ sharing: bench });
    const otherPage = await open(other);
    // A duplicated tab takes an id of its own, when the one that it copied is not given free.
    await bench.clock.advance(300);
    expect([page, otherPage].map(({ runtime }) => runtime.grantApproval(grant))).toEqual([true, true]);
    // The same request to both, as a server sends it that has two tabs in one conversation.
    const timestamp = bench.tab.wall();
    const sent = { requestId: 'same', surfaceId: 'todo-app', actionId: 'ask_first', params: {}, timestamp, ...APPROVAL };
    await Promise.all([bench.send(sent), other.send(sent)]);
    await idle();
    expect(handlers.started).toEqual(['same']);
    const answers = [...bench.results('same'), ...other.results('same')];
    expect(answers.map(({ error }) => error?.code)).toEqual(['APPROVAL_REQUIRED']);
  });

  it('is not used while the store is silent: another tab may have used it', async () => {
    const { bench, page, grant } = await opened();
    page.runtime.grantApproval(grant);
    bench.store.blocked = true;
    const id = await bench.request('ask_first', {}, APPROVAL);
    await bench.clock.advance(1_999);
    expect(bench.results(id)).toEqual([]);
    await bench.clock.advance(1);
    expect(bench.results(id)).toMatchObject([{ error: { code: 'APPROVAL_REQUIRED' } }]);
    expect(handlers.started).toEqual([]);
  });

  it('is one use in the tab also where its storage is forbidden, with one warning', async () => {
    const { bench, page, grant } = await opened();
    page.runtime.grantApproval(grant);
    bench.tab.storage!.forbidden = true;
    expect(await started(bench)).toBe(true);
    expect(page.runtime.grantApproval(grant)).toBe(false);
    expect(warn.mock.calls.filter(([text]) => String(text).includes('Which approvals were used'))).toHaveLength(1);
  });

  it('of before a sign-out admits nothing; what was used stays used', async () => {
    const { bench, page: { runtime }, grant } = await opened();
    runtime.grantApproval(grant);
    expect(await started(bench)).toBe(true);
    await handlers.end();
    const unused = { ...grant, approvalId: 'a2' };
    runtime.grantApproval(unused);
    await runtime.forget();
    expect(runtime.grantApproval(grant)).toBe(false);
    const id = await bench.request('ask_first', {}, { approval: { approvalId: 'a2', argsHash: HASH } });
    expect(bench.results(id)).toEqual([]);
    expect(handlers.started).not.toContain(id);
  });

  it('admits a call of the page\'s own', async () => {
    const { page: { runtime }, grant } = await opened();
    runtime.grantApproval(grant);
    void runtime.execute({ surfaceId: 'todo-app', actionId: 'ask_first', requestId: 'own', ...APPROVAL });
    await idle();
    expect(handlers.started).toEqual(['own']);
    const broken = { surfaceId: 'todo-app', actionId: 'ask_first', approval: { approvalId: 4 } } as never;
    expect((await runtime.execute(broken)).error?.code).toBe('VALIDATION_ERROR');
  });
});
