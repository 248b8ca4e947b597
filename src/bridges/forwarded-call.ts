import type { AgentCallResult, AgentRuntime, ConfirmRequest } from '../agent/agent-types.js';
import * as ERROR_CODES from '../protocol/error-codes.js';
import type { OUIError } from '../protocol/events.js';
import type { OUIAction } from '../protocol/manifest.js';
import { requiresApproval } from '../protocol/manifest.js';
import { isJsonObject } from '../protocol/shape.js';
import type { ActionCall, HandlerEnvelope } from '../surface/definition/definition.js';
import { withAttachmentIds } from './plugin-attachments.js';

/** An action of a plugin, as the page around it offers it. */
export interface ForwardedAction {
  /** The surface's own id, in the plugin. */
  readonly surfaceId: string;
  readonly action: OUIAction;
}

/**
 * Does a plugin's action there: the page's runtime has checked everything by now, its user's approval too. Always
 * resolves. The call ends with the page's own, and its progress and outcome are the plugin's.
 */
export async function forwardCall(
  agent: Pick<AgentRuntime, 'call'>,
  { surfaceId, action }: ForwardedAction,
  params: unknown,
  call: Pick<ActionCall, 'signal' | 'progress'>,
): Promise<HandlerEnvelope> {
  const sent = withAttachmentIds(action.input, params);
  const called = await agent.call({ surfaceId, actionId: action.id }, sent.params, {
    signal: call.signal,
    attachments: sent.attachments,
    confirm: (question) => isWhatWasAsked(question, action) || null,
    onAcknowledged: ({ data }) => reportProgress(data, call),
    onProgress: (value) => reportProgress(value, call),
  });
  return outcomeOf(called);
}

/** The page's user has said yes to this action, not to what it may have become since. */
function isWhatWasAsked({ title, description, effect }: ConfirmRequest, action: OUIAction): boolean {
  if (!requiresApproval(action)) return false;
  return title === action.title && description === action.description && effect === action.effect;
}

/** What the plugin tells of its job, less what its own runtime adds: the page's runtime has its own for each. */
function reportProgress(value: unknown, call: Pick<ActionCall, 'progress'>): void {
  if (!isJsonObject(value)) return;
  const { requestId: _id, trackingId: _tracking, interim, jobs: _jobs, ...told } = value;
  if (interim !== false && Object.keys(told).length > 0) call.progress(told);
}

function outcomeOf({ result: { success, data, error } }: AgentCallResult): HandlerEnvelope {
  return { success, ...(data !== undefined && { data }), ...(error && { error: reported(error) }) };
}

/** The page's own word for a missing approval would be taken for the page's own. */
function reported(error: OUIError): OUIError {
  if (error.code !== ERROR_CODES.APPROVAL_REQUIRED) return error;
  return {
    code: ERROR_CODES.EXECUTION_ERROR,
    message: 'The plugin did not run it: it wants an approval of its own, which this page cannot give. A plugin that ' +
      'lets the page around it ask its user creates its runtime with approve: () => true.',
    details: { ran: false },
  };
}
