import { describe, expect, it } from 'vitest';
import { acceptCurrentTurn } from '../../../src/surface/requests/accept-current-turn.js';
import { request } from './runtime-bench.js';

describe('acceptCurrentTurn', () => {
  it.each<[string | null, string | undefined, boolean]>([
    [null, undefined, false],
    [null, 't1', false],
    ['t1', undefined, true],
    ['t1', 't1', true],
    ['t1', 't2', false],
    ['', '', true],
  ])('in turn %j, for a request of turn %j: %j', (current, turnId, expected) => {
    const accept = acceptCurrentTurn(() => current);
    expect(accept({ ...request('r1', 'go_on'), ...(turnId !== undefined && { turnId }) })).toBe(expected);
  });

  it('asks for the turn each time', () => {
    let turn: string | null = null;
    const accept = acceptCurrentTurn(() => turn);
    expect(accept(request('r1', 'go_on'))).toBe(false);
    turn = 't1';
    expect(accept(request('r2', 'go_on'))).toBe(true);
  });
});
