import type { EffectOf, EngineEffect } from '../../../src/protocol/engine-messages.js';
import type { JournalEntry } from '../../../src/protocol/journal-entry.js';
import type { OUIActionRequest } from '../../../src/protocol/events.js';
import { defineSurface } from '../../../src/surface/definition/define-surface.js';
import type { ActionDefinition, DefinedSurface, ObservationDefinition } from '../../../src/surface/definition/definition.js';
import { createRuntime } from '../../../src/surface/create-runtime.js';
import type { SurfaceRuntime } from '../../../src/surface/runtime.js';
import type { SurfaceRuntimeOptions } from '../../../src/surface/runtime-options.js';
import { HandClock, idle } from './hand-clock.js';
import { scriptedFactory } from './scripted-host.js';
import type { ScriptedFactory, ScriptedHost } from './scripted-host.js';

/** A runtime on a hand-driven clock whose engine is the test. */
export interface RuntimeBench {
  readonly runtime: SurfaceRuntime;
  readonly clock: HandClock;
  readonly worker: ScriptedFactory;
  readonly inPage: ScriptedFactory;
  readonly host: ScriptedHost;
}

export function bench(options: SurfaceRuntimeOptions = {}, clock = new HandClock()): RuntimeBench {
  const worker = scriptedFactory(clock, 'worker');
  const inPage = scriptedFactory(clock, 'in-process');
  const loadAttachments = () => import('../../../src/surface/requests/open-attachments.js');
  const runtime = createRuntime(options, { hosts: () => [worker, inPage], clock, loadAttachments });
  return {
    runtime,
    clock,
    worker,
    inPage,
    get host() {
      return worker.host ?? inPage.host;
    },
  };
}

/** The same, with this surface mounted and the engine open. */
export async function mountedBench<Ctx>(
  surface: DefinedSurface<Ctx>,
  options?: SurfaceRuntimeOptions,
  context?: () => Ctx,
  target?: EventTarget,
) {
  const made = bench(options);
  const mounted = made.runtime.mount(surface, context as never, { ...(target && { target }) });
  await idle();
  return { ...made, host: made.worker.host, mounted };
}

type ActionParts<Ctx> = Partial<ActionDefinition<Ctx>> & Pick<ActionDefinition<Ctx>, 'id'>;

/** A surface with these actions and observations; descriptions and schemas are filled in. */
export function surfaceOf<Ctx = undefined>(
  actions: readonly ActionParts<Ctx>[],
  observations: readonly (Partial<ObservationDefinition> & Pick<ObservationDefinition, 'id'>)[] = [],
  id = 'todo-app',
): DefinedSurface<Ctx> {
  return defineSurface<Ctx>({
    id,
    name: 'Todos',
    description: 'Create and complete tasks.',
    actions: actions.map((action) => ({ description: 'Does it.', input: {}, handler: () => undefined, ...action })),
    observations: observations.map((observation) => ({ description: 'Shows it.', schema: {}, ...observation })),
  });
}

export function request(requestId: string, actionId: string, params: unknown = {}): OUIActionRequest {
  return { requestId, surfaceId: 'todo-app', actionId, params, timestamp: 1 };
}

export function entry(requestId: string, stage: JournalEntry['stage'], more: Partial<JournalEntry> = {}): JournalEntry {
  const base = { requestId, stage, origin: 'agent', receivedAt: 1, deadlineAt: 30_001, waits: true } as const;
  return { ...base, request: request(requestId, 'go_on'), ...more };
}

/** What an engine plays to start a handler: the journal first. */
export function running(requestId: string, actionId: string, more: Partial<EffectOf<'run'>> = {}): EngineEffect[] {
  const run: EffectOf<'run'> = { kind: 'run', requestId, mountId: 1, actionId, params: {}, settle: 'none', ...more };
  return [{ kind: 'journal', entry: entry(requestId, 'running') }, run];
}
