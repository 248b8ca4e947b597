import { assert } from 'chai';
import { createAgentRuntime } from '../../src/agent/agent-runtime.js';
import type { AgentRuntime, AgentTimers } from '../../src/agent/agent-types.js';
import { FEATURES } from '../../src/protocol/events.js';
import type { Transport } from '../../src/protocol/ports.js';
import type { EngineHostFactory } from '../../src/protocol/engine-host.js';
import { setHostTimer } from '../../src/protocol/timer.js';
import type { SetTimer } from '../../src/protocol/timer.js';
import { createRuntime } from '../../src/surface/create-runtime.js';
import { pageEnvironment } from '../../src/surface/document/page-environment.js';
import { defineSurface } from '../../src/surface/definition/define-surface.js';
import type { SurfaceRuntime } from '../../src/surface/runtime.js';
import { createLinearValidator } from '../../src/validation/linear.js';
import type { Binding, BoundEnds } from './binding.js';
import { faultyTransport, seededRandom } from './faulty-transport.js';
import type { Faults } from './faulty-transport.js';
import type { TransportRunner } from './transport-suite.js';

/** Waits are this much shorter, so that what takes seconds between machines takes none here. */
const FASTER = 40;
const CALLS = 8;

/** Timers that can be counted. */
function countedTimers(): { readonly set: SetTimer; running(): number } {
  const running = new Set<object>();
  return {
    set(ms, callback) {
      const timer = {};
      running.add(timer);
      const release = setHostTimer(ms / FASTER, () => {
        running.delete(timer);
        callback();
      });
      return () => {
        running.delete(timer);
        release();
      };
    },
    running: () => running.size,
  };
}

/** A page and an agent that talk over one binding on a bad network. */
interface Conversation {
  readonly ends: BoundEnds;
  readonly runtime: SurfaceRuntime;
  readonly agent: AgentRuntime;
  readonly faults: Faults;
  /** The agent's end of the present connection. */
  agentEnd(): Transport;
  /** Application's events that reached the page. */
  readonly extensions: unknown[];
  /** How often the handler was started for each of its calls, by their number. */
  readonly starts: Map<number, number>;
  push(value: number): void;
  /** The network fails and comes back. */
  cutAndMend(): Promise<void>;
  until(what: string, satisfied: () => boolean): Promise<void>;
  timers(): number;
}

