import { assert } from 'chai';
import { createAgentRuntime } from '../../src/agent/agent-runtime.js';
import type { AgentRuntime } from '../../src/agent/agent-types.js';
import type { CallReport, SettledJob } from '../../src/protocol/engine-messages.js';
import type { OUIEvent } from '../../src/protocol/events.js';
import type { EngineHostFactory } from '../../src/protocol/engine-host.js';
import { defineSurface } from '../../src/surface/definition/define-surface.js';
import type { ActionCall } from '../../src/surface/definition/definition.js';
import type { SurfaceRuntimeOptions } from '../../src/surface/runtime-options.js';
import type { InspectionEvent } from '../../src/surface/inspection.js';
import { createRuntime } from '../../src/surface/create-runtime.js';
import type { MountedSurface, SurfaceRuntime } from '../../src/surface/runtime.js';
import { createDirectTransportPair } from '../../src/transports/direct.js';
import { createLinearValidator } from '../../src/validation/linear.js';

/** The functions of a test runner that the suite needs; mocha's and vitest's are alike here. */
export interface Runner {
  describe(name: string, body: () => void): void;
  it(name: string, body: () => Promise<void>): void;
  afterEach(body: () => void): void;
}

/** A page with one surface, and the agent at the other end. */
interface Pair {
  readonly runtime: SurfaceRuntime;
  readonly mounted: MountedSurface;
  readonly agent: AgentRuntime;
  readonly ran: string[];
  /** Sends a message from the agent's end, beside what its runtime sends. */
  send(type: string, payload: unknown): void;
  /** Ends the handler of `wait_here` with this. */
  release(value: unknown): void;
  /** The call of the `wait_here` handler that runs now. */
  waiting(): Promise<ActionCall>;
}

const text = { type: 'string', minLength: 1 };

