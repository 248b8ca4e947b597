import { describe, expect, it, vi } from 'vitest';
import { createScene } from './scripted-page.js';

const DELETE = 'todo-app__delete_todo';
const approval = { approvalId: 'a1', argsHash: 'f'.repeat(64) };
const REASON = 'this tab was not given the approval that the request names';

describe('a call with an approval of the host\'s', () => {
  it.each(['page', 'agent', 'grant'])('carries it, and nobody is asked on this side ("%s")', (confirmBy) => {
    const confirm = vi.fn(() => true);
    const { page, call } = createScene({ confirm }, { hello: { confirmBy } });
    call(DELETE, { id: 4 }, { approval });
    expect(page.requests).toMatchObject([{ actionId: 'delete_todo', params: { id: 4 }, approval }]);
    expect(confirm).not.toHaveBeenCalled();
  });

  it('goes out again after a refused receipt, until a tab takes it', async () => {
    const { page, call, clock, agent } = createScene();
    const { done, requestId } = call(DELETE, {}, { approval });
    const refuse = (): void => page.say('x-oui:receipt', { requestId, ok: false, reason: REASON });
    refuse();
    for (const [ms, sent] of [[1_000, 2], [1_000, 3], [2_000, 4]] as const) {
      clock.advance(ms);
      expect(page.requests).toHaveLength(sent);
      refuse();
    }
    expect(new Set(page.requests.map((request) => JSON.stringify(request))).size).toBe(1);
    expect(agent.page.mayBeFrozen).toBe(false);
    page.say('x-oui:receipt', { requestId, ok: true });
    page.result(requestId);
    expect((await done).result.success).toBe(true);
    expect(clock.open).toBe(0);
  });

  it('ends after its time where no tab takes it: it did not run', async () => {
    const { page, call, clock } = createScene();
    const { done, requestId } = call(DELETE, {}, { approval });
    for (let second = 0; second < 35; second += 1) {
      page.say('x-oui:receipt', { requestId, ok: false, reason: REASON });
      clock.advance(1_000);
    }
    const { result } = await done;
    expect(result.error).toMatchObject({ code: 'oui:not_accepting', details: { ran: false } });
    expect(result.error?.message).toContain(REASON);
    expect(clock.open).toBe(0);
  });

  it('does not say that it did not run when the last copy had no receipt', async () => {
    const { page, call, clock } = createScene();
    const { done, requestId } = call(DELETE, {}, { approval });
    page.say('x-oui:receipt', { requestId, ok: false, reason: REASON });
    clock.advance(35_000);
    expect((await done).result.error).toMatchObject({ code: 'TIMEOUT', details: { ran: 'unknown' } });
  });
});
