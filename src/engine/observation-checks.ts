import type { InputOf } from '../protocol/engine-messages.js';
import type { JSONSchema, JsonText } from '../protocol/json.js';
import * as LIMITS from '../protocol/limits.js';
import type { CompiledSchema } from '../protocol/ports.js';
import * as WARNINGS from '../protocol/warning-codes.js';
import type { EngineContext } from './context.js';
import { findObservation, type Mount } from './registry.js';
import { hasPatterns } from './target.js';

/** The check of one observation's schema, and when it was last used as a sample. */
interface ObservationCheck {
  readonly schema: JSONSchema;
  /** What is wrong with a value; undefined when it fits. */
  readonly problemOf: ((value: JsonText) => string | undefined) | undefined;
  sampledAt?: number;
}

/** Values against the schemas of their observations (PROTOCOL.md §8, `observationSchemas`). */
export class ObservationChecks {
  readonly #context: EngineContext;
  readonly #checks = new WeakMap<Mount, Map<string, ObservationCheck>>();

  constructor(context: EngineContext) {
    this.#context = context;
  }

  /** What goes in place of a value: itself, or `null` when it must fit and does not. */
  pass(mount: Mount, { mountId, observationId, value, version }: InputOf<'observe'> | InputOf<'observed'>): JsonText {
    const enforced = this.#context.config.observationSchemas === 'enforce';
    const problem = this.#problemOf(mount, observationId, value, enforced);
    if (version !== undefined) {
      this.#context.emit({ kind: 'checked', mountId, observationId, version, fits: problem === undefined });
    }
    if (problem === undefined) return value;
    const name = `Observation "${observationId}" of surface "${mount.surface.id}"`;
    const sent = enforced ? 'null was sent instead' : 'it was sent as it is';
    const message = `${name} has a value that does not fit its schema: ${problem}; ${sent}.`;
    // Each place once where null is sent; one is enough to know where the value came as it is.
    const key = enforced ? `${name} ${problem}` : name;
    this.#context.emit({ kind: 'warn', code: WARNINGS.OBSERVATION_MISMATCH, message, key });
    return enforced ? 'null' : value;
  }

  #problemOf(mount: Mount, observationId: string, value: JsonText, enforced: boolean): string | undefined {
    // `null` says that there is no value, whatever the schema.
    if (this.#context.config.observationSchemas === 'off' || value === 'null') return undefined;
    const declaration = findObservation(mount, observationId);
    if (!declaration) return undefined;
    const checks = this.#checks.get(mount) ?? new Map<string, ObservationCheck>();
    this.#checks.set(mount, checks);
    let check = checks.get(observationId);
    if (check?.schema !== declaration.schema) {
      check = { schema: declaration.schema, problemOf: this.#compile(declaration.schema, enforced) };
      checks.set(observationId, check);
    }
    if (!check.problemOf || (!enforced && !this.#isSample(check, value))) return undefined;
    return check.problemOf(value);
  }

  #isSample(check: ObservationCheck, value: JsonText): boolean {
    const { now } = this.#context.at;
    const { sampledAt } = check;
    const most = sampledAt === undefined ? LIMITS.firstObservationCheckLength : LIMITS.observationCheckLength;
    check.sampledAt ??= now;
    if (value.length > most || (sampledAt !== undefined && now - sampledAt < LIMITS.observationCheckMs)) return false;
    check.sampledAt = now;
    return true;
  }

  /** `undefined` when there is nothing to check. */
  #compile(schema: JSONSchema, enforced: boolean): ObservationCheck['problemOf'] {
    if (schema === true || Object.keys(schema).length === 0 && schema !== false) return undefined;
    // A pattern may take for ever, and a sample is not worth that.
    const checked = enforced || !hasPatterns(schema) ? schema : withoutPatterns(schema);
    let fits: CompiledSchema;
    try {
      fits = this.#context.registry.compile(checked);
    } catch (error) {
      const broken = `the schema is broken: ${(error as Error).message}`;
      return () => broken;
    }
    return (value) => {
      const issue = fits(JSON.parse(value))[0];
      return issue && (issue.message.startsWith(issue.path) ? issue.message : `${issue.path}: ${issue.message}`);
    };
  }
}

/** The same schema with every pattern taken for one that fits. */
function withoutPatterns(schema: JSONSchema): JSONSchema {
  const text = JSON.stringify(schema, (key, part: unknown) => {
    if (key === 'pattern' && typeof part === 'string') return undefined;
    if (typeof part !== 'object' || part === null || !('patternProperties' in part)) return part;
    // Which members the others are left for is not known without the patterns.
    return { ...part, patternProperties: undefined, additionalProperties: undefined, unevaluatedProperties: undefined };
  });
  return JSON.parse(text) as JSONSchema;
}
