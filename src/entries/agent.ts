/** `oui-elements/agent`: the agent's side of a page. */
import { createAgentRuntime as createWithValidator } from '../agent/agent-runtime.js';
import type { AgentRuntime, AgentRuntimeOptions as OptionsWithValidator } from '../agent/agent-types.js';
import type { Validator } from '../protocol/ports.js';
import { createLinearValidator } from '../validation/linear.js';

/** Options of an agent runtime. Times in ms. */
export interface AgentRuntimeOptions extends Omit<OptionsWithValidator, 'validator'> {
  /**
   * Checks params against the page's schemas. Default: an interpreter whose patterns take linear time, because the
   * schemas come from a stranger.
   */
  readonly validator?: Validator;
}

/** Creates the agent's side of one page: its actions as tools, calls that always come to a result, its observations. */
export function createAgentRuntime(options: AgentRuntimeOptions = {}): AgentRuntime {
  return createWithValidator({ ...options, validator: options.validator ?? createLinearValidator() });
}

export { AgentReadError } from '../agent/agent-read-error.js';
export { createLinearValidator } from '../validation/linear.js';
export type {
  AgentCallOptions,
  AgentCallResult,
  AgentCallTarget,
  AgentDescription,
  AgentEvent,
  AgentListener,
  AgentObservation,
  AgentPage,
  AgentReadOptions,
  AgentReadPart,
  AgentRuntime,
  AgentRateLimit,
  AgentTimeouts,
  AgentTool,
  AgentToolAnnotations,
  ConfirmCallback,
  ConfirmRequest,
} from '../agent/agent-types.js';
export type { CompiledSchema, Validator } from '../protocol/ports.js';
