/** `oui-elements/testing/vitest`: gives vitest's `expect` the matchers. For `setupFiles`, or a test's own imports. */
import { expect } from 'vitest';
import { ouiMatchers } from '../testing/matchers.js';
import type { OuiMatchers } from '../testing/matchers.js';

declare module 'vitest' {
  // oxlint-disable-next-line typescript/no-explicit-any, typescript/no-empty-object-type -- as vitest declares it
  interface Matchers<T = any> extends OuiMatchers<T> {}
}

expect.extend(ouiMatchers);

export { ouiMatchers };
