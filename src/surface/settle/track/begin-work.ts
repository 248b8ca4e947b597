import type { Release } from '../../../protocol/ports.js';
import type { Work } from './action-work.js';

/** Where the functions are that start work: a window. In Node and in old browsers some do not exist. */
export type PageScope = Partial<typeof globalThis>;

/** Begins a piece of work, and returns what ends it. `undefined` when it counts for nobody. */
export type BeginWork = (work: Work) => Release | undefined;
