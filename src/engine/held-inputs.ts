import type { EngineInput } from '../protocol/engine-messages.js';

/** An input that waits behind one that a part of the code must come for. */
export interface HeldInput {
  readonly input: EngineInput;
  readonly fromPage: boolean;
}

/** Kinds of no use to an engine that will only say no from now on. The page's own calls end in the page. */
const OF_NO_USE: ReadonlySet<EngineInput['kind']> = /* @__PURE__ */ new Set([
  'mount', 'unmount', 'define', 'observe', 'observed', 'execute', 'dispose',
] as const);

/**
 * Held inputs in the order in which an engine takes them that is to end without the part that they waited for: what was
 * asked comes behind `dispose`, so that it is refused and needs nothing.
 */
export function lastInputs(held: readonly HeldInput[]): EngineInput[] {
  const those = (asked: boolean): EngineInput[] =>
    held.flatMap(({ input }) => ((input.kind === 'message') === asked && !OF_NO_USE.has(input.kind) ? [input] : []));
  return [...those(false), { kind: 'dispose' }, ...those(true)];
}
