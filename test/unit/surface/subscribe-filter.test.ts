import { describe, expect, it } from 'vitest';
import { matchesFilter, resolveFilter } from '../../../src/surface/requests/subscribe-filter.js';

const matches = (filter: { readonly [key: string]: unknown }, result: unknown, payload: unknown): boolean =>
  matchesFilter(resolveFilter(filter, result), payload);

describe('a subscribe filter', () => {
  it.each<[filter: { readonly [key: string]: unknown }, result: unknown, payload: unknown, expected: boolean]>([
    [{}, undefined, undefined, true],
    [{ jobId: '$dispatchResult.jobId' }, { jobId: 'j1' }, { jobId: 'j1', more: 1 }, true],
    [{ jobId: '$dispatchResult.jobId' }, { jobId: 'j1' }, { jobId: 'j2' }, false],
    [{ jobId: '$dispatchResult.jobId' }, { jobId: 7 }, { jobId: '7' }, false],
    [{ jobId: '$dispatchResult' }, 'j1', { jobId: 'j1' }, true],
    [{ jobId: '$dispatchResult.jobs.0.id' }, { jobs: [{ id: 'j1' }] }, { jobId: 'j1' }, true],
    [{ kind: 'chart', jobId: '$dispatchResult.id' }, { id: 1 }, { kind: 'chart', jobId: 1 }, true],
    [{ kind: 'chart', jobId: '$dispatchResult.id' }, { id: 1 }, { kind: 'table', jobId: 1 }, false],
    [{ of: { b: 1, a: [2] } }, undefined, { of: { a: [2], b: 1 } }, true],
    [{ price: '$dispatchResults' }, undefined, { price: '$dispatchResults' }, true],
    [{ of: null }, undefined, { of: null }, true],
    [{ of: null }, undefined, {}, false],
    [{ jobId: 1 }, undefined, undefined, false],
    [{ jobId: 1 }, undefined, 'jobId', false],
    [{ toString: 1 }, undefined, {}, false],
  ])('%j of %j and the payload %j: %s', (filter, result, payload, expected) => {
    expect(matches(filter, result, payload)).toBe(expected);
  });

  it.each(['$dispatchResult.job', '$dispatchResult.toString', '$dispatchResult.jobId.length', '$dispatchResult..'])(
    'names %s, which leads nowhere', (path) => {
      expect(() => resolveFilter({ jobId: path }, { jobId: 'j1' })).toThrow(path);
    },
  );
});
