import { messageOf } from '../protocol/error-message.js';
import type { OUIError } from '../protocol/events.js';
import type { OUIAction, OUISurface } from '../protocol/manifest.js';
import type { CompiledSchema, Validator } from '../protocol/ports.js';
import { warnOnce } from '../protocol/warn-once.js';
import * as WARNINGS from '../protocol/warning-codes.js';
import { invalidParams, paramsNotJson } from './call-errors.js';
import { clipped } from './clipped.js';

/**
 * The params as they will be sent: what is confirmed and validated is what goes, whatever the caller does to its
 * object meanwhile. None at all is `{}`.
 */
export function copyParams(params: unknown): { readonly params: unknown } | OUIError {
  if (params === undefined) return { params: {} };
  try {
    const text: string | undefined = JSON.stringify(params);
    return text === undefined ? paramsNotJson(`they are a ${typeof params}`) : { params: JSON.parse(text) as unknown };
  } catch (error) {
    return paramsNotJson(messageOf(error));
  }
}

/** Checks params against the page's schemas before anything is sent (specification §10.1.2). */
export class ParamsCheck {
  readonly #validator: Validator;
  readonly #compiled = new WeakMap<OUIAction, CompiledSchema>();

  constructor(validator: Validator) {
    this.#validator = validator;
  }

  check(surface: OUISurface, action: OUIAction, params: unknown): OUIError | undefined {
    const errors = this.#schemaOf(surface, action)(params);
    return errors.length === 0 ? undefined : invalidParams(action.id, errors);
  }

  #schemaOf(surface: OUISurface, action: OUIAction): CompiledSchema {
    const known = this.#compiled.get(action);
    if (known) return known;
    let compiled: CompiledSchema;
    try {
      compiled = this.#validator.compile(action.input);
    } catch (error) {
      // The page has to check in any case, and it may read its own schema better than we do: let it decide.
      const where = `"${clipped(action.id)}" on surface "${clipped(surface.id)}"`;
      const reason = clipped(messageOf(error));
      const message = `The page's input schema of ${where} cannot be used here: ${reason}. Params go unchecked.`;
      warnOnce(WARNINGS.SCHEMA_BROKEN, message);
      compiled = () => [];
    }
    this.#compiled.set(action, compiled);
    return compiled;
  }
}
