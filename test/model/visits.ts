import type { PageDocument } from './page-document.js';
import type { Tally } from './tally.js';
import type { Life, Timeline } from './timeline.js';
import type { WireLog } from './wire-log.js';

export interface VisitPorts {
  readonly timeline: Timeline;
  /** The world's: a document that is coming does so whatever happens. */
  readonly life: Life;
  readonly log: WireLog;
  readonly tally: Tally;
  open(number: number): PageDocument;
}

/** The documents of one tab, one after the other, and the one in the back/forward cache. */
export class Visits {
  /** Absent while the tab is between two documents. */
  page: PageDocument | undefined;
  readonly #ports: VisitPorts;
  #cached: PageDocument | undefined;
  #count = 0;

  constructor(ports: VisitPorts) {
    this.#ports = ports;
    this.#load();
  }

  reload(how: 'left' | 'crashed' | 'cached', gap: number): void {
    const { page } = this;
    const { timeline, life, log, tally } = this.#ports;
    if (!page) return;
    if (page.openHandlers > 0) tally.count(`a document ${how} with a handler at work`);
    log.note(`== document ${page.number} ${how}`);
    this.page = undefined;
    if (how === 'cached') {
      this.dropCached();
      page.freeze();
      this.#cached = page;
    } else {
      page.leave(how === 'crashed');
    }
    timeline.setTimer(gap, () => this.#load(), life);
  }

  /** Back to the cached document; the present one is gone. */
  back(gap: number): void {
    const cached = this.#cached;
    const { timeline, life, log, tally } = this.#ports;
    if (!cached || !this.page) return;
    if (cached.openHandlers > 0) tally.count('a document came back out of the cache with a handler at work');
    this.page.leave(false);
    this.page = undefined;
    this.#cached = undefined;
    timeline.setTimer(gap, () => {
      log.note(`== document ${cached.number} is back`);
      log.document = cached.number;
      this.page = cached;
      cached.comeBack();
    }, life);
  }

  /** The browser needs the memory. */
  dropCached(): void {
    this.#cached?.leave(true);
    this.#cached = undefined;
  }

  #load(): void {
    const { log } = this.#ports;
    this.#count += 1;
    log.document = this.#count;
    log.note(`== document ${this.#count}`);
    this.page = this.#ports.open(this.#count);
  }
}
