import { createAgentRuntime } from '../agent/agent-runtime.js';
import { createSystemTimers } from '../agent/system-timers.js';
import { createDriver } from '../engine/driver.js';
import type { ApprovalRequest } from '../protocol/approval.js';
import { createRuntime } from '../surface/create-runtime.js';
import { createInProcessHostFactory } from '../surface/link/in-process-host.js';
import type { SurfaceRuntimeOptions } from '../surface/runtime-options.js';
import type { SurfaceRuntime } from '../surface/runtime.js';
import { createDirectTransportPair } from '../transports/direct.js';
import { createInterpretedValidator } from '../validation/interpreted.js';
import { createLinearValidator } from '../validation/linear.js';
import { consequences, realTime } from './event-loop.js';
import { createQuestionBox } from './question-box.js';
import { createTestFace } from './test-agent.js';
import type { TestAgent, Waiting } from './test-agent.js';
import { untilKnown } from './until-known.js';
import { VirtualClock } from './virtual-clock.js';

/** A runtime is made by these options; or it is there already, and none of them counts but the agent's own. */
export interface TestAgentOptions extends Omit<SurfaceRuntimeOptions, 'url' | 'transport' | 'worker' | 'approve'> {
  /** A runtime of the page's own, without a `url`. Its time is real, and it asks its user in its own way. */
  readonly runtime?: SurfaceRuntime;
  /**
   * `virtual`: time stands still, but that waits up to a quarter of a second (that for quiet among them) pass at once
   * while the agent waits for an outcome; `advance` lets more pass. For pages whose actions are done when their
   * handlers are, save for promises and rendering. `real`: as in a browser. Default `virtual`.
   */
  readonly time?: 'virtual' | 'real';
  /** How long `until` waits, and in real time a call for its surface: real ms. Default 2,000. */
  readonly untilMs?: number;
}

/** The agent of a page in the same process, with the page's runtime. */
export interface PageTestAgent extends TestAgent {
  /** What the page mounts its surfaces on: `agent.runtime.mount(surface)`, or `ouiRuntimeElement.runtime = …`. */
  readonly runtime: SurfaceRuntime;
  /**
   * Lets time pass, ms: for the polling of jobs, deadlines, and what else takes longer than a moment.
   * @throws {Error} (rejects) where time is real.
   */
  advance(ms: number): Promise<void>;
  /** What the page asks its user, the oldest first. */
  questions(): readonly ApprovalRequest[];
  /**
   * The user says yes to the oldest question, or to the next one that comes. Resolves with what was asked.
   * @throws {Error} (rejects) for a runtime that asks its user in its own way.
   */
  grant(): Promise<ApprovalRequest>;
  /** The user says no. As `grant`. */
  deny(): Promise<ApprovalRequest>;
}

const UNTIL_MS = 2_000;
/** A page that registers does so within a few turns of the event loop; so many are plenty. */
const KNOWN_ROUNDS = 10;
/** How often an outcome that takes real time is looked for, real ms. */
const LOOK_MS = 2;

/**
 * An agent in the page's own process, for the page's own tests: no browser, no hub and no waiting are needed. Works in
 * Node and in a browser.
 */
export function createTestAgent(options: TestAgentOptions = {}): PageTestAgent {
  const { runtime: given, time = given ? 'real' : 'virtual', untilMs = UNTIL_MS, ...own } = options;
  if (given && time === 'virtual') throw new TypeError('A runtime that was given has its own, real time.');
  const clock = time === 'virtual' ? new VirtualClock(Math.max(own.settle?.quietMs ?? 0, 250)) : undefined;
  const box = createQuestionBox();
  const runtime = given ?? ownRuntime({ ...own, approve: box.ask }, clock);
  const pair = createDirectTransportPair();
  const agent = createAgentRuntime({
    transport: pair.agent,
    validator: createLinearValidator(),
    software: 'oui-elements-testing',
    timers: clock ?? createSystemTimers(),
  });
  runtime.attach(pair.page);

  const waiting: Waiting = {
    untilMs,
    afterMs: realTime,
    async during(promise) {
      let open = true;
      const close = (): void => void (open = false);
      promise.then(close, close);
      while (clock && open) {
        await consequences();
        if (open && !(await clock.skipShortWait())) await realTime(LOOK_MS);
      }
      return promise;
    },
    async untilKnown(known) {
      if (!clock) return untilKnown(agent, known, untilMs);
      for (let round = 0; round < KNOWN_ROUNDS && !known(); round++) await consequences();
    },
  };
  const face = createTestFace(agent, waiting);
  const answer = async (yes: boolean): Promise<ApprovalRequest> => {
    if (!given) return box.answer(yes);
    throw new Error('This runtime was made elsewhere and asks its user in its own way: answer there, or let '
      + 'createTestAgent() make the runtime.');
  };
  return {
    ...face,
    runtime,
    async advance(ms) {
      if (!clock) throw new Error('Time is real here. createTestAgent() without a runtime and `time` has virtual time.');
      await clock.advance(ms);
      await consequences();
    },
    questions: box.open,
    grant: () => answer(true),
    deny: () => answer(false),
    dispose() {
      face.dispose();
      if (!given) runtime.dispose();
      else if (runtime.connection !== 'disconnected') runtime.attach(null);
    },
  };
}

function ownRuntime(options: SurfaceRuntimeOptions, clock: VirtualClock | undefined): SurfaceRuntime {
  const engine = { createDriver, createInterpretedValidator };
  const host = createInProcessHostFactory({ engine, ...(clock && { clock, moment: () => clock.moment() }) });
  return createRuntime(options, {
    hosts: () => [host],
    loadAttachments: () => import('../surface/requests/open-attachments.js'),
    page: noDocument(clock),
    ...(clock && { clock }),
  });
}

/** Each test agent's page is new: nothing of an earlier test's is kept for it. */
function noDocument(clock: VirtualClock | undefined) {
  return {
    frame: '',
    places: new Set<string>(),
    wall: () => clock?.wall() ?? Date.now(),
    onLeave: () => () => undefined,
    onReturn: () => () => undefined,
  };
}
