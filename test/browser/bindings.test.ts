import * as engine from '../../src/entries/engine.js';
import { createInProcessHostFactory } from '../../src/surface/link/in-process-host.js';
import { describeConversation } from '../contract/conversation-suite.js';
import { describeTransport } from '../contract/transport-suite.js';
import { WINDOWS, WORKER } from './fixtures/browser-bindings.js';

const runner = { describe, it, beforeEach, afterEach };

for (const binding of [WINDOWS, WORKER]) {
  describeTransport(binding.name, binding.traits, () => binding.make(), runner);
  describeConversation(binding, () => [createInProcessHostFactory({ engine })], runner);
}
