import type { AgentRuntime } from '../agent/agent-types.js';
import { realTime } from './event-loop.js';

/** A page opens, loads its code and connects; how it then answers to a call that it does not know is its own. */
export function untilKnown(
  agent: Pick<AgentRuntime, 'subscribe'>,
  known: () => boolean,
  waitMs: number,
): Promise<void> {
  return new Promise((resolve) => {
    const look = (late = false): void => {
      if (!late && !known()) return;
      release();
      resolve();
    };
    const release = agent.subscribe(() => look());
    void realTime(waitMs).then(() => look(true));
    look();
  });
}
