import { afterEach, describe, it } from 'vitest';
import * as engine from '../../src/entries/engine.js';
import { createInProcessHostFactory } from '../../src/surface/link/in-process-host.js';
import { describeEngineHost } from './engine-host-suite.js';

const inProcess = () => [createInProcessHostFactory({ engine })];

describeEngineHost('in-process, in Node', inProcess, { describe, it, afterEach });
