/** One action at a time per surface, in arrival order (PROTOCOL.md §2.10). */
export class SurfaceQueue {
  readonly #waiting = new Map<string, string[]>();
  readonly #holders = new Map<string, string>();

  /** @returns whether the request may start now. */
  enter(surfaceId: string, requestId: string): boolean {
    if (!this.#holders.has(surfaceId)) {
      this.#holders.set(surfaceId, requestId);
      return true;
    }
    const waiting = this.#waiting.get(surfaceId);
    if (waiting) waiting.push(requestId);
    else this.#waiting.set(surfaceId, [requestId]);
    return false;
  }

  /** Takes a request out, whether it holds the queue or waits. @returns the request whose turn it is now. */
  leave(surfaceId: string, requestId: string): string | undefined {
    const waiting = this.#waiting.get(surfaceId) ?? [];
    if (this.#holders.get(surfaceId) !== requestId) {
      const index = waiting.indexOf(requestId);
      if (index >= 0) waiting.splice(index, 1);
      return undefined;
    }
    const next = waiting.shift();
    if (next === undefined) {
      this.#holders.delete(surfaceId);
      this.#waiting.delete(surfaceId);
    } else {
      this.#holders.set(surfaceId, next);
    }
    return next;
  }

  /** A request that was running when an earlier engine was lost holds its queue again. */
  resume(surfaceId: string, requestId: string): void {
    if (!this.#holders.has(surfaceId)) this.#holders.set(surfaceId, requestId);
  }
}
