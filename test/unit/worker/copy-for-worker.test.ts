import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { EngineInput } from '../../../src/protocol/engine-messages.js';
import { resetWarnings } from '../../../src/protocol/warn-once.js';
import { copyForWorker } from '../../../worker/copy-for-worker.js';
import type { ToWorker } from '../../../worker/port-messages.js';

const execute = (requestId: string, params: unknown): EngineInput => ({
  kind: 'execute',
  nested: false,
  request: { requestId, surfaceId: 'todo-app', actionId: 'add_todo', params, timestamp: 1 },
});

describe('copyForWorker', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const post = (message: ToWorker): ToWorker => {
    const received: ToWorker[] = [];
    copyForWorker(message, (copyable) => received.push(structuredClone(copyable)));
    expect(received).toHaveLength(1);
    return received[0] as ToWorker;
  };
  beforeEach(() => {
    resetWarnings();
    warn.mockClear();
  });

  it('posts as it is what can be cloned', () => {
    const inputs = [execute('r1', { when: new Date(0) })];
    expect(post({ inputs })).toEqual({ inputs });
  });

  it('sends the JSON of what cannot', () => {
    const message = { inputs: [execute('r1', { a: 1, callback: () => 1 }), execute('r2', {})], timers: [{ id: 1 }] };
    expect(post(message)).toEqual({ inputs: [execute('r1', { a: 1 }), execute('r2', {})], timers: [{ id: 1 }] });
    expect(warn).not.toHaveBeenCalled();
  });

  it('leaves out and reports what has no JSON either, and sends the rest', () => {
    const cycle: { self?: unknown; call: () => void } = { call: () => undefined };
    cycle.self = cycle;
    expect(post({ inputs: [execute('r1', cycle), execute('r2', {})] })).toEqual({ inputs: [execute('r2', {})] });
    expect(String(warn.mock.calls[0]?.[0])).toMatch(/^\[OUI1302\] Something of kind "execute" could not be given/);
  });
});
