import { afterEach, beforeEach, describe, it } from 'vitest';
import { NODE_BINDINGS } from './node-bindings.js';
import { describeTransport } from './transport-suite.js';

for (const { name, traits, make } of NODE_BINDINGS) {
  describeTransport(name, traits, () => make(), { describe, it, beforeEach, afterEach });
}
