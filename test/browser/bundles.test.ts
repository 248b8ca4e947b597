import { expect } from 'chai';
import { computed, signal } from '@preact/signals-core';
import { wrap } from 'comlink';
import type * as Library from '../../src/entries/oui.js';
import type { OUIActionResult } from '../../src/protocol/events.js';
import { createDirectTransportPair } from '../../src/transports/direct.js';
import type { EngineWorkerControl } from '../../worker/port-messages.js';

/** The built files, loaded as pages without a build step load them. `npm run build` makes them. */

const CLASSIC = '<script src="/oui.iife.js"></script>';
const MODULE = '<script type="module">import * as OUI from "/oui.js"; window.OUI = OUI;</script>';
const NO_WORKERS = '<script>delete window.Worker;</script>';

const ELEMENTS = ['oui-runtime', 'oui-surface', 'oui-action', 'oui-param', 'oui-observation', 'oui-hold'];

type Page = Window & typeof globalThis & { OUI: typeof Library };

/** A page of its own with these scripts, once they have run. */
async function open(scripts: string): Promise<Page> {
  const frame = document.createElement('iframe');
  frame.srcdoc = `<!doctype html><title>page</title>${scripts}`;
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  document.body.append(frame);
  await loaded;
  return frame.contentWindow as Page;
}

/** One call through a runtime of this page, and the kind of engine that answered it. */
async function callThrough({ OUI }: Page): Promise<{ data: unknown; engine: string | null }> {
  const runtime = OUI.createSurfaceRuntime();
  runtime.mount(
    OUI.defineSurface({
      id: 'echo-app',
      name: 'Echo',
      description: 'Says what it was told.',
      actions: [
        {
          id: 'echo_back',
          description: 'Say it again',
          effect: 'view',
          input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
          handler: ({ text }) => text,
        },
      ],
    }),
  );
  const { data } = await runtime.execute({ surfaceId: 'echo-app', actionId: 'echo_back', params: { text: 'hello' } });
  const { engine } = runtime;
  runtime.dispose();
  return { data, engine };
}

/** A surface with one observation, a list. */
function longList({ defineSurface }: typeof Library) {
  return defineSurface({
    id: 'list-app',
    name: 'List',
    description: 'A long list.',
    actions: [{ id: 'go_on', description: 'Go on', effect: 'view', input: { type: 'object' }, handler: () => 'done' }],
    observations: [{ id: 'rows', description: 'Rows', schema: { type: 'array' } }],
  });
}

/** A page with one value, and an action. */
const COUNTING = `<oui-runtime></oui-runtime>
  <oui-surface surface-id="count-app" name="Count" description="Counts.">
    <oui-observation observation-id="rows" description="Rows" type="json"></oui-observation>
    <oui-action action-id="add_row" description="Adds one"></oui-action>
  </oui-surface>`;

/** A page with an action that its user must approve. */
const ASKING = `<oui-runtime></oui-runtime>
  <oui-surface surface-id="todo-app" name="Todos" description="A list.">
    <oui-action action-id="clear_list" description="Deletes everything" confirm settle="none"></oui-action>
  </oui-surface>`;

/** A page with a form that an agent may use. */
const FORM = `<oui-runtime></oui-runtime>
  <oui-surface surface-id="todo-app" name="Todos" description="A list.">
    <oui-action action-id="add_todo" description="Adds one" for="add"></oui-action>
  </oui-surface><form id="add"><input name="title"></form>`;

type Runtime = NonNullable<InstanceType<typeof Library.OuiRuntimeElement>['runtime']>;

/** The runtime of a page, once its surface is offered. */
async function runtimeOf({ document }: Page): Promise<Runtime> {
  const { runtime } = document.querySelector('oui-runtime') as InstanceType<typeof Library.OuiRuntimeElement>;
  await new Promise<void>((resolve) => {
    const look = (): void => {
      if (runtime!.snapshot().surfaces!.length > 0) resolve();
    };
    runtime!.subscribe(look);
    look();
  });
  return runtime!;
}

/** Calls it, closes the dialog without an answer, and tells what the call came to. */
async function askThrough(page: Page): Promise<string | undefined> {
  const { document, requestAnimationFrame } = page;
  const runtime = await runtimeOf(page);
  const opened = new Promise<HTMLDialogElement>((resolve) => {
    const look = (): void => {
      const dialog = document.querySelector('oui-approval')?.shadowRoot?.querySelector('dialog');
      if (dialog?.open) resolve(dialog);
      else requestAnimationFrame(look);
    };
    look();
  });
  const call = runtime.execute({ surfaceId: 'todo-app', actionId: 'clear_list' });
  (await opened).close();
  return (await call).error?.code;
}

