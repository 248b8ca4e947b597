/** `oui-elements/testing`: an agent in the page's own process, for the page's own tests. */
export { createTestAgent } from '../testing/page-test-agent.js';
export type { PageTestAgent, TestAgentOptions } from '../testing/page-test-agent.js';
export type { TestAgent, TestResult } from '../testing/test-agent.js';
export { ouiMatchers } from '../testing/matchers.js';
export type { OuiMatchers } from '../testing/matchers.js';
