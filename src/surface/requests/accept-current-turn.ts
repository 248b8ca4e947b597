import type { OUIActionRequest } from '../../protocol/events.js';

/**
 * An `accept` gate that lets in only what belongs to the present turn of a conversation (PROTOCOL.md §9). Without a
 * turn nothing is let in; a request that names no turn is; any other has to name the present one.
 *
 * @param currentTurn the id of the turn that goes on now, or `null`; asked for each request
 */
export function acceptCurrentTurn(currentTurn: () => string | null): (request: OUIActionRequest) => boolean {
  return ({ turnId }) => {
    const current = currentTurn();
    return current !== null && (turnId === undefined || turnId === current);
  };
}
