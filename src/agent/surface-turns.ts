/** A place in the line of one surface. */
interface Place {
  readonly requestId: string;
  readonly arrived: () => void;
}

/** One action at a time per surface, in the order of asking (specification §7.7). */
export class SurfaceTurns {
  readonly #lines = new Map<string, Place[]>();

  /** Takes a place. Nothing when the turn is there at once, else a promise of it; `leave` fulfils it as well. */
  take(surfaceId: string, requestId: string): Promise<void> | undefined {
    const line = this.#lines.get(surfaceId) ?? [];
    this.#lines.set(surfaceId, line);
    if (line.length === 0) {
      line.push({ requestId, arrived: () => {} });
      return undefined;
    }
    return new Promise((resolve) => line.push({ requestId, arrived: resolve }));
  }

  /** Gives a place back, wherever in the line it is. Harmless for one that has none. */
  leave(surfaceId: string, requestId: string): void {
    const line = this.#lines.get(surfaceId);
    const index = line?.findIndex((place) => place.requestId === requestId) ?? -1;
    if (!line || index < 0) return;
    const [left] = line.splice(index, 1);
    left?.arrived();
    if (line.length === 0) this.#lines.delete(surfaceId);
    else if (index === 0) line[0]?.arrived();
  }
}
