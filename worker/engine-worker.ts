/** The worker script: an engine, and the connection to the agent when the page gives it the address. */
import { createEngineStart } from './engine-control.js';
import type { StartEngine } from './port-messages.js';

const start = createEngineStart();

// The worker's own port, which only the page that made the worker holds. What else comes over it is not for the engine.
addEventListener('message', ({ data, ports: [port] }: MessageEvent<Partial<StartEngine> | null>) => {
  if (data?.startEngine && port) void start(data.startEngine, port);
});
