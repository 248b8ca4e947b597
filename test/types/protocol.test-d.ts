import type { OUIAction } from '../../src/protocol/manifest.js';
import type { OUIProtocolEvent } from '../../src/protocol/events.js';

/** Compiled, never run: a line that must not compile says so, and the compiler complains when it does compile. */

const action: OUIAction = { id: 'add_todo', description: 'Add a todo', input: { type: 'object' }, effect: 'edit' };

// @ts-expect-error an effect is one of the nine
export const unknownEffect: OUIAction = { ...action, effect: 'write' };

// @ts-expect-error a manifest is read-only once it is made
action.id = 'other';

// @ts-expect-error with exactOptionalPropertyTypes an absent title is left out, not undefined
export const undefinedTitle: OUIAction = { ...action, title: undefined };

/** The event's type decides what its payload is. */
export function surfaceOf(event: OUIProtocolEvent): string | undefined {
  switch (event.type) {
    case 'surface:register':
      return (event.payload.surface ?? event.payload.index).id;
    case 'action:result':
      // @ts-expect-error a result names its request, not its surface
      return event.payload.surfaceId;
    default:
      return event.payload.surfaceId;
  }
}
