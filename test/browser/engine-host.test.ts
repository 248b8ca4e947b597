import * as engine from '../../src/entries/engine.js';
import { createInProcessHostFactory } from '../../src/surface/link/in-process-host.js';
import { createWorkerHostFactory } from '../../worker/worker-host.js';
import { describeEngineHost } from '../contract/engine-host-suite.js';

const inProcess = createInProcessHostFactory({ engine });
const worker = createWorkerHostFactory({ workerUrl: '/dist/oui.worker.js' });
const runner = { describe, it, afterEach };

describeEngineHost('in-process, in a page', () => [inProcess], runner);
describeEngineHost('worker', () => [worker], runner);
