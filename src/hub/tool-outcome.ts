import type { Fit, OUIActionResult, OUIError } from '../protocol/events.js';

/** What a tool call came to, as it goes to the model (PROTOCOL.md §10, "As an MCP tool call"). */
export interface ToolOutcome {
  readonly data?: unknown;
  readonly error?: OUIError;
  /** Whether the page had come to rest. */
  readonly settled: boolean;
  /** The observations that changed by the call, by surface and observation. */
  readonly observations: { readonly [surfaceId: string]: { readonly [observationId: string]: unknown } };
  /** Where these values were cut to fit, and whether `data` was left out; `next` says how to read the rest. */
  readonly fit?: Fit;
  /** What the page left out of a result that was too large, or that could not be read. */
  readonly delivery?: NonNullable<OUIActionResult['delivery']>;
  /** The page that answered, where several are connected. */
  readonly page?: string;
  /** It still runs, or waits for its user; `next` says how to follow up. */
  readonly pending?: true;
  /** What to do next, in words for a model. */
  readonly next?: string;
}
