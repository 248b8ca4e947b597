import { createAgentRuntime } from '../../src/agent/agent-runtime.js';
import * as engine from '../../src/entries/engine.js';
import { createRuntime } from '../../src/surface/create-runtime.js';
import { defineSurface } from '../../src/surface/definition/define-surface.js';
import { createInProcessHostFactory } from '../../src/surface/link/in-process-host.js';
import { createWorkerHostFactory } from '../../worker/worker-host.js';
import { createLinearValidator } from '../../src/validation/linear.js';
import { createDirectTransportPair } from '../../src/transports/direct.js';

const WORKER = new URL('/dist/oui.worker.js', location.href).href;

async function measure(kind: string, mb: number) {
  const pair = createDirectTransportPair();
  const t0 = performance.now();
  const hosts = () => kind === 'worker' ? [createWorkerHostFactory({ workerUrl: WORKER })] : [createInProcessHostFactory({ engine })];
  const runtime = createRuntime({ transport: pair.page, rateLimit: { perSecond: 100000, burst: 100000 } }, { hosts });
  let n = 0;
  const rows = () => Array.from({ length: mb * 10_000 }, (_, i) => ({ id: i, text: `row ${i} ${n} ${'x'.repeat(70)}` }));
  const m = runtime.mount(defineSurface({ id: 'app-one', name: 'A', description: 'd', actions: [
    { id: 'read_it', description: 'r', effect: 'view', input: { type: 'object', properties: { a: { type: 'string' } } }, handler: () => ({ ok: 1 }) },
    { id: 'edit_it', description: 'e', settle: 'none', input: {}, handler() { n++; m.pushObservation('rows', rows()); } },
  ], observations: [{ id: 'rows', description: 'o', schema: {} }] }));
  const agent = createAgentRuntime({ validator: createLinearValidator(), transport: pair.agent });
  await new Promise<void>((r) => agent.subscribe(() => agent.tools().length > 1 && r()));
  const ready = performance.now() - t0;
  const p = async (tool: string, count: number) => {
    const times: number[] = [];
    for (let i = 0; i < count; i++) { const t = performance.now(); await agent.call(tool, tool.includes('read') ? { a: 'x' } : {}); times.push(performance.now() - t); }
    times.sort((a, b) => a - b);
    return times[Math.floor(count / 2)]!;
  };
  await p('app-one__read_it', 20);
  const read = await p('app-one__read_it', 150);
  const gaps: number[] = []; let on = true; let last = performance.now();
  const ch = new MessageChannel(); ch.port1.onmessage = () => { const t = performance.now(); gaps.push(t - last); last = t; if (on) ch.port2.postMessage(0); }; ch.port2.postMessage(0);
  const edit = await p('app-one__edit_it', 8);
  on = false;
  gaps.sort((a, b) => b - a);
  runtime.dispose(); agent.dispose();
  return { kind, mb, ready: +ready.toFixed(0), read: +read.toFixed(2), edit: +edit.toFixed(1), longest: gaps.slice(0, 8).map((g) => +g.toFixed(1)), busy: +gaps.filter((g) => g > 5).reduce((a, b) => a + b, 0).toFixed(0) };
}

it('measures', async function () {
  this.timeout(100_000);
  const out: object[] = [];
  for (const mb of [0, 1]) for (const kind of ['worker', 'page', 'worker', 'page']) out.push(await measure(kind, mb));
  throw new Error('\n' + out.map((o) => JSON.stringify(o)).join('\n'));
});
