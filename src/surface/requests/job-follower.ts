import * as LIMITS from '../../protocol/limits.js';
import type { ActionDefinition } from '../definition/definition.js';
import { FollowedJob } from './followed-job.js';
import type { FollowPorts, Job } from './followed-job.js';
import type { PageTimers } from '../clock/page-timers.js';

/** The jobs that this page follows (PROTOCOL.md §2, async actions). */
export class JobFollower {
  readonly #timers: PageTimers;
  readonly #ports: FollowPorts;
  readonly #jobs = new Set<FollowedJob>();
  /** What is looked at again when a surface comes. */
  readonly #awaited = new Set<() => void>();

  constructor(timers: PageTimers, ports: FollowPorts) {
    this.#timers = timers;
    this.#ports = ports;
  }

  /** To be called before the handler starts, and ended by whoever called it. */
  begin(job: Job): FollowedJob {
    const followed = new FollowedJob(job, this.#timers, this.#ports, () => this.#jobs.delete(followed));
    this.#jobs.add(followed);
    return followed;
  }

  /** An event that may end jobs. */
  hear(event: string, payload: unknown): void {
    for (const job of [...this.#jobs]) job.hear(event, payload);
  }

  surfacesChanged(): void {
    for (const job of [...this.#jobs]) job.surfacesChanged();
    for (const look of [...this.#awaited]) look();
  }

  /** The action, once a surface with it is mounted; `undefined` when none has come in time, or the signal fired. */
  awaitAction(surfaceId: string, actionId: string, signal: AbortSignal): Promise<ActionDefinition<never> | undefined> {
    return new Promise((resolve) => {
      const find = (): ActionDefinition<never> | undefined =>
        this.#ports.serving(surfaceId)?.surface.actions.find(({ id }) => id === actionId);
      const finish = (): void => {
        cancel();
        this.#awaited.delete(look);
        signal.removeEventListener('abort', finish);
        resolve(signal.aborted ? undefined : find());
      };
      const look = (): void => {
        if (find()) finish();
      };
      const cancel = this.#timers.set(LIMITS.surfaceReturnMs, finish);
      this.#awaited.add(look);
      signal.addEventListener('abort', finish);
      look();
    });
  }
}
