import { afterEach, beforeEach, describe, it } from 'vitest';
import { createDriver } from '../../src/engine/driver.js';
import { createInProcessHostFactory } from '../../src/surface/link/in-process-host.js';
import { createInterpretedValidator } from '../../src/validation/interpreted.js';
import { describeConversation } from './conversation-suite.js';
import { NODE_BINDINGS } from './node-bindings.js';

const inProcess = createInProcessHostFactory({ engine: { createDriver, createInterpretedValidator } });

for (const binding of NODE_BINDINGS) {
  describeConversation(binding, () => [inProcess], { describe, it, beforeEach, afterEach });
}
