/** `oui-elements/testing/playwright`: an agent for pages in a real browser, as a fixture of Playwright's tests. */
import { createBrowserTestAgent } from '../testing/browser-test-agent.js';
import type { RoutablePage } from '../testing/browser-test-agent.js';
import type { TestAgent } from '../testing/test-agent.js';

/** What `test.extend(ouiFixtures)` adds to a test. */
export interface OuiFixtures {
  /** The agent of the test's `page`; take it before the page is opened. */
  readonly agent: TestAgent;
}

/** `const test = base.extend<OuiFixtures>(ouiFixtures)`, then `test('…', async ({ page, agent }) => …)`. */
export const ouiFixtures = {
  async agent({ page }: { readonly page: RoutablePage }, use: (agent: TestAgent) => Promise<void>): Promise<void> {
    const agent = await createBrowserTestAgent(page);
    await use(agent);
    agent.dispose();
  },
};

export { createBrowserTestAgent };
export type { BrowserTestAgentOptions, RoutablePage } from '../testing/browser-test-agent.js';
export type { TestAgent, TestResult } from '../testing/test-agent.js';
export { ouiMatchers } from '../testing/matchers.js';
export type { OuiMatchers } from '../testing/matchers.js';
