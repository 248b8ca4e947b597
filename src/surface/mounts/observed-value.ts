import type { InputOf } from '../../protocol/engine-messages.js';
import { messageOf } from '../../protocol/error-message.js';
import type { JsonText } from '../../protocol/json.js';
import type { OUIObservation } from '../../protocol/manifest.js';
import type { Release } from '../../protocol/ports.js';
import { warnOnce } from '../../protocol/warn-once.js';
import * as WARNINGS from '../../protocol/warning-codes.js';
import { isPlainText } from '../../rules/plain-text.js';
import { valueText } from '../value-text.js';
import { isPromise } from './async-reading.js';
import type { ObservationSource } from './observation-source.js';

/** What an observation tells the engine: `observe` when it changed, `observed` when it was asked for. */
type Given = Omit<InputOf<'observe'>, 'kind'>;

/** One observation of one mount that has, or will have, a value. */
export class ObservedValue {
  readonly mountId: number;
  readonly surfaceId: string;
  declaration: OUIObservation;
  /** The newest value, unless `read` is there to be asked for it. */
  raw?: unknown;
  read?: (() => unknown) | undefined;
  /** Reads the JSON text of the newest value, where the source has it at hand. */
  readText?: (() => JsonText) | undefined;
  /** Not read unasked while no agent is connected. */
  lazy = false;
  /** Reads a source that may change without telling. */
  again?: (() => unknown) | undefined;
  /** Another value was read by it that nobody has been told of. */
  untold = false;
  /** There was a delivery, so `raw` can be compared with. */
  delivered = false;
  /** The newest value is not in `text` yet. */
  dirty = false;
  dirtyAt = 0;
  lookedAt = -Infinity;
  /** JSON text of the value, and the text that the engine has. */
  text?: JsonText;
  sent: JsonText | undefined;
  /** Where its values come from, and what ends that. */
  origin?: { readonly source: ObservationSource } | undefined;
  disconnect?: Release | undefined;
  /** It is the engine's own word, which no manifest declares. */
  told = false;
  /** Cancels the publication that is due. */
  due?: Release | undefined;
  readonly #enforced: boolean;
  #parsed: unknown;
  /** Counts what the engine was given, and what of that it found to fit its schema. */
  #version = 0;
  #fitting = 0;

  /** `enforced`: it is shown once the engine has found that it fits its schema. */
  constructor(mountId: number, surfaceId: string, declaration: OUIObservation, enforced: boolean) {
    this.mountId = mountId;
    this.surfaceId = surfaceId;
    this.declaration = declaration;
    this.#enforced = enforced;
  }

  get isPolled(): boolean {
    return this.declaration.updateFrequency === 'polling';
  }

  /** Its name, as a sentence begins. */
  get name(): string {
    return `Observation "${this.declaration.id}" of surface "${this.surfaceId}"`;
  }

  /** The newest value. `null` when it cannot be read. */
  current(read = this.read): unknown {
    try {
      return read ? read() : this.raw;
    } catch (error) {
      this.unreadable(error);
      return null;
    }
  }

  unreadable(error: unknown): void {
    const message = `${this.name} could not be read (${messageOf(error)}); null was sent instead.`;
    warnOnce(WARNINGS.OBSERVATION_NOT_READ, message, this.name);
  }

  /** Reads the newest value. @returns whether its text is another. */
  look(now: number): boolean {
    const text = this.#plainText();
    if (text === undefined) return this.encode(this.current(), now);
    this.dirty = false;
    this.lookedAt = now;
    return this.#take(text);
  }

  /**
   * Reads what may have changed without telling. When it did is not known, at any time since the last look: nobody who
   * waits for the page to be quiet begins anew, and a getter of the time does not keep them waiting.
   * @returns whether its text is another.
   */
  lookAgain(now: number): boolean {
    const value = this.current(this.again);
    if (!this.dirty) {
      if (typeof value !== 'object' && this.delivered && Object.is(value, this.raw)) return false;
      this.dirtyAt = this.lookedAt;
    }
    this.delivered = true;
    this.raw = value;
    return this.encode(value, now);
  }

  /** The text that the source has at hand, when it may go out as it is. One that may not is made of the value. */
  #plainText(): JsonText | undefined {
    if (!this.read || !this.readText) return undefined;
    try {
      const text = this.readText();
      return text === this.text || isPlainText(text) ? text : undefined;
    } catch {
      // A value too deep for `JSON.stringify`; or it cannot be read at all, which reading the value tells.
      return undefined;
    }
  }

  /** Takes a value for the present one. @returns whether its text is another. */
  encode(value: unknown, now: number): boolean {
    this.dirty = false;
    this.lookedAt = now;
    if (isPromise(value)) {
      // Each look would begin its work anew; that it is no value is warned about below.
      this.again = undefined;
      value.then(undefined, () => {});
    }
    return this.#take(valueText(value, WARNINGS.OBSERVATION_NOT_JSON, this.name).text ?? 'null');
  }

  #take(text: JsonText): boolean {
    if (text === this.text) return false;
    this.text = text;
    this.#parsed = undefined;
    return true;
  }

  /** Takes a text of the engine's own. @returns whether it is another. */
  tell(text: JsonText): boolean {
    this.told = true;
    if (text === this.text) return false;
    this.text = this.sent = text;
    this.#parsed = undefined;
    return true;
  }

  /** The text as it is handed to the engine; `null` when there is none. */
  given(): Given {
    const { mountId, declaration, text = 'null' } = this;
    this.sent = text;
    this.#version += 1;
    return {
      mountId,
      observationId: declaration.id,
      value: text,
      ...(this.#enforced && { version: this.#version }),
      ...(this.again && { silent: true }),
    };
  }

  /** The engine has looked at what it was given. @returns whether agents get another text now. */
  checked(version: number, fits: boolean): boolean {
    const before = this.shownText();
    if (version === this.#version) this.#fitting = fits ? version : 0;
    return before !== this.shownText();
  }

  /** The text that agents get, if there is a value. */
  shownText(): JsonText | undefined {
    return this.text !== undefined && this.#isWithheld() ? 'null' : this.text;
  }

  /** What that text says. The same object while it is the same text. */
  shown(): unknown {
    if (this.text === undefined) return undefined;
    if (this.#isWithheld()) return null;
    if (this.#parsed === undefined) this.#parsed = JSON.parse(this.text);
    return this.#parsed;
  }

  #isWithheld(): boolean {
    return this.#enforced && (this.text !== this.sent || this.#fitting !== this.#version);
  }
}
