import type { ActionDefinition } from './surface-types.js';

type Handled = { readonly [member: string]: unknown };

const OUTCOME_MEMBERS = ['success', 'data', 'error', 'dispatchMeta'] as const;

/** As an action is read: programs without types may leave out even its input. */
type LooseAction<Ctx> = Omit<ActionDefinition<Ctx>, 'input'> & Partial<Pick<ActionDefinition<Ctx>, 'input'>>;

/** Actions as the engine runs them. What is missing of them is filled in: `oui-spec` asks for little. */
export function runnableActions<Ctx>(actions: readonly LooseAction<Ctx>[]): ActionDefinition<Ctx>[] {
  return actions.map((action) => {
    const { polling, singleFlight = polling?.resolve !== undefined, input = {} } = action;
    return {
      ...action,
      input,
      ...(polling && { polling: { ...polling, intervalMs: wholeInterval(polling.intervalMs) } }),
      ...(singleFlight && { singleFlight }),
      // The action's own handler at that moment: a test may have put another in its place.
      handler: async (params, context, call) => outcomeOf(await action.handler(params, context, call)) as never,
    };
  });
}

/** What is less than a timer can do, or no number, is as often as a timer can. */
function wholeInterval(ms: number): number {
  return Number.isFinite(ms) && ms >= 1 ? ms : 1;
}

/**
 * Whatever has a `success` says how the action came out, other members or none beside it. Elsewhere an object with
 * members of its own is data.
 */
function outcomeOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || typeof (value as Handled)['success'] !== 'boolean') return value;
  return Object.fromEntries(OUTCOME_MEMBERS.flatMap((name) => {
    const member = (value as Handled)[name];
    return member === undefined ? [] : [[name, member]];
  }));
}
