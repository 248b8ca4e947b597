import type { OwnActions as Whole } from '../src/engine/own-actions.js';
import { extras } from './late-extras.js';

/** In the worker's script in the place of `own-actions.ts`, which comes with the extras. */
export class OwnActions implements Pick<Whole, 'run' | 'onObserved'> {
  readonly #parts: ConstructorParameters<typeof Whole>;
  #whole: Whole | undefined;

  constructor(...parts: ConstructorParameters<typeof Whole>) {
    this.#parts = parts;
  }

  get #own(): Whole {
    return (this.#whole ??= new (extras().OwnActions)(...this.#parts));
  }

  run(...entry: Parameters<Whole['run']>): void {
    this.#own.run(...entry);
  }

  onObserved(...read: Parameters<Whole['onObserved']>): void {
    this.#own.onObserved(...read);
  }
}
