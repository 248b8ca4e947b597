/** Work that handlers have begun and that goes on outside of every document: a server's, say. */
export class Jobs {
  readonly #ended = new Map<string, boolean>();

  begin(job: string): void {
    this.#ended.set(job, false);
  }

  /** What a poll finds. */
  look(job: string): { readonly done: boolean; readonly data: object } {
    const done = this.#ended.get(job) === true;
    return { done, data: done ? { token: job } : { working: true } };
  }

  /** Those that still go on. */
  get open(): string[] {
    return [...this.#ended].filter(([, ended]) => !ended).map(([job]) => job);
  }

  /** All of them come to their end. @returns every job that there ever was. */
  endAll(): string[] {
    const jobs = [...this.#ended.keys()];
    for (const job of jobs) this.#ended.set(job, true);
    return jobs;
  }

  /** One of those that go on comes to its end. @returns which. */
  end(which: number): string | undefined {
    const { open } = this;
    const job = open[which % Math.max(1, open.length)];
    if (job !== undefined) this.#ended.set(job, true);
    return job;
  }
}
