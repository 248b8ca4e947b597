import type { EngineInput } from '../protocol/engine-messages.js';

/** An input that waits behind one that a part of the code must come for. */
export interface HeldInput {
  readonly input: EngineInput;
  readonly fromPage: boolean;
}

/** What is of no use to an engine that will only say no from now on. The page's own calls end in the page. */
const NEW_STATE = /mount|define|observe|execute|dispose/;

/**
 * Held inputs in the order in which an engine takes them that is to end without the part that they waited for: what was
 * asked comes behind `dispose`, so that it is refused and needs nothing.
 */
export function lastInputs(held: readonly HeldInput[]): EngineInput[] {
  const inputs = held.map(({ input }) => input).filter(({ kind }) => !NEW_STATE.test(kind));
  const asked = ({ kind }: EngineInput): boolean => kind === 'message';
  return [...inputs.filter((input) => !asked(input)), { kind: 'dispose' }, ...inputs.filter(asked)];
}
