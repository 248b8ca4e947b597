import * as ERROR_CODES from '../protocol/error-codes.js';
import type { JsonObject } from '../protocol/json.js';
import { isJsonObject } from '../protocol/shape.js';
import { AgentReadError } from './agent-read-error.js';
import type { AgentCallResult, AgentObservation, AgentReadOptions, AgentReadPart } from './agent-types.js';
import { observationNotThere } from './call-errors.js';
import { clipped } from './clipped.js';
import type { PageModel } from './page-model.js';
import { readWhole } from './whole-value.js';

export interface PageReadsOptions {
  readonly model: PageModel;
  /** Why nothing can be read at all now, if that is so. */
  gone(): string | undefined;
  /** While a page may come back, or has and is putting its surfaces up: the next thing to happen. */
  returning(): Promise<void> | undefined;
  /** Asks for a `polling` observation. */
  pull(surfaceId: string, observationId: string): Promise<unknown>;
  /** Calls the page's own `read`. Always resolves. */
  ask(params: JsonObject): Promise<AgentCallResult>;
}

/** Reads observations, whole or in part (specification §5.3, PROTOCOL.md §7). */
export class PageReads {
  readonly #options: PageReadsOptions;

  constructor(options: PageReadsOptions) {
    this.#options = options;
  }

  /** The present value. */
  read(surfaceId: string, observationId: string): Promise<unknown> {
    const { model, pull } = this.#options;
    return this.#whenThere(surfaceId, observationId, async ({ updateFrequency, hasValue, ...held }) => {
      const asked = updateFrequency === 'polling' || !hasValue;
      const value = asked ? await pull(surfaceId, observationId) : held.value;
      const cuts = asked ? model.observation(surfaceId, observationId)?.cuts : held.cuts;
      return cuts ? readWhole((part) => this.#ask(surfaceId, observationId, part)) : value;
    });
  }

  /** A part, as the page gives it. */
  readPart(surfaceId: string, observationId: string, options: AgentReadOptions): Promise<AgentReadPart> {
    return this.#whenThere(surfaceId, observationId, () => this.#ask(surfaceId, observationId, options));
  }

  /** Does it when the observation is there: at once, or once a page that is on its way back has it again. */
  async #whenThere<T>(
    surfaceId: string,
    observationId: string,
    read: (observation: AgentObservation) => Promise<T>,
  ): Promise<T> {
    for (;;) {
      // What happens while the page is being asked counts: the surface may come just then.
      const before = this.#options.returning();
      try {
        return await read(this.#find(surfaceId, observationId));
      } catch (error) {
        const lost = error instanceof AgentReadError && LOST.has(error.code);
        const change = lost ? (before ?? this.#options.returning()) : undefined;
        if (!change) throw error;
        await change;
      }
    }
  }

  #find(surfaceId: string, observationId: string): AgentObservation {
    const { model, gone } = this.#options;
    const unavailable = (message: string) => new AgentReadError(ERROR_CODES.SURFACE_UNAVAILABLE, message);
    const reason = gone();
    if (reason !== undefined) throw unavailable(reason);
    const surface = model.surfaces.get(surfaceId);
    if (!surface) throw unavailable(`The page has no surface "${clipped(surfaceId)}" now.`);
    const observation = model.observation(surfaceId, observationId);
    if (observation) return observation;
    throw new AgentReadError(ERROR_CODES.NOT_FOUND, observationNotThere(surface, observationId));
  }

  async #ask(surface: string, observation: string, options: AgentReadOptions): Promise<AgentReadPart> {
    const { path, offset, limit } = options;
    const { result } = await this.#options.ask({
      surface,
      observation,
      ...(path === undefined ? {} : { path }),
      ...(offset === undefined ? {} : { offset }),
      ...(limit === undefined ? {} : { limit }),
    });
    const { error, data } = result;
    if (error) throw new AgentReadError(error.code, error.message);
    if (isPart(data)) return data;
    const message = `The page's answer to a read of "${clipped(observation)}" is neither rows nor a value.`;
    throw new AgentReadError(ERROR_CODES.INTERNAL_ERROR, message);
  }
}

/** A new document has its surfaces a little later than its voice. */
const LOST: ReadonlySet<string> = new Set([ERROR_CODES.SURFACE_UNAVAILABLE, ERROR_CODES.NOT_FOUND]);

function isPart(data: unknown): data is AgentReadPart {
  if (!isJsonObject(data)) return false;
  if (!Object.hasOwn(data, 'rows')) return Object.hasOwn(data, 'value');
  return Array.isArray(data['rows']) && Number.isFinite(data['total']) && Number.isFinite(data['offset']);
}
