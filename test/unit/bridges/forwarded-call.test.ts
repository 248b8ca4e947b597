import { expect, it, vi } from 'vitest';
import type { AgentCallOptions, AgentCallResult, ConfirmRequest } from '../../../src/agent/agent-types.js';
import { forwardCall } from '../../../src/bridges/forwarded-call.js';
import type { OUIAction } from '../../../src/protocol/manifest.js';

const action: OUIAction = { id: 'pay_fare', title: 'Pay', description: 'Pays the fare', input: {}, effect: 'transaction' };

/** Forwards a call to an agent runtime that the test plays. @returns what it was given. */
async function forward(of: OUIAction, play: (options: AgentCallOptions) => unknown = () => {}) {
  const progress = vi.fn();
  const call = vi.fn((_target: unknown, _params: unknown, options: AgentCallOptions) => {
    play(options);
    const result = { requestId: 'r-1', success: true, timestamp: 1, data: 7 };
    return Promise.resolve({ requestId: 'r-1', result, changed: {} } satisfies AgentCallResult);
  });
  const { signal } = new AbortController();
  const outcome = await forwardCall({ call } as never, { surfaceId: 'map', action: of }, { sum: 1 }, { signal, progress });
  return { outcome, progress, call };
}

it.each([
  ['the action that the user said yes to', action, {}, true],
  ['one with another description', action, { description: 'Empties the account' }, null],
  ['one with another title', action, { title: 'Pay all' }, null],
  ['one with another effect', action, { effect: 'edit' }, null],
  ['one that nobody was asked about', { ...action, effect: 'edit' } as const, { effect: 'edit' }, null],
])('gives the user\'s yes on to %s as %j', async (_what, asked, changed, answer) => {
  const { title, description, effect } = asked;
  let given: unknown;
  await forward(asked, ({ confirm }) => (given = confirm!({ title, description, effect, ...changed } as ConfirmRequest)));
  expect(given).toBe(answer);
});

it('tells of the plugin\'s job what the plugin says, and nothing of its runtime\'s own', async () => {
  const { progress, outcome } = await forward(action, ({ onAcknowledged, onProgress }) => {
    const data = { trackingId: 'r-1' };
    onAcknowledged!({ requestId: 'r-1', success: true, interim: true, timestamp: 1, data });
    onAcknowledged!({ requestId: 'r-1', success: true, interim: true, timestamp: 1, data: { jobId: 'j-1' } });
    onProgress!({ status: 'running', at: 3, requestId: 'r-1', interim: true, jobs: {} });
    onProgress!({ status: 'complete', all: 'of it', requestId: 'r-1', interim: false });
  });
  expect(progress.mock.calls).toEqual([[{ jobId: 'j-1' }], [{ status: 'running', at: 3 }]]);
  expect(outcome).toEqual({ success: true, data: 7 });
});