/** What a page and its agent get from an engine, whatever host it runs in. */
export function describeEngineHost(name: string, factories: () => EngineHostFactory[], runner: Runner): void {
  const { describe, it, afterEach } = runner;

  describe(`engine host contract: ${name}`, () => {
    const cleanUp: (() => void)[] = [];
    afterEach(() => {
      for (const undo of cleanUp.splice(0)) undo();
    });

    const start = async (options: SurfaceRuntimeOptions = {}): Promise<Pair> => {
      const ran: string[] = [];
      let release: (value: unknown) => void = () => {};
      let tellWaiting: (call: ActionCall) => void = () => {};
      let waiting = new Promise<ActionCall>((resolve) => (tellWaiting = resolve));
      const titles: string[] = [];
      let looks = 0;

      const surface = defineSurface({
        id: 'todo-app',
        name: 'Todos',
        description: 'A list',
        actions: [
          {
            id: 'add_todo',
            description: 'Add',
            settle: 'sync',
            input: {
              type: 'object',
              properties: { title: text, priority: { type: 'string', enum: ['low', 'high'], default: 'low' } },
              required: ['title'],
            },
            handler(params: { title: string; priority: string }) {
              ran.push('add_todo');
              if (params.title === 'boom') throw new Error('the list is full');
              titles.push(params.title);
              mounted.pushObservation('titles', titles);
              return { priority: params.priority };
            },
          },
          {
            id: 'read_titles',
            description: 'Read',
            effect: 'view',
            input: {},
            handler: () => ({ success: true, data: titles }),
          },
          {
            id: 'clear_all',
            description: 'Remove all',
            confirm: true,
            settle: 'none',
            input: { type: 'object' },
            handler: () => void ran.push('clear_all'),
          },
          {
            id: 'wait_here',
            description: 'Waits',
            settle: 'none',
            input: { type: 'object' },
            handler(_params, _context, call) {
              ran.push('wait_here');
              return new Promise((resolve) => {
                release = resolve;
                tellWaiting(call);
              });
            },
          },
          {
            id: 'long_job',
            description: 'A job',
            async: true,
            settle: 'none',
            input: { type: 'object' },
            async handler(_params, _context, call) {
              call.progress({ done: 1 });
              const inner = await call.execute({ surfaceId: 'todo-app', actionId: 'read_titles' });
              return { completed: 2, inner: inner.data };
            },
          },
          {
            id: 'render_chart',
            description: 'A job elsewhere',
            settle: 'none',
            input: { type: 'object' },
            polling: {
              intervalMs: 1,
              resolve: () => ({ done: false, data: { looks: ++looks } }),
              subscribe: { event: 'job:complete', filter: { jobId: '$dispatchResult.jobId' } },
            },
            handler: () => ({ jobId: 'j1' }),
          },
        ],
        observations: [
          { id: 'titles', description: 'All titles', schema: { type: 'array', items: text } },
          { id: 'clock_face', description: 'Asked for', schema: { type: 'integer' }, updateFrequency: 'polling' },
        ],
      });

      const pair = createDirectTransportPair();
      const runtime = createRuntime({ transport: pair.page, ...options }, { hosts: factories });
      const agent = createAgentRuntime({ transport: pair.agent, validator: createLinearValidator() });
      cleanUp.push(() => runtime.dispose(), () => agent.dispose());
      const mounted = runtime.mount(surface);
      let reads = 0;
      mounted.observe('clock_face', () => ++reads);
      await Promise.all([pair.page.connect(), pair.agent.connect()]);
      await until(agent, () => agent.tools().length > 0);
      return {
        runtime,
        mounted,
        agent,
        ran,
        send: (type, payload) => pair.agent.send({ type, payload } as unknown as OUIEvent),
        release: (value) => release(value),
        async waiting() {
          const call = await waiting;
          waiting = new Promise((resolve) => (tellWaiting = resolve));
          return call;
        },
      };
    };

    it('runs an action and answers with the page after it', async () => {
      const { agent } = await start();
      const { result, changed } = await agent.call('todo-app__add_todo', { title: 'Milk' });
      assert.deepInclude(result, { success: true, data: { priority: 'low' }, settled: true });
      assert.deepEqual(changed, { 'todo-app': { titles: ['Milk'] } });
      assert.deepEqual((await agent.call('todo-app__read_titles', {})).result.data, ['Milk']);
    });

    it('turns a throw into an error, and goes on', async () => {
      const { agent } = await start();
      const { result } = await agent.call('todo-app__add_todo', { title: 'boom' });
      assert.deepInclude(result.error, { code: 'EXECUTION_ERROR', message: 'the list is full' });
      assert.isTrue((await agent.call('todo-app__add_todo', { title: 'x' })).result.success);
    });

    it('validates what the page itself asks for', async () => {
      const { runtime, ran } = await start();
      const result = await runtime.execute({ surfaceId: 'todo-app', actionId: 'add_todo', params: { priority: 'no' } });
      const { errors } = result.error?.details as { errors: { path: string }[] };
      assert.equal(result.error?.code, 'VALIDATION_ERROR');
      assert.sameMembers(errors.map(({ path }) => path), ['/title', '/priority']);
      assert.deepEqual(ran, []);
    });

    it('asks the user, and takes yes, no and no answer', async () => {
      const answers: (boolean | null)[] = [true, false, null];
      const { agent, ran } = await start({ approve: () => answers.shift() ?? null });
      const codes: (string | undefined)[] = [];
      for (let count = 0; count < 3; count++) {
        const { result } = await agent.call('todo-app__clear_all', {});
        codes.push(result.error?.code);
      }
      assert.deepEqual(codes, [undefined, 'ACTION_DENIED', 'APPROVAL_REQUIRED']);
      assert.deepEqual(ran, ['clear_all']);
    });

    it('acknowledges a job, tells its progress, and ends it', async () => {
      const { agent } = await start();
      await agent.call('todo-app__add_todo', { title: 'Milk' });
      const progress: unknown[] = [];
      const { result, acknowledgment } = await agent.call(
        'todo-app__long_job',
        {},
        { onProgress: (value) => void progress.push(value) },
      );
      assert.deepInclude(acknowledgment, { success: true, interim: true });
      assert.deepInclude(result, { interim: false, data: { completed: 2, inner: ['Milk'] } });
      assert.isNotEmpty(progress);
    });

    it('follows a job by looking at it, and by a message from the agent\'s end, which ends it', async () => {
      const { agent, runtime, send } = await start();
      // A runtime before this one may have left the end of its own job to be acknowledged.
      const settled = new Promise<SettledJob>((resolve) => {
        runtime.onSettled((job) => void (job.actionId === 'render_chart' && resolve(job)));
      });
      const progress: unknown[] = [];
      const onProgress = (value: unknown): void => {
        if (typeof (value as { looks?: number }).looks !== 'number') return;
        progress.push(value);
        send('job:complete', { jobId: 'other' });
        send('job:complete', { jobId: 'j1', url: '/chart.png' });
      };
      const { result, acknowledgment } = await agent.call('todo-app__render_chart', {}, { onProgress });
      assert.deepInclude(acknowledgment, { success: true, interim: true, data: { jobId: 'j1' } });
      assert.deepInclude(result, { interim: false, data: { jobId: 'j1', url: '/chart.png' } });
      assert.isNotEmpty(progress);
      assert.deepInclude(await settled, { surfaceId: 'todo-app', actionId: 'render_chart', success: true });
    });

    it('cancels what runs, and its signal fires', async () => {
      const { agent, waiting } = await start();
      const controller = new AbortController();
      const call = agent.call('todo-app__wait_here', {}, { signal: controller.signal });
      const { signal } = await waiting();
      const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      controller.abort();
      assert.equal((await call).result.error?.code, 'oui:cancelled');
      await aborted;
    });

    it('ends a handler that never returns, when its time is over', async () => {
      const { agent, waiting } = await start({ timeoutMs: 300 });
      const call = agent.call('todo-app__wait_here', {});
      const { signal } = await waiting();
      assert.equal((await call).result.error?.code, 'TIMEOUT');
      assert.isTrue(signal.aborted);
    });

    it('answers what runs when its surface unmounts, and tells what is there then', async () => {
      const { agent, mounted, waiting, release } = await start();
      const call = agent.call('todo-app__wait_here', {});
      await waiting();
      mounted.unmount();
      release('gone well');
      const { result } = await call;
      assert.deepInclude(result, { success: true, data: 'gone well' });
      await until(agent, () => agent.tools().length === 0);
    });

    it('sends an observation that changed, once', async () => {
      const { agent, mounted } = await start();
      const seen: unknown[] = [];
      agent.subscribe((event) => {
        if (event.type === 'observation' && event.observationId === 'titles') {
          seen.push(agent.observation('todo-app', 'titles')?.value);
        }
      });
      mounted.pushObservation('titles', ['a']);
      mounted.pushObservation('titles', ['a']);
      await until(agent, () => seen.length > 0);
      // A read comes back behind everything that was sent before it.
      await agent.call('todo-app__read_titles', {});
      assert.deepEqual(seen, [['a']]);
    });

    it('reads a polling observation when it is asked for', async () => {
      const { agent } = await start();
      assert.equal(await agent.read('todo-app', 'clock_face'), 1);
      assert.equal(await agent.read('todo-app', 'clock_face'), 2);
    });

    it('ends everything when the user stops it, and denies what comes until they resume', async () => {
      const { agent, runtime, waiting } = await start();
      const call = agent.call('todo-app__wait_here', {});
      const { signal } = await waiting();
      const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      runtime.stop();
      assert.equal((await call).result.error?.code, 'ACTION_DENIED');
      await aborted;
      assert.equal((await agent.call('todo-app__add_todo', { title: 'a' })).result.error?.code, 'ACTION_DENIED');
      runtime.resume();
      assert.isTrue((await agent.call('todo-app__add_todo', { title: 'a' })).result.success);
    });

    it('reports each moment of a call to the page', async () => {
      const { agent, runtime } = await start();
      const phases: CallReport['phase'][] = [];
      runtime.subscribe((event) => {
        if (event.type === 'call') phases.push(event.report.phase);
      });
      await agent.call('todo-app__long_job', {});
      assert.includeMembers(phases, ['received', 'started', 'acknowledged', 'ended']);
    });

    it('shows frames and what results wait for, while somebody inspects', async () => {
      const { agent, runtime } = await start();
      await agent.call('todo-app__add_todo', { title: 'unseen' });
      const events: InspectionEvent[] = [];
      const inspection = runtime.inspect((event) => events.push(event));
      await agent.call('todo-app__add_todo', { title: 'Milk' });
      const frames = events.flatMap((event) => (event.type === 'frame' ? [event.frame] : []));
      const request = frames.find(({ type }) => type === 'action:request');
      const result = frames.find(({ type }) => type === 'action:result');
      assert.deepInclude(request, { direction: 'in' });
      assert.include(request?.payload, '"Milk"');
      assert.deepInclude(result, { direction: 'out' });
      assert.isAbove(result?.bytes ?? 0, 50);
      assert.lengthOf(frames.filter(({ type }) => type === 'action:request'), 1);
      const ends = events.flatMap((event) => (event.type === 'settle' && event.moment.kind === 'end' ? [event] : []));
      const { requestId } = JSON.parse(result!.payload) as { requestId: string };
      assert.deepEqual(ends.map((event) => [event.requestId, event.moment]), [
        [requestId, { kind: 'end', settled: true, why: 'rendered' }],
      ]);
      assert.include(inspection.peer?.features ?? [], 'receipt');
      assert.equal(inspection.surfaces()[0]?.values.get('titles'), '["unseen","Milk"]');
      inspection.release();
      const before = events.length;
      await agent.call('todo-app__add_todo', { title: 'unseen' });
      assert.lengthOf(events, before);
    });

    it('answers what is open when the runtime is disposed', async () => {
      const { agent, runtime, waiting } = await start();
      const own = runtime.execute({ surfaceId: 'todo-app', actionId: 'wait_here' });
      await waiting();
      let theirs!: ReturnType<AgentRuntime['call']>;
      await new Promise<void>((resolve) => {
        theirs = agent.call('todo-app__add_todo', { title: 'queued' }, { onReceipt: () => resolve() });
      });
      runtime.dispose();
      assert.equal((await own).error?.code, 'SURFACE_UNAVAILABLE');
      assert.equal((await theirs).result.error?.code, 'SURFACE_UNAVAILABLE');
    });
  });
}

/** Resolves when the condition holds; it is looked at whenever the agent hears something. */
function until(agent: AgentRuntime, condition: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const check = (): void => {
      if (!condition()) return;
      release();
      resolve();
    };
    const release = agent.subscribe(check);
    check();
  });
}
