import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readmeBlock } from '../../e2e/fixtures/readme.js';
import { ROOT } from '../../pins/project-sources.js';
import { table } from '../../types/readme-table.js';
import { wholePage } from './whole-page.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('the README\'s definition compiles and does what it says', async () => {
  const compiled = await readFile(`${ROOT}/test/types/readme-table.ts`, 'utf8');
  expect(await readmeBlock('ts', 'defineSurface<Page>()')).toBe(
    compiled.replace('../../src/entries/core.js', 'oui-elements/core'),
  );
  const page = { columns: ['name', 'age'], sortBy: vi.fn(), countOf: vi.fn(() => 2) };
  const opened = await wholePage(table, () => page);
  await opened.request('r1', 'sort_rows', { params: { column: 'age' } });
  await opened.request('r2', 'sort_rows', { params: { column: 'size' } });
  await opened.request('r3', 'count_rows', { params: { text: ' tea ' } });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(page.sortBy.mock.calls).toEqual([['age', 'up']]);
  expect(opened.results('r2')[0]?.error?.code).toBe('VALIDATION_ERROR');
  expect(page.countOf.mock.calls).toEqual([['tea']]);
  expect(opened.results('r3')[0]?.data).toEqual({ count: 2 });
});