/** What a page and its agent may expect of any binding, however bad the network is. */
export function describeConversation(
  binding: Binding,
  factories: () => EngineHostFactory[],
  { describe, it, afterEach }: TransportRunner,
): void {
  describe(`a conversation over: ${binding.name}`, () => {
    const cleanUp: (() => Promise<void>)[] = [];
    afterEach(async () => {
      for (const undo of cleanUp.splice(0)) await undo();
    });

    const start = async (): Promise<Conversation> => {
      const faults: Faults = { loss: 0, delay: 0, random: seededRandom(20_261_130) };
      const [pageTimers, agentTimers] = [countedTimers(), countedTimers()];
      const ends = await binding.make(pageTimers.set);
      const starts = new Map<number, number>();
      const extensions: unknown[] = [];
      const surface = defineSurface({
        id: 'counter-app',
        name: 'Counter',
        description: 'Numbers',
        concurrent: true,
        actions: [
          {
            id: 'add_number',
            description: 'Adds',
            settle: 'none',
            input: { type: 'object', properties: { number: { type: 'integer' } }, required: ['number'] },
            async handler({ number }: { number: number }) {
              starts.set(number, (starts.get(number) ?? 0) + 1);
              await Promise.resolve();
              mounted.pushObservation('last', number);
              return { number };
            },
          },
        ],
        observations: [{ id: 'last', description: 'The last', schema: { type: 'integer' } }],
      });
      const timers: AgentTimers = { now: () => performance.now(), wall: () => Date.now(), setTimer: agentTimers.set };
      const agent = createAgentRuntime({
        validator: createLinearValidator(),
        timers,
        timeouts: { actionMs: 35_000 * FASTER, pageReturnMs: 15_000 * FASTER },
      });
      const runtime = createRuntime(
        {
          transport: faultyTransport(ends.page, faults),
          reanswerAfterMs: 50,
          onExtension: (type, payload) => void extensions.push({ type, payload }),
        },
        // A document that has been there for a while: of the first second, nobody could say what ran before it.
        { hosts: factories, page: { ...pageEnvironment(), wall: () => Date.now() - 10_000 } },
      );
      const mounted = runtime.mount(surface);
      let agentEnd: Transport;
      const attach = async (): Promise<void> => {
        agentEnd = await ends.agent();
        agent.attach(faultyTransport(agentEnd, faults));
      };
      const until = (what: string, satisfied: () => boolean): Promise<void> =>
        new Promise((resolve, reject) => {
          const check = (): void => {
            if (!satisfied()) return;
            clearTimeout(late);
            release();
            resolve();
          };
          const late = setTimeout(() => {
            release();
            reject(new Error(`It was never so that ${what}.`));
          }, 15_000);
          const release = agent.subscribe(check);
          check();
        });
      cleanUp.push(async () => {
        runtime.dispose();
        agent.dispose();
        await ends.close();
      });
      await attach();
      const offered = (): boolean => agent.tools().length > 0;
      await until('the tools are offered', offered);
      return {
        ends, runtime, agent, faults, starts, until, extensions,
        agentEnd: () => agentEnd,
        push: (value) => mounted.pushObservation('last', value),
        async cutAndMend() {
          const gone = until('the agent has lost the page', () => !agent.page.connected);
          await ends.cut();
          await gone;
          if (!binding.agentLasts) await attach();
          await until('the page has registered again', offered);
        },
        timers: () => pageTimers.running() + agentTimers.running(),
      };
    };

    it('brings every call to one outcome and starts no handler twice, with loss, delay and cuts', async () => {
      const { agent, faults, starts, cutAndMend } = await start();
      Object.assign(faults, { loss: 25, delay: 2 });
      const outcomes: number[] = [];
      const calls = Array.from({ length: CALLS }, async (_, number) => {
        const { result } = await agent.call('counter-app__add_number', { number });
        assert.deepEqual([result.success, result.data], [true, { number }], JSON.stringify(result));
        outcomes.push(number);
      });
      await cutAndMend();
      await cutAndMend();
      await Promise.all(calls);
      assert.equal(outcomes.length, CALLS);
      assert.deepEqual([...starts.values()], Array.from({ length: CALLS }, () => 1));
    });

    it('negotiates every extension, passes over what it does not know, and hands on the application\'s own', async () => {
      const { agent, agentEnd, extensions } = await start();
      assert.deepEqual([...agent.page.features], [...FEATURES]);
      const say = (type: string): void => agentEnd().send({ type, payload: { a: 1 } } as never);
      for (const type of ['surface:unheard-of', 'x-oui:of-a-later-version', 'x-app:note']) say(type);
      // It goes on, and in order: what was said before has been heard.
      const { result } = await agent.call('counter-app__add_number', { number: 1 });
      assert.isTrue(result.success);
      assert.deepEqual(extensions, [{ type: 'x-app:note', payload: { a: 1 } }]);
    });

    it('ends with the last value of an observation', async () => {
      const { agent, faults, push, until, cutAndMend } = await start();
      const last = (): unknown => agent.observation('counter-app', 'last')?.value;
      faults.delay = 3;
      for (let value = 1; value <= 50; value++) push(value);
      await until('the last of a burst has arrived', () => last() === 50);
      faults.loss = 100;
      push(51);
      faults.loss = 0;
      await cutAndMend();
      await until('what was lost has arrived with the next connection', () => last() === 51);
      assert.equal(agent.tools().length, 1);
    });

    it('leaves no listener and no timer behind', async () => {
      const { ends, runtime, agent, timers } = await start();
      await agent.call('counter-app__add_number', { number: 1 });
      const ended = new Promise<void>((resolve) => {
        runtime.subscribe((event) => event.type === 'connection' && event.state === 'disconnected' && resolve());
      });
      runtime.dispose();
      await ended;
      agent.dispose();
      assert.deepEqual([ends.page.state, timers()], ['disconnected', 0]);
      await ends.settled?.();
      assert.deepEqual(ends.leftovers(), []);
    });
  });
}
