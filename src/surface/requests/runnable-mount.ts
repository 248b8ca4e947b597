import type { OUIError } from '../../protocol/events.js';
import type { ActionDefinition, DefinedSurface } from '../definition/definition.js';

/** A mount, as far as running its handlers goes. */
export interface RunnableMount {
  readonly surface: DefinedSurface<never>;
  readonly getContext: () => never;
  /** Where DOM events of the surface's are heard. */
  readonly target: EventTarget | undefined;
  /** Why the action cannot be used at this moment; undefined when it can. */
  refusalNow(action: ActionDefinition<never>): OUIError | undefined;
}
