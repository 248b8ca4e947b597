import type { SetTimer } from '../../src/protocol/timer.js';
import type { TransportTraits, TransportUnderTest } from './transport-suite.js';

/** Both ends of one connection, and what can be done to it. */
export interface BoundEnds extends TransportUnderTest {
  /** The network fails: the page's end connects again by itself, or the test's application sees to it. */
  cut(): void;
  /** What the two ends have left behind outside of themselves. */
  leftovers(): string[];
}

export interface Binding {
  readonly name: string;
  readonly traits: TransportTraits;
  /** @param setTimer For the page's end, where that has timers. */
  make(setTimer?: SetTimer): Promise<BoundEnds>;
}
