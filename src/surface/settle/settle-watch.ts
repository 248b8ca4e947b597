import type { SettleMoment } from '../../protocol/inspection.js';
import type { PageTimers } from '../clock/page-timers.js';
import type { SettleTimes } from '../runtime-options.js';
import type { PageWork } from './track/page-work.js';

/** One action, from the start of its handler until its result may be sent. */
export interface SettleWatch {
  /**
   * The handler has returned. Resolves when the page has come to rest: `false` when the deadline came first, or the
   * signal fired. Never rejects.
   */
  settled(): Promise<boolean>;
  /** Nobody will ask. Idempotent. */
  end(): void;
}

/** Hears what a result waits for. */
export type SettleListener = (moment: SettleMoment) => void;

/** What a settler needs of its runtime. */
export interface SettlerParts {
  readonly timers: PageTimers;
  readonly times: SettleTimes;
  /** Looks at observations whose change is not known yet, and reports them through `changed`. */
  flush(): void;
  /** What is under way on the page. */
  readonly work: PageWork | undefined;
}
