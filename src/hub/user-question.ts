import type { ElicitRequestFormParams, Server } from '@modelcontextprotocol/server';
import type { ConfirmRequest } from '../agent/agent-types.js';
import { visibleJson, visibleText } from '../rules/visible-text.js';

/** Whether a server's client can put a question to its user. An empty capability stands for forms, its only kind once. */
export function canAsk(server: Server): boolean {
  const { elicitation } = server.getClientCapabilities() ?? {};
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

/**
 * A question to a client's user, as MCP elicitation asks it. There is nothing to fill in: accepting is the yes, and what
 * a model or a page could write has no place in the answer.
 */
export function userQuestion(request: ConfirmRequest): ElicitRequestFormParams {
  const { title, actionId, surfaceName, description, params, page } = request;
  const place = page.url === undefined ? '' : ` (${visibleText(page.url)})`;
  const message = [
    `Allow "${visibleText(title ?? actionId)}" in ${visibleText(surfaceName)}${place}?`,
    visibleText(description),
    `It runs with exactly these values:\n${visibleJson(params)}`,
  ].join('\n\n');
  return { mode: 'form', message, requestedSchema: { type: 'object', properties: {} } };
}

/** What the answer means: only an accepted question is a yes; a cancelled one is no answer. */
export function verdictOf(action: unknown): boolean | null {
  return action === 'accept' ? true : action === 'decline' ? false : null;
}
