import { isAsyncAction } from '../../src/protocol/manifest.js';
import { defineSurface } from '../../src/surface/definition/define-surface.js';
import type { ActionCall, ActionDefinition, DefinedSurface } from '../../src/surface/definition/definition.js';

/** What a handler does after it has started. */
export type Ending = 'value' | 'throw';

/** What handlers need of the document they run in. */
export interface HandlerStage {
  /** A handler starts. @returns the token that its outcome must carry. */
  started(call: ActionCall, surfaceId: string, actionId: string): string;
  /** Resolves or rejects when the schedule says so. */
  ending(call: ActionCall, token: string): Promise<unknown>;
  /** The handler has come to its end, whatever it was. */
  ended(token: string): void;
  /** Begins work outside of the page. */
  entrust(token: string): { readonly job: string };
  /** How far that work is. */
  look(job: string): { readonly done: boolean; readonly data: object };
  unmount(surfaceId: string): void;
  mount(surfaceId: string): void;
}

/** The event by which something outside of the page tells of a job's end. */
export const JOB_ENDED = 'job:ended';

type Body = (stage: HandlerStage, call: ActionCall, token: string) => unknown;
type Declaration = Partial<ActionDefinition<HandlerStage>>;

export const MAIN = 'main-desk';
export const SIDE = 'side-desk';

function action(surfaceId: string, id: string, declaration: Declaration, body: Body): ActionDefinition<HandlerStage> {
  return {
    id,
    description: 'Does it.',
    input: { type: 'object' },
    ...declaration,
    async handler(_params, stage, call) {
      const token = stage.started(call, surfaceId, id);
      try {
        return await body(stage, call, token);
      } finally {
        stage.ended(token);
      }
    },
  };
}

const atOnce: Body = (_stage, _call, token) => ({ token });
const whenTold: Body = (stage, call, token) => stage.ending(call, token);
const elsewhere: Body = (stage, _call, token) => stage.entrust(token);
const polling: NonNullable<Declaration['polling']> = {
  intervalMs: 700,
  resolve: ({ job }: { job: string }, stage) => stage.look(job),
};
const patterned = { type: 'object', properties: { n: { type: 'number' }, word: { type: 'string', pattern: '^a+$' } } };

const main: readonly ActionDefinition<HandlerStage>[] = [
  action(MAIN, 'write', { effect: 'edit' }, atOnce),
  action(MAIN, 'quick', { effect: 'edit', settle: 'none' }, atOnce),
  action(MAIN, 'fail', { effect: 'edit', settle: 'sync' }, () => {
    throw new Error('It went wrong.');
  }),
  action(MAIN, 'work', { effect: 'edit', settle: 'none' }, whenTold),
  action(MAIN, 'typed', { effect: 'edit', input: patterned }, atOnce),
  action(MAIN, 'look', { effect: 'view' }, atOnce),
  action(MAIN, 'inspect', { effect: 'view' }, whenTold),
  action(MAIN, 'pay', { effect: 'transaction', settle: 'none' }, atOnce),
  action(MAIN, 'leave', { effect: 'navigate' }, (stage, _call, token) => {
    stage.unmount(MAIN);
    stage.mount(SIDE);
    return { token };
  }),
  action(MAIN, 'chain', { effect: 'edit' }, async (_stage, call, token) => {
    await call.execute({ surfaceId: MAIN, actionId: 'quick' });
    return { token };
  }),
  action(MAIN, 'job', { effect: 'job', async: true }, (stage, call, token) => {
    call.progress({ step: 1 });
    return stage.ending(call, token);
  }),
  action(MAIN, 'short_job', { effect: 'job', async: true, settle: 'none' }, atOnce),
  action(MAIN, 'export_all', { effect: 'job', polling }, elsewhere),
  action(MAIN, 'import_all', { effect: 'job', polling, resumable: true, settle: 'none' }, elsewhere),
  action(MAIN, 'only_one', { effect: 'job', polling, singleFlight: true }, elsewhere),
  action(MAIN, 'wait_for', {
    effect: 'job',
    polling: { intervalMs: 0, subscribe: { event: JOB_ENDED, filter: { job: '$dispatchResult.job' } } },
  }, elsewhere),
  action(MAIN, 'slow_start', { effect: 'job', polling }, async (stage, call, token) => {
    await stage.ending(call, token);
    return stage.entrust(token);
  }),
];

const side: readonly ActionDefinition<HandlerStage>[] = [
  action(SIDE, 'write', { effect: 'edit' }, atOnce),
  action(SIDE, 'work', { effect: 'edit' }, whenTold),
  action(SIDE, 'job', { effect: 'job', async: true }, whenTold),
];

/** The page's surfaces. The second lets several actions run at once. */
export const SURFACES: { readonly [surfaceId: string]: DefinedSurface<HandlerStage> } = {
  [MAIN]: defineSurface<HandlerStage>({
    id: MAIN,
    name: 'Main',
    description: 'One action at a time.',
    actions: main,
    observations: [{ id: 'count', description: 'How many handlers have started.', schema: { type: 'number' } }],
  }),
  [SIDE]: defineSurface<HandlerStage>({
    id: SIDE,
    name: 'Side',
    description: 'Several at once.',
    concurrent: true,
    actions: side,
  }),
};

/** What can be called, as `surface action`. */
export const TARGETS: readonly string[] = Object.values(SURFACES).flatMap(({ id, actions }) =>
  actions.map((each) => `${id} ${each.id}`),
);

const declared = (surfaceId: string, actionId: string) =>
  SURFACES[surfaceId]?.actions.find(({ id }) => id === actionId);

/** A pure read may start again; nothing else may. */
export function mayStartTwice(surfaceId: string, actionId: string): boolean {
  return declared(surfaceId, actionId)?.effect === 'view';
}

/** Whether the user must have said yes to it. */
export function needsYes(surfaceId: string, actionId: string): boolean {
  return declared(surfaceId, actionId)?.effect === 'transaction';
}

/** Whether the next document follows its job further. */
export function isResumable(surfaceId: string, actionId: string): boolean {
  return declared(surfaceId, actionId)?.resumable === true;
}

/** Whether its acknowledgment comes before its outcome. */
export function isAsync(surfaceId: string, actionId: string): boolean {
  const action = declared(surfaceId, actionId);
  return action !== undefined && isAsyncAction(action);
}
