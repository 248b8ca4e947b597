import type {
  AgentCallOptions, AgentCallTarget, AgentRuntime, AgentTool,
} from '../agent/agent-types.js';
import type { OUIActionResult, OUIObservationValues } from '../protocol/events.js';
import { sortedJson } from '../rules/surfaces-hash.js';
import { toolName } from '../rules/tool-names.js';

/** What a call came to: the result, and what happened on the way. */
export interface TestResult extends OUIActionResult {
  /** The first answer of an asynchronous action. */
  readonly acknowledgment?: OUIActionResult;
  /** The observations that changed by it, with their values at the result. */
  readonly changed: OUIObservationValues;
}

/** An agent for tests: of a page in the same process, or in a browser. */
export interface TestAgent {
  /** The agent's side as it is, for what this face leaves out. */
  readonly agent: AgentRuntime;
  /**
   * Calls an action, as an agent does: `agent.call('todo-app__add_todo', { title: 'Milk' })`. A surface that is not
   * there yet is waited for. Always resolves with a result; failures are results.
   */
  call(target: AgentCallTarget, params?: unknown, options?: AgentCallOptions): Promise<TestResult>;
  /** The newest value of an observation that came; undefined when none did. */
  observation(surfaceId: string, observationId: string): unknown;
  /**
   * Waits until an observation has this value, equal as JSON, or one that the function says yes to.
   * @throws {Error} (rejects) with the last value when that does not come to be within two seconds of real time.
   */
  until(surfaceId: string, observationId: string, expected: unknown): Promise<unknown>;
  /** Reads an observation; one that is `polling` is asked for. */
  read(surfaceId: string, observationId: string): Promise<unknown>;
  /** The actions that can be called now. */
  tools(): readonly AgentTool[];
  /** Lets go of the page. Idempotent. */
  dispose(): void;
}

/** How a test agent waits. */
export interface Waiting {
  /** Waits for a promise, and does what brings it about where that is the test's to do. */
  during<T>(promise: Promise<T>): Promise<T>;
  /** Waits for the surface of a call's action, as long as it can be on its way. */
  untilKnown(known: () => boolean): Promise<void>;
  /** Real ms that `until` waits. */
  readonly untilMs: number;
  readonly afterMs: (ms: number) => Promise<void>;
}

/** The face of an agent runtime for tests. */
export function createTestFace(agent: AgentRuntime, waiting: Waiting): TestAgent {
  const observation = (surfaceId: string, observationId: string): unknown => {
    const held = agent.observation(surfaceId, observationId);
    return held?.hasValue ? held.value : undefined;
  };
  return {
    agent,
    async call(target, params, options) {
      await waiting.untilKnown(() => knows(agent, target));
      const { result, acknowledgment, changed } = await waiting.during(agent.call(target, params, options));
      return { ...result, ...(acknowledgment && { acknowledgment }), changed };
    },
    observation,
    async until(surfaceId, observationId, expected) {
      const fits = typeof expected === 'function'
        ? (expected as (value: unknown) => unknown)
        : (value: unknown) => value !== undefined && sortedJson(value) === sortedJson(expected);
      const came = new Promise<unknown>((resolve, reject) => {
        const look = (): void => {
          const value = observation(surfaceId, observationId);
          if (!fits(value)) return;
          release();
          resolve(value);
        };
        const release = agent.subscribe(look);
        void waiting.afterMs(waiting.untilMs).then(() => {
          release();
          reject(new Error(`${surfaceId}/${observationId} did not come to be ${wanted(expected)} within `
            + `${waiting.untilMs} ms; it is ${JSON.stringify(observation(surfaceId, observationId)) ?? 'without a value'}.`));
        });
        look();
      });
      return waiting.during(came);
    },
    read: (surfaceId, observationId) => waiting.during(agent.read(surfaceId, observationId)),
    tools: () => agent.tools(),
    dispose: () => agent.dispose(),
  };
}

function wanted(expected: unknown): string {
  return typeof expected === 'function' ? 'what the function wants' : (JSON.stringify(expected) ?? typeof expected);
}

/** Whether its surface is there: what a call of that comes to is the page's to say. */
function knows(agent: AgentRuntime, target: AgentCallTarget): boolean {
  return agent.surfaces().some(({ id, actions }) => {
    if (typeof target !== 'string') return id === target.surfaceId;
    // Long names are shortened, and only known by their action.
    return target.startsWith(`${id}__`) || actions.some((action) => toolName(id, action.id) === target);
  });
}
