import * as LIMITS from '../../protocol/limits.js';
import type { Release } from '../../protocol/ports.js';
import { warnOnce } from '../../protocol/warn-once.js';
import * as WARNINGS from '../../protocol/warning-codes.js';
import type { PageEnvironment } from '../document/page-environment.js';

/** A switch that is off: `surface`, or `surface action`. Ids have no spaces. */
export type SwitchKey = string;

/**
 * The user's switches, on this device, for all documents of the origin: in localStorage, because a surface that was
 * switched off must not be seen even by the first, synchronous `snapshot()` of a document.
 *
 * Read before each write: another page of the origin may have switched something of its own.
 */
export class KeptSwitches {
  readonly #page: PageEnvironment;
  readonly #key: string;

  /** `session`: whose switches they are. */
  constructor(page: PageEnvironment, session: string) {
    this.#page = page;
    this.#key = session === '' ? 'oui:switches' : `oui:switches:${session}`;
  }

  /** What is off. Nothing, where there is no storage. */
  off(): readonly SwitchKey[] {
    try {
      const kept: unknown = JSON.parse(this.#page.lasting?.getItem(this.#key) ?? '[]');
      return Array.isArray(kept) ? kept.filter(isSwitchKey).slice(-LIMITS.keptSwitches) : [];
    } catch {
      return [];
    }
  }

  /** Storage that is full or forbidden costs one warning: the switch then holds in this document. */
  set(key: SwitchKey, allowed: boolean): void {
    const storage = this.#page.lasting;
    if (!storage) return;
    const off = [...this.off().filter((each) => each !== key), ...(allowed ? [] : [key])];
    try {
      if (off.length === 0) storage.removeItem(this.#key);
      else storage.setItem(this.#key, JSON.stringify(off.slice(-LIMITS.keptSwitches)));
    } catch (error) {
      warnOnce(WARNINGS.SWITCH_NOT_KEPT, `A switch of the user's could not be kept on this device (${String(error)}): it `
        + 'holds until the page is left. The storage of this origin is full or forbidden.');
    }
  }

  /** Called when another document of the origin has set a switch. */
  onChange(listener: () => void): Release {
    return this.#page.onLastingChange?.((key) => {
      // Without a key everything was cleared.
      if (key === null || key === this.#key) listener();
    }) ?? (() => {});
  }
}

function isSwitchKey(value: unknown): value is SwitchKey {
  return typeof value === 'string' && value.length <= 2 * LIMITS.idLength + 1 && /^[^ ]+( [^ ]+)?$/.test(value);
}
