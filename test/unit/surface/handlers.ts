import type { ActionCall, DefinedSurface } from '../../../src/surface/definition/definition.js';
import { idle } from './hand-clock.js';
import { surfaceOf } from './runtime-bench.js';

/** Too long for the page's journal. */
export const LONG = { text: 'x'.repeat(10_000) };

/** Counts starts over all documents of a tab, and lets handlers be ended by hand. */
export class Handlers {
  readonly started: string[] = [];
  readonly aborted: string[] = [];
  readonly #open: ((value: unknown) => void)[] = [];

  /** The same surface in each document; its observation says which. */
  surface(version = '1'): DefinedSurface<never> {
    const handler = (_params: unknown, _context: unknown, { requestId, signal }: ActionCall) => {
      this.started.push(requestId);
      signal.addEventListener('abort', () => this.aborted.push(requestId));
      return new Promise((resolve) => this.#open.push(resolve));
    };
    return surfaceOf(
      [
        { id: 'save_it', handler },
        { id: 'save_long', handler: (_params, _context, { requestId }) => (this.started.push(requestId), LONG) },
        { id: 'ask_first', confirm: true, handler },
        { id: 'look_up', effect: 'view', handler },
        { id: 'import_all', async: true, handler },
      ],
      [{ id: 'version', description: `Of document ${version}` }],
    ) as never;
  }

  /** Ends the oldest handler that runs. */
  async end(value: unknown = 'done'): Promise<void> {
    this.#open.shift()?.(value);
    await idle();
  }
}
