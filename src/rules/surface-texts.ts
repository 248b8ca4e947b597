import { utf8Length } from '../protocol/byte-length.js';
import type { OfferedForm } from '../protocol/engine-config.js';
import type { JsonText } from '../protocol/json.js';
import type { OUISurface, SurfaceIndexForm } from '../protocol/manifest.js';
import { surfaceIndex } from './index-entry.js';
import { sortedJson } from './surfaces-hash.js';

/**
 * One manifest as it is offered, in either form. Each is made when it is first needed and kept: indexing the actions
 * of a large page costs milliseconds, and most pages need one form only.
 */
export class SurfaceTexts {
  readonly surface: OUISurface;
  #index: SurfaceIndexForm | undefined;
  readonly #texts = new Map<OfferedForm, JsonText>();
  readonly #sorted = new Map<OfferedForm, JsonText>();
  readonly #bytes = new Map<OfferedForm, number>();

  constructor(surface: OUISurface) {
    this.surface = surface;
  }

  get index(): SurfaceIndexForm {
    return (this.#index ??= surfaceIndex(this.surface));
  }

  value(form: OfferedForm): OUISurface | SurfaceIndexForm {
    return form === 'index' ? this.index : this.surface;
  }

  /** As it is sent. */
  text(form: OfferedForm): JsonText {
    return kept(this.#texts, form, () => JSON.stringify(this.value(form)));
  }

  /** UTF-8 bytes of that. */
  bytes(form: OfferedForm): number {
    return kept(this.#bytes, form, () => utf8Length(this.text(form)));
  }

  /** With sorted keys, as it is hashed. */
  sorted(form: OfferedForm): JsonText {
    return kept(this.#sorted, form, () => sortedJson(this.value(form)));
  }
}

function kept<T>(made: Map<OfferedForm, T>, form: OfferedForm, make: () => T): T {
  let value = made.get(form);
  if (value === undefined) made.set(form, (value = make()));
  return value;
}
