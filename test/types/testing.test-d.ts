import { test as base, expect as plain } from '@playwright/test';
import { expect, expectTypeOf } from 'vitest';
import { createTestAgent } from '../../src/entries/testing.js';
import type { PageTestAgent, TestResult } from '../../src/entries/testing.js';
import { ouiFixtures, ouiMatchers } from '../../src/entries/testing-playwright.js';
import type { OuiFixtures, TestAgent } from '../../src/entries/testing-playwright.js';
import '../../src/entries/testing-vitest.js';

/** What a test's author writes compiles, and what would never work does not. */

const agent = createTestAgent();
expectTypeOf(agent).toEqualTypeOf<PageTestAgent>();
expectTypeOf(agent.call('a__b')).resolves.toEqualTypeOf<TestResult>();

export async function withVitest(): Promise<void> {
  expect(await agent.call('a__b')).toSucceed();
  expect(await agent.call('a__b')).toSucceed({ count: 1 });
  expect(await agent.call('a__b')).not.toFailWith('TIMEOUT', /late/);
  expect(agent).toHaveObservation('a', 'b', (value: number) => value > 1);
  expect(agent).toOffer('a__b');
  await expect(agent.call('a__b')).resolves.toSucceed();
  // @ts-expect-error -- a code is wanted
  expect(await agent.call('a__b')).toFailWith();
  // @ts-expect-error -- the agent connects by itself
  createTestAgent({ url: 'ws://localhost' });
}

const test = base.extend<OuiFixtures>(ouiFixtures);
const extended = plain.extend(ouiMatchers);

export function withPlaywright(): void {
  test('the fixture', async ({ page, agent: given }) => {
    expectTypeOf(given).toEqualTypeOf<TestAgent>();
    extended(await given.call('a__b')).toSucceed();
    extended(await given.call('a__b')).toFailWith('TIMEOUT');
    await extended(page.locator('a')).toHaveText('b');
    // @ts-expect-error -- time is real in a browser
    await given.advance(1);
  });
}
