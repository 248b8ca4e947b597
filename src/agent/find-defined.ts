import type { OUIError } from '../protocol/events.js';
import { AGENT_LIMITS } from './agent-limits.js';
import type { AgentCallTarget } from './agent-types.js';
import { definitionKeepsChanging } from './call-outcomes.js';
import type { CallContext } from './open-call.js';
import type { ActionPlace } from './tool-list.js';

/** Finds an action and its whole definition, as a call does before it goes on. Always resolves. */
export async function findDefined(
  target: AgentCallTarget,
  { locate, returning, define }: Pick<CallContext, 'locate' | 'returning' | 'define'>,
): Promise<ActionPlace | OUIError> {
  for (let fetches = 0; ; ) {
    const found = locate(target);
    if ('code' in found) {
      const change = returning();
      if (!change) return found;
      await change;
      continue;
    }
    if (!found.entry) return found;
    fetches += 1;
    if (fetches > AGENT_LIMITS.definitionFetches) return definitionKeepsChanging(found.surface.id, found.action.id);
    const failure = await define(found);
    if (failure) return failure;
  }
}
