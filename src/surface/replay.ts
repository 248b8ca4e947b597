import type { EngineInput } from '../protocol/engine-messages.js';
import type { EngineConfig } from '../protocol/engine-config.js';
import type { Journal } from './document/journal.js';
import type { PageConnection } from './link/page-connection.js';
import type { Inspections } from './inspection.js';
import type { Listeners } from './listeners.js';
import { mountInput } from './mounts/mounted-surface.js';
import type { Mounts } from './mounts/mounts.js';
import type { ObservationPublisher } from './mounts/observations.js';
import type { UserSwitches } from './mounts/user-switches.js';
import type { PageLifecycle } from './page-lifecycle.js';
import type { LocalCalls } from './requests/local-calls.js';
import { pageAddress } from './runtime-options.js';

/** The parts of a runtime that have something to tell a new engine. */
export interface ReplayParts {
  readonly config: EngineConfig;
  readonly listeners: Listeners;
  readonly inspections: Inspections;
  readonly switches: UserSwitches;
  readonly mounts: Mounts;
  readonly publisher: ObservationPublisher;
  readonly journal: Journal;
  readonly calls: LocalCalls;
  readonly lifecycle: PageLifecycle;
  readonly connection: PageConnection;
}

/** Everything that a new engine must know to go on, in the order in which it takes it. */
export function replay({ config, lifecycle, journal, ...parts }: ReplayParts): EngineInput[] {
  const { clientId, grants } = lifecycle;
  const { since: journalSince } = journal;
  const own = { ...(clientId !== undefined && { clientId }), ...(journalSince !== undefined && { journalSince }) };
  return [
    { kind: 'configure', config: { ...config, ...own, ...pageAddress() } },
    ...(parts.listeners.size > 0 ? [{ kind: 'watch', calls: true } as const] : []),
    ...(parts.inspections.on ? [{ kind: 'watch-frames', on: true } as const] : []),
    ...parts.switches.replay(),
    ...parts.mounts.all().map(mountInput),
    ...parts.publisher.replay(),
    ...grants.replay(),
    ...journal.replay(),
    ...parts.calls.replay(),
    ...lifecycle.replay(),
    ...parts.connection.replay(),
  ];
}
