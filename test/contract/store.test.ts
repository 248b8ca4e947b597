import { afterEach, describe, it } from 'vitest';
import { createIdbStore } from '../../worker/idb-store.js';
import { describeStore } from './store-suite.js';

describeStore('in memory, where there is no IndexedDB', createIdbStore, { describe, it, afterEach }, false);
