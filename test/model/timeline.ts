import type { Release } from '../../src/protocol/ports.js';

interface Timer {
  readonly due: number;
  readonly callback: () => void;
  readonly life: Life;
}

/** Whatever can end for good: a document, an engine host. Timers of an ended life do nothing, a frozen one's wait. */
export class Life {
  over = false;
  frozen = false;
}

/** Where the world's clocks begin: far enough from zero that a forgotten offset shows. */
const START = 1_000_000;

/** Lets everything run that is queued: promises and what follows from them. */
const microtasks = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** One clock for every end of the world: it moves only by `advance`, from timer to timer. */
export class Timeline {
  now = START;
  /** Soonest first; timers of one moment in the order in which they were set. */
  readonly #timers: Timer[] = [];
  #frozen: Timer[] = [];

  setTimer(ms: number, callback: () => void, life: Life): Release {
    const timer: Timer = { due: this.now + Math.max(0, ms), callback, life };
    this.#insert(timer);
    return () => {
      for (const list of [this.#timers, this.#frozen]) {
        const index = list.indexOf(timer);
        if (index >= 0) list.splice(index, 1);
      }
    };
  }

  /** What fell due while this life was frozen does so now. */
  thaw(life: Life): void {
    life.frozen = false;
    const due = this.#frozen.filter((timer) => timer.life === life);
    this.#frozen = this.#frozen.filter((timer) => timer.life !== life);
    for (const timer of due) this.#insert(timer);
  }

  /** Timers that still mean something. */
  get open(): number {
    return this.#timers.filter(({ life }) => !life.over).length;
  }

  /** Moves on by so many ms, and stops at each timer that is due. */
  async advance(ms: number): Promise<void> {
    const end = this.now + ms;
    await microtasks();
    for (let timer = this.#timers[0]; timer && timer.due <= end; timer = this.#timers[0]) {
      this.#timers.shift();
      if (timer.life.over) continue;
      this.now = Math.max(this.now, timer.due);
      if (timer.life.frozen) {
        this.#frozen.push(timer);
        continue;
      }
      timer.callback();
      await microtasks();
    }
    this.now = end;
  }

  #insert(timer: Timer): void {
    let at = this.#timers.length;
    while (at > 0 && this.#timers[at - 1]!.due > timer.due) at -= 1;
    this.#timers.splice(at, 0, timer);
  }

  /** How long it has been going on, ms. */
  get age(): number {
    return this.now - START;
  }
}
