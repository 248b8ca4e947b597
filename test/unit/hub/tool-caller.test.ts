import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AgentCallOptions, AgentCallResult, AgentTool } from '../../../src/agent/agent-types.js';
import type { HubPage } from '../../../src/hub/page-directory.js';
import { createMemoryRoom } from '../../../src/hub/page-directory.js';
import { createToolCaller } from '../../../src/hub/tool-caller.js';
import type { ToolCaller } from '../../../src/hub/tool-caller.js';
import { createToolCatalog } from '../../../src/hub/tool-catalog.js';

/** A page whose calls the test answers by hand. */
interface OpenCall {
  readonly params: unknown;
  readonly options: AgentCallOptions;
  resolve(result: Partial<AgentCallResult>): void;
}

const PATIENCE_MS = 45_000;
let calls: OpenCall[];
let caller: ToolCaller;
let connected: boolean;

beforeEach(() => {
  vi.useFakeTimers();
  calls = [];
  connected = true;
  const room = createMemoryRoom();
  room.join(scriptedPage());
  caller = createToolCaller(room, createToolCatalog(room, { list: () => [] }), undefined, PATIENCE_MS);
});
afterEach(() => {
  caller.close();
  vi.useRealTimers();
});

function scriptedPage(): HubPage {
  const tool: AgentTool = {
    name: 'a__job',
    surfaceId: 'a',
    actionId: 'job',
    description: '',
    inputSchema: { type: 'object' },
    annotations: { readOnly: false, destructive: false, needsApproval: false },
    async: true,
  };
  return {
    id: 'p1',
    get page() {
      return { connected, features: [], mayBeFrozen: false };
    },
    surfaces: () => [],
    tools: () => [tool],
    call: (_target, params, options = {}) =>
      new Promise((resolve) => {
        calls.push({
          params,
          options,
          resolve: (result) =>
            resolve({
              requestId: 'r',
              result: { requestId: 'r', success: true, timestamp: 1, settled: true },
              changed: {},
              ...result,
            }),
        });
      }),
    awaitedTools: () => [],
    describe: () => Promise.resolve([]),
    observations: () => [],
    observation: () => undefined,
    read: () => Promise.reject(new Error('no')),
    subscribe: () => () => undefined,
  };
}

const call = (args: object = {}, from = 'one', signal: AbortSignal = new AbortController().signal) =>
  caller.call('a__job', args as never, { caller: from, signal });
const acknowledge = (index: number) =>
  calls[index]?.options.onAcknowledged?.({ requestId: 'r', success: true, data: { job: 7 }, timestamp: 1 });
const outcome = (data: unknown): Partial<AgentCallResult> => ({
  result: { requestId: 'r', success: true, data, timestamp: 2, settled: true },
});

describe('a call that outlives its client\'s patience', () => {
  it('is answered with its acknowledgment, and taken up by the same call', async () => {
    const first = call({ n: 1, m: 2 });
    acknowledge(0);
    await vi.advanceTimersByTimeAsync(PATIENCE_MS);
    const early = await first;
    expect(early).toMatchObject({ data: { job: 7 }, pending: true, settled: false });
    expect(early.error).toBeUndefined();
    expect(early.next).toContain('same arguments');
    expect(calls[0]?.options.signal?.aborted).toBe(false);

    const second = call({ m: 2, n: 1 });
    expect(calls).toHaveLength(1);
    calls[0]?.resolve(outcome('done'));
    expect(await second).toMatchObject({ data: 'done', settled: true });

    void call({ n: 1, m: 2 });
    expect(calls).toHaveLength(2);
  });

  it('keeps an outcome that nobody waited for, for a while', async () => {
    const first = call();
    await vi.advanceTimersByTimeAsync(PATIENCE_MS);
    expect(await first).toMatchObject({ error: { code: 'TIMEOUT' }, pending: true });
    calls[0]?.resolve(outcome('late'));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await call()).toMatchObject({ data: 'late' });

    const again = call();
    await vi.advanceTimersByTimeAsync(PATIENCE_MS);
    await again;
    calls[1]?.resolve(outcome('too late'));
    await vi.advanceTimersByTimeAsync(11 * 60_000);
    void call();
    expect(calls).toHaveLength(3);
  });

  it('belongs to its caller and its arguments', async () => {
    const first = call({ n: 1 });
    await vi.advanceTimersByTimeAsync(PATIENCE_MS);
    await first;
    void call({ n: 1 }, 'two');
    void call({ n: 2 });
    expect(calls).toHaveLength(3);
  });

  it('is taken up by nobody when its caller cannot be told from others, and its answer says so', async () => {
    const anonymous = () => caller.call('a__job', {}, { signal: new AbortController().signal });
    const first = anonymous();
    await vi.advanceTimersByTimeAsync(PATIENCE_MS);
    const early = await first;
    expect(early).toMatchObject({ error: { code: 'TIMEOUT' }, pending: true });
    expect(early.next).toContain('Do not call this tool again');
    expect(early.error?.message).not.toContain('same arguments');
    void anonymous();
    expect(calls).toHaveLength(2);
  });

  it('does not swallow a second call while the first is waited for', () => {
    void call();
    void call();
    expect(calls).toHaveLength(2);
  });

  it('says that the user has not answered', async () => {
    const first = call();
    const notice = { requestId: 'r', argsHash: '', expiresAt: 0 } as const;
    calls[0]?.options.onApproval?.({ ...notice, state: 'pending' });
    await vi.advanceTimersByTimeAsync(PATIENCE_MS);
    expect(await first).toMatchObject({ error: { code: 'APPROVAL_REQUIRED' }, pending: true });
    const second = call();
    calls[0]?.options.onApproval?.({ ...notice, state: 'granted' });
    calls[0]?.resolve(outcome('deleted'));
    expect(await second).toMatchObject({ data: 'deleted' });
  });

  it('says that the page is away, not that its user has not answered', async () => {
    const first = call();
    calls[0]?.options.onApproval?.({ requestId: 'r', argsHash: '', expiresAt: 0, state: 'pending' });
    connected = false;
    await vi.advanceTimersByTimeAsync(PATIENCE_MS);
    const answer = await first;
    expect(answer).toMatchObject({ error: { code: 'TIMEOUT' }, pending: true });
    expect(answer.error?.message).toContain('The page is away');
  });

  it('is cancelled by the client that waits for it', async () => {
    const controller = new AbortController();
    const first = call({}, 'one', controller.signal);
    controller.abort();
    expect(calls[0]?.options.signal?.aborted).toBe(true);
    calls[0]?.resolve({});
    await first;
  });
});
