import { expect } from 'chai';
import { createElement as h } from 'react';
import { createRoot } from 'react-dom/client';
import type { Root } from 'react-dom/client';
import { io } from 'socket.io-client';
import { createSurfaceRuntime } from '../../src/entries/compat-core.js';
import { SurfaceRuntimeProvider } from '../../src/entries/react.js';
import type { OUIActionResult } from '../../src/entries/compat-spec.js';
import { App } from './fixtures/readme/App.js';
import { DataVizPage } from './fixtures/readme/DataVizPage.js';
import { room, socket } from './fixtures/readme/socket.js';

/** The examples of `oui-spec`'s README on the official Socket.IO client, with a server that knows only `oui-spec`. */

interface ServerState {
  readonly surfaces: readonly string[];
  readonly observations: { readonly [surfaceId: string]: { readonly [observationId: string]: unknown } };
  readonly names: readonly string[];
  readonly connections: number;
}

interface Answer {
  readonly receipt: unknown;
  readonly results: readonly OUIActionResult[];
}

/** The server's other side: what it holds of the page in a room, and its requests to it. */
function connectAgent(room: string) {
  const agent = io('/agent', { path: '/__socket.io__', auth: { room } });
  let state: ServerState = { surfaces: [], observations: {}, names: [], connections: 0 };
  const told = new Set<() => void>();
  agent.on('state', (next: ServerState) => {
    state = next;
    for (const listener of told) listener();
  });
  return {
    state: () => state,
    /** Resolves when the server's state is so. */
    async until(done: (now: ServerState) => boolean): Promise<void> {
      if (done(state)) return;
      await new Promise<void>((resolve) => {
        const listener = (): void => {
          if (!done(state)) return;
          told.delete(listener);
          resolve();
        };
        told.add(listener);
      });
    },
    call: (surfaceId: string, actionId: string, params: object = {}, more: object = {}): Promise<Answer> =>
      agent.emitWithAck('call', { surfaceId, actionId, params, ...more }) as Promise<Answer>,
    breakConnection: () => void agent.emit('break'),
    end: () => void agent.disconnect(),
  };
}

/** Each connection is one page's: two runtimes on one socket would both answer. */
const counter = connectAgent(room);
const wizardRoom = crypto.randomUUID();
const wizard = connectAgent(wizardRoom);

const element = document.createElement('div');
document.body.append(element);
let root: Root;
beforeEach(() => {
  root = createRoot(element);
});
afterEach(() => root.unmount());
after(() => {
  for (const end of [counter, wizard]) end.end();
  socket.disconnect();
});

describe('the README\'s counter on Socket.IO', () => {
  it('is seen and used by a server of oui-spec', async () => {
    root.render(h(App));
    await counter.until(({ surfaces, observations }) => surfaces.includes('counter') && observations['counter'] !== undefined);
    expect(counter.state().observations).to.deep.equal({ counter: { current_value: { value: 0 } } });

    const { receipt, results } = await counter.call('counter', 'increment', { amount: 5 });
    expect(receipt).to.deep.equal({ ok: true });
    expect(results).to.have.lengthOf(1);
    const [result] = results;
    expect(result).to.deep.include({ success: true, data: { newValue: 5 }, settled: true });
    expect(result!.observations).to.deep.equal({ counter: { current_value: { value: 5 } } });
    expect(result!.surfaces?.map(({ id }) => id)).to.deep.equal(['counter']);
    expect(element.textContent).to.equal('Count: 5');

    const known = { knownSurfaces: result!.surfacesHash };
    const second = await counter.call('counter', 'increment', {}, known);
    expect(second.results[0]).to.deep.include({ data: { newValue: 6 } });
    expect(second.results[0]).not.to.have.property('surfaces');
    const third = await counter.call('counter', 'reset');
    expect(third.results[0]!.observations).to.deep.equal({ counter: { current_value: { value: 0 } } });
    expect(counter.state().observations).to.deep.equal({ counter: { current_value: { value: 0 } } });

    const { results: [missing] } = await counter.call('elsewhere', 'reset');
    expect(missing!.error?.code).to.equal('SURFACE_NOT_MOUNTED');
    root.unmount();
    await counter.until(({ surfaces }) => surfaces.length === 0);
  });

  it('is registered again when the connection broke, and answers as before', async () => {
    root.render(h(App));
    await counter.until(({ observations }) => observations['counter'] !== undefined);
    const { connections } = counter.state();
    counter.breakConnection();
    await counter.until((now) => now.connections > connections && now.observations['counter'] !== undefined);
    const { results } = await counter.call('counter', 'increment', { amount: 2 });
    expect(results).to.have.lengthOf(1);
    expect(results[0]).to.deep.include({ success: true, data: { newValue: 2 } });
  });
});

describe('the README\'s wizard on Socket.IO', () => {
  it('goes from the data to the exported chart', async () => {
    const own = io({ path: '/__socket.io__', auth: { room: wizardRoom } });
    const runtime = createSurfaceRuntime({ socket: own });
    root.render(h(SurfaceRuntimeProvider, { runtime }, h(DataVizPage)));
    await wizard.until(({ observations }) => observations['dataviz-wizard']?.['available_datasets'] !== undefined);
    const act = async (actionId: string, params: object = {}): Promise<readonly OUIActionResult[]> =>
      (await wizard.call('dataviz-wizard', actionId, params)).results;

    const [selected] = await act('select_dataset', { datasetId: 'sales' });
    expect(selected).to.deep.include({ success: true, data: { columns: ['month', 'revenue'], rowCount: 12 } });
    expect(selected!.observations).to.have.nested.property('dataviz-wizard.wizard_state.selectedDatasetId', 'sales');
    const [refused] = await act('select_dataset', { datasetId: 'none' });
    expect(refused!.error).to.include({ code: 'ACTION_EXECUTION_ERROR', message: 'There is no dataset "none".' });
    await act('configure_chart', { chartType: 'bar', xAxis: 'month', yAxis: 'revenue' });
    const [filtered] = await act('apply_filter', { column: 'revenue', operator: 'gt', value: 10 });
    expect(filtered).to.deep.include({ data: { filterCount: 1 } });

    const [started, rendered] = await act('render_chart', { quality: 'draft' });
    expect(started).to.deep.include({ interim: true, data: { jobId: 'job-1' } });
    expect(rendered).to.deep.include({
      interim: false,
      success: true,
      data: { status: 'complete', imageUrl: '/charts/1.png', renderTimeMs: 1200 },
    });
    const statusOf = (now: ServerState): { status?: string; interim?: boolean } =>
      now.observations['dataviz-wizard']?.['dataviz-wizard:render_chart:status'] ?? {};
    await wizard.until((now) => statusOf(now).status === 'complete' && statusOf(now).interim === false);
    const [exported] = await act('export_chart', { format: 'svg' });
    expect(exported).to.deep.include({ data: { downloadUrl: '/exports/chart-1.svg', format: 'svg' } });
    expect(exported!.observations).to.have.nested.property('dataviz-wizard.wizard_state.step', 'preview');
    runtime.dispose();
    await wizard.until(({ surfaces }) => surfaces.length === 0);
    own.disconnect();
  });

  it('and all that the pages said was said in events that such a server knows', () => {
    for (const { names } of [counter.state(), wizard.state()]) expect(names).to.deep.equal([
      'oui:action:result', 'oui:observation', 'oui:surface:deregister', 'oui:surface:register',
    ]);
  });
});