describe('bundles', () => {
  afterEach(() => {
    for (const frame of document.querySelectorAll('iframe')) frame.remove();
  });

  for (const [name, script] of [
    ['oui.iife.js', CLASSIC],
    ['oui.js', MODULE],
  ] as const) {
    it(`${name} defines every element`, async () => {
      const page = await open(script);
      expect(ELEMENTS.filter((tag) => page.customElements.get(tag) === undefined)).to.deep.equal([]);
    });

    it(`${name} finds the worker beside it`, async () => {
      expect(await callThrough(await open(script))).to.deep.equal({ data: 'hello', engine: 'worker' });
    });

    it(`${name} finds the dialog beside it`, async () => {
      expect(await askThrough(await open(script + ASKING))).to.equal('APPROVAL_REQUIRED');
    });

    it(`${name} finds the code for forms beside it`, async () => {
      const [surface] = (await runtimeOf(await open(script + FORM))).snapshot().surfaces!;
      expect((surface!.actions[0]!.input as { properties: object }).properties).to.have.keys('title');
    });

    it(`${name} finds the code that cuts snapshots beside it`, async () => {
      const { OUI, requestAnimationFrame } = await open(script);
      const runtime = OUI.createSurfaceRuntime();
      const mounted = runtime.mount(longList(OUI));
      mounted.pushObservation('rows', Array.from({ length: 10_000 }, (_, index) => `row ${index} of ${'x'.repeat(100)}`));
      const rows = (): unknown => runtime.snapshot().observations['list-app']!['rows'];
      // A snapshot does not wait: it is over its budget, and whole.
      expect(rows()).to.have.length(10_000);
      expect(runtime.snapshot()).not.to.have.property('fit');
      // It is loaded now; nothing tells when it is there.
      while (!runtime.snapshot().fit) await new Promise(requestAnimationFrame);
      expect(rows()).to.have.length(200);
      expect(runtime.snapshot().fit!.observations![0]).to.include({ kind: 'list', total: 10_000, kept: 200 });
      runtime.dispose();
    });

    it(`${name} follows signals, whatever copy of their library they are of`, async () => {
      const { OUI } = await open(script);
      const runtime = OUI.createSurfaceRuntime();
      const ids = ['rows', 'count', 'first'];
      const mounted = runtime.mount(
        OUI.defineSurface({
          id: 'list-app',
          name: 'List',
          description: 'A list.',
          actions: [{ id: 'go_on', description: 'Go on', effect: 'view', input: { type: 'object' }, handler: () => 'done' }],
          observations: ids.map((id) => ({ id, description: id, schema: {} })),
        }),
      );
      const values = (): Readonly<Record<string, unknown>> => runtime.snapshot().observations['list-app']!;
      const rows = signal(['a']);
      mounted.observe('rows', rows);
      mounted.observe('count', computed(() => rows.value.length));
      mounted.observe('first', () => rows.value[0]);
      expect(values()).to.deep.equal({ rows: ['a'], count: 1, first: 'a' });
      const before = values()['rows'];
      rows.value = ['a'];
      expect(values()['rows'], 'equal by content').to.equal(before);
      rows.value = ['a', 'b'];
      expect(values()).to.deep.include({ rows: ['a', 'b'], count: 2 });
      runtime.dispose();
    });

    it(`${name} reads getters, and values that were added to, again after an action and for a snapshot`, async () => {
      const { document, OUI } = await open(script + COUNTING);
      const find = (tag: string): unknown => document.querySelector(tag);
      const observation = find('oui-observation') as InstanceType<typeof OUI.OuiObservationElement>;
      const rows: number[] = [];
      (find('oui-action') as InstanceType<typeof OUI.OuiActionElement>).handler = () => rows.push(rows.length);
      const runtime = await runtimeOf({ document } as Page);
      const shown = (): unknown => runtime.snapshot().observations['count-app']!['rows'];
      const heard: string[] = [];
      runtime.subscribe(({ type }) => heard.push(type));
      const use = async (source: Partial<typeof observation>, expected: () => unknown): Promise<void> => {
        Object.assign(observation, source);
        await observation.updateComplete;
        const { success } = await runtime.execute({ surfaceId: 'count-app', actionId: 'add_row' });
        expect(success).to.equal(true);
        expect(heard.splice(0), 'told without a look').to.include('observation');
        expect(shown()).to.deep.equal(expected());
        rows.push(7);
        expect(shown()).to.deep.equal(expected());
      };
      await use({ signal: () => rows.length }, () => rows.length);
      await use({ value: rows }, () => rows);
    });

    it(`${name} sends the signal of an element with the result of the action that set it`, async () => {
      const { document, OUI } = await open(script + COUNTING);
      const rows = signal([1]);
      const find = (tag: string): unknown => document.querySelector(tag);
      (find('oui-observation') as InstanceType<typeof OUI.OuiObservationElement>).signal = rows;
      (find('oui-action') as InstanceType<typeof OUI.OuiActionElement>).handler = async () => {
        rows.value = [1, 2];
        await Promise.resolve();
        rows.value = [1, 2, 3];
      };
      const { page, agent } = createDirectTransportPair();
      // Documents of one tab remember what was asked: an id of its own. And they answer for each other: the first result to
      // come may be the one of the test before, which nobody acknowledged there, with this document's values.
      const ids = { requestId: crypto.randomUUID(), surfaceId: 'count-app', actionId: 'add_row' };
      const answered = new Promise<OUIActionResult>((resolve) => {
        agent.onEvent((event) => {
          const { type, payload } = event as { type: string; payload: OUIActionResult };
          if (type === 'action:result' && payload.requestId === ids.requestId) resolve(payload);
        });
      });
      const runtime = await runtimeOf({ document } as Page);
      runtime.attach(page);
      await agent.connect();
      agent.send({ type: 'action:request', payload: { ...ids, params: {}, timestamp: Date.now() } });
      const { success, observations, settled } = await answered;
      const sent = { 'count-app': { rows: [1, 2, 3] } };
      expect({ success, observations, settled }).to.deep.equal({ success: true, observations: sent, settled: true });
    });

    it(`${name} finds the engine beside it where there are no workers`, async () => {
      expect(await callThrough(await open(NO_WORKERS + script))).to.deep.equal({ data: 'hello', engine: 'in-process' });
    });
  }

  it('snapshots are whole, with one warning, where the code that cuts them is missing', async () => {
    const { OUI, console } = await open('<script src="/__alone__/oui.iife.js"></script>');
    const runtime = OUI.createSurfaceRuntime();
    const warned: string[] = [];
    const failed = new Promise<void>((resolve) => {
      console.warn = (message: string) => {
        warned.push(message);
        if (message.startsWith('[OUI2005]')) resolve();
      };
    });
    const mounted = runtime.mount(longList(OUI));
    mounted.pushObservation('rows', ['x'.repeat(300_000)]);
    const rows = (): unknown => runtime.snapshot().observations['list-app']!['rows'];
    expect(rows()).to.have.length(1);
    await failed;
    mounted.pushObservation('rows', ['x'.repeat(300_000), 'y']);
    expect(rows()).to.have.length(2);
    expect(warned.filter((message) => message.includes('Put oui.fit.js beside oui.js'))).to.have.length(1);
    runtime.dispose();
  });

  for (const [file, without] of [
    ['oui.js', ['engine/engine.ts', 'rules/fit-steps', 'validation/interpreter', '@preact/signals-core', 'lit-html', 'idb-keyval']],
    ['oui.iife.js', ['engine/engine.ts', 'rules/fit-steps', 'validation/interpreter', '@preact/signals-core', 'lit-html']],
    [
      'oui.worker.js',
      [
        'engine/own-actions', 'rules/fit-steps', 'rules/index-entry', 'rules/declared-attachments',
        'validation/pattern-risk', 'validation/pattern-match', 'ajv',
      ],
    ],
    ['oui.extras.js', ['engine/engine.ts', 'validation/interpreter', '@cfworker/json-schema']],
    ['oui.fit.js', ['rules/observation-fitter']],
  ] as const) {
    it(`${file} holds nothing of what comes with other files`, async () => {
      const { sources } = (await (await fetch(`/${file}.map`)).json()) as { readonly sources: readonly string[] };
      expect(sources).not.to.have.length(0);
      expect(without.filter((part) => sources.some((source) => source.includes(`/${part}`)))).to.deep.equal([]);
    });
  }

  it('adds one name to the page', async () => {
    const plain = await open('');
    const before = new Set(Object.getOwnPropertyNames(plain));
    const page = await open(CLASSIC);
    const added = Object.getOwnPropertyNames(page).filter((name) => !before.has(name));
    // The others are Lit's notes, by which it warns of two copies of itself.
    const lits = ['reactiveElementVersions', 'litPropertyMetadata'];
    expect(added.filter((name) => name !== '0')).to.have.members(['OUI', ...lits]);
  });

  it('runs the worker as a classic script and as a module', async () => {
    for (const type of ['classic', 'module'] as const) {
      const worker = new Worker('/oui.worker.js', { type });
      const failed = new Promise<never>((_, reject) => {
        worker.addEventListener('error', () => reject(new Error(`the ${type} worker failed to start`)));
      });
      await Promise.race([wrap<EngineWorkerControl>(worker).ping(), failed]);
      worker.terminate();
    }
  });
});
