/** An observation that changed this often within this time changes all by itself. */
const CHANGES = 3;
const WITHIN_MS = 1000;

/** How often observations changed of late. An observation is named by any object of its own. */
export class ChangeRates {
  /** In the order of the last changes. */
  readonly #recent = new Map<object, number[]>();

  changed(observation: object, at: number): void {
    const times = this.#recent.get(observation) ?? [];
    times.push(at);
    if (times.length > CHANGES) times.shift();
    this.#recent.delete(observation);
    this.#recent.set(observation, times);
    this.#forgetBefore(at - WITHIN_MS);
  }

  /** Those that changed three times or more in the second before (PROTOCOL.md §3). */
  restless(now: number): ReadonlySet<object> {
    const restless = new Set<object>();
    for (const [observation, times] of this.#recent) {
      if (times.length === CHANGES && times[0]! >= now - WITHIN_MS) restless.add(observation);
    }
    return restless;
  }

  #forgetBefore(since: number): void {
    for (const [observation, times] of this.#recent) {
      if (times.at(-1)! >= since) return;
      this.#recent.delete(observation);
    }
  }
}
