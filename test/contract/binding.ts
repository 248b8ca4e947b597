import type { SetTimer } from '../../src/protocol/timer.js';
import type { TransportTraits, TransportUnderTest } from './transport-suite.js';

/** Both ends of one connection, and what can be done to it. */
export interface BoundEnds extends TransportUnderTest {
  /** The network fails: the page's end connects again by itself, or the test's application sees to it. */
  cut(): void | Promise<void>;
  /** What the two ends have left behind outside of themselves. */
  leftovers(): string[];
  /** Resolves when the other end has heard of the end, where that takes a while. */
  settled?(): Promise<void>;
}

export interface Binding {
  readonly name: string;
  readonly traits: TransportTraits;
  /** The agent's end goes on over connections; elsewhere each connection has one of its own. */
  readonly agentLasts: boolean;
  /** @param setTimer For the page's end, where that has timers. */
  make(setTimer?: SetTimer): Promise<BoundEnds>;
}
