/** What makes a day worth playing. */
export const MISFORTUNES = [
  'a request was repeated',
  'an outcome was lost on its way',
  'a connection ended with requests open',
  'an engine died with a handler at work',
  'a document left with a handler at work',
  'a document crashed with a handler at work',
  'a document cached with a handler at work',
  'a document came back out of the cache with a handler at work',
  'a surface was unmounted with a handler at work',
  'an asynchronous action was acknowledged',
  'a handler was stopped by its deadline, its agent or its user',
  'the user was asked',
  'the gate refused',
] as const;

export type Misfortune = (typeof MISFORTUNES)[number];

/** Counts what befell the days that were played: a model in which nothing happens proves nothing. */
export class Tally {
  readonly #counts = new Map<Misfortune, number>();

  count(misfortune: Misfortune, times = 1): void {
    this.#counts.set(misfortune, (this.#counts.get(misfortune) ?? 0) + times);
  }

  add(other: Tally): void {
    for (const [misfortune, times] of other.#counts) this.count(misfortune, times);
  }

  /** What never happened. */
  missing(): Misfortune[] {
    return MISFORTUNES.filter((misfortune) => !this.#counts.has(misfortune));
  }
}
