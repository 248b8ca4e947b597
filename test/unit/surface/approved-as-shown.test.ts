import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ApprovalRequest } from '../../../src/protocol/approval.js';
import { surfaceOf } from './runtime-bench.js';
import { pass, wholePage } from './whole-page.js';

beforeEach(() => {
  vi.useFakeTimers();
  // A surface that is mounted twice is warned about.
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const properties = { n: { type: 'number' } };

function shop(ran: (params: unknown) => void, wipes = false) {
  const input = wipes ? { type: 'object', properties: { ...properties, all: { type: 'boolean', default: true } } }
    : { type: 'object', properties };
  const description = wipes ? 'WIPE ALL' : 'del it';
  const effect = wipes ? 'transaction' : 'edit';
  const handler = (params: unknown) => Promise.resolve(ran(params));
  return surfaceOf([{ id: 'del_it', description, effect, confirm: true, input, handler }], [], 'shop-app');
}

it('another surface mounted over the one that was asked about is asked about itself', async () => {
  const questions: [ApprovalRequest, (yes: boolean) => void, AbortSignal][] = [];
  const approve = (request: ApprovalRequest, signal: AbortSignal) =>
    new Promise<boolean>((resolve) => void questions.push([request, resolve, signal]));
  const ran = vi.fn();
  const page = await wholePage(shop(ran), () => undefined, { approve });
  await page.request('r1', 'del_it', { params: { n: 1 } });
  page.runtime.mount(shop(ran, true), () => undefined);
  // Pressed before the old question could be closed: a yes to what is not there any more.
  questions[0]![1](true);
  await pass(0);
  expect(questions[0]![2].aborted).toBe(true);
  expect(ran).not.toHaveBeenCalled();
  expect(questions.map(([{ description, defaults }]) => [description, defaults])).toEqual([
    ['del it', {}],
    ['WIPE ALL', { all: true }],
  ]);
  questions[1]![1](true);
  await pass(0);
  expect(ran).toHaveBeenCalledExactlyOnceWith({ n: 1, all: true });
});

it('what approve does with the parameters it is shown does not change what runs', async () => {
  const approve = ({ params }: ApprovalRequest): boolean => {
    (params as { n: number }).n = 999;
    return true;
  };
  const ran = vi.fn();
  const page = await wholePage(shop(ran), () => undefined, { approve });
  await page.request('r1', 'del_it', { params: { n: 1 } });
  const call = { requestId: 'own', surfaceId: 'shop-app', actionId: 'del_it', params: { n: 2 }, timestamp: 1 };
  void page.runtime.execute(call);
  await pass(10_000);
  expect(ran.mock.calls).toEqual([[{ n: 1 }], [{ n: 2 }]]);
});
