/** The worker script: an engine, and the connection to the agent when the page gives it the address. */
import { expose } from 'comlink';
import { createEngineControl } from './engine-control.js';

// On the worker's own port, which only the page that made the worker holds.
expose(createEngineControl());
