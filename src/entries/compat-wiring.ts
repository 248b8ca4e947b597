import { createDriver } from '../engine/driver.js';
import { createInProcessHostFactory } from '../surface/link/in-process-host.js';
import type { RuntimeWiring } from '../surface/runtime.js';
import { createInterpretedValidator } from '../validation/interpreted.js';
import { createIdbStore } from '../../worker/idb-store.js';

const host = createInProcessHostFactory({ engine: { createDriver, createInterpretedValidator }, createStore: createIdbStore });

/** The engine in this thread, there from the start: `oui-spec` asks for no worker script, and starts at once. */
export const compatWiring: RuntimeWiring = {
  hosts: () => [host],
  loadAttachments: () => import('../surface/requests/open-attachments.js'),
};
