import { randomId } from '../../protocol/random-id.js';
import type { Release } from '../../protocol/ports.js';
import type { PageClock } from '../clock/clock.js';
import { Fnv1a64 } from '../../rules/fnv.js';
import type { PageEnvironment } from './page-environment.js';

/** What the document before this one still holds is free by then; what a duplicated tab's original holds is not. */
const HANDOVER_MS = 300;

type Locks = NonNullable<PageEnvironment['locks']>;
type PageStorage = NonNullable<PageEnvironment['storage']>;

/**
 * The id by which an agent knows this page again after a reload (PROTOCOL.md §1): kept in sessionStorage, and claimed
 * with a Web Lock that is held as long as the document lives, because a duplicated tab copies sessionStorage. Whoever
 * finds the lock held elsewhere takes a new id. Where there are no locks, on plain http, a mark in sessionStorage stands
 * while a document uses the id: a copy has the mark too, and so has what a crash left. Without storage the id is new
 * each time.
 */
export class ClientId {
  readonly #page: PageEnvironment;
  readonly #clock: PageClock;
  readonly #endpoint: string;
  #place: string | undefined;
  #claimed: Promise<string> | undefined;
  #giveBack: Release = () => {};
  #departures = 0;

  /** `url`: of the agent's end, where the runtime has one. Another end gets another id, and nothing of this one's. */
  constructor(page: PageEnvironment, clock: PageClock, url: string | undefined) {
    this.#page = page;
    this.#clock = clock;
    this.#endpoint = url === undefined ? '' : `${shortHash(url.replace(/[?#].*/, ''))}:`;
  }

  /**
   * Which frame of the tab, which agent's end, and which of its runtimes in this document. Taken with the first claim,
   * kept until `release`.
   */
  get place(): string {
    let index = 0;
    const at = (): string => `${this.#page.frame}:${this.#endpoint}${index}`;
    if (this.#place === undefined) {
      while (this.#page.places.has(at())) index += 1;
      this.#place = at();
      this.#page.places.add(this.#place);
    }
    return this.#place;
  }

  /** Never rejects. The same until `leave`. */
  claim(): Promise<string> {
    this.#claimed ??= this.#claim().catch(() => randomId());
    return this.#claimed;
  }

  /** The document is being left: the next one may have the id. Idempotent. */
  leave(): void {
    const giveBack = this.#giveBack;
    this.#claimed = undefined;
    this.#departures += 1;
    this.#giveBack = () => {};
    giveBack();
  }

  /** The runtime has ended: another may have its place. Idempotent. */
  release(): void {
    this.leave();
    if (this.#place !== undefined) this.#page.places.delete(this.#place);
  }

  async #claim(): Promise<string> {
    const key = `oui:client:${this.place}`;
    const fresh = randomId();
    const { storage, locks } = this.#page;
    if (!storage) return fresh;
    const kept = storage.getItem(key);
    const mark = `${key}:used`;
    const departures = this.#departures;
    const free = kept !== null && (await (locks ? this.#lock(locks, kept) : this.#unmarked(storage, mark)));
    // Left meanwhile: what is written now belongs to whoever came after.
    if (departures !== this.#departures) return fresh;
    if (free) {
      if (!locks) this.#setMark(storage, mark);
      return kept;
    }
    storage.setItem(key, fresh);
    if (locks) await this.#lock(locks, fresh);
    else this.#setMark(storage, mark);
    return fresh;
  }

  /** Whether the lock was granted; it is then held until the document is left. */
  #lock(locks: Locks, id: string): Promise<boolean> {
    const released = new Promise<void>((resolve) => (this.#giveBack = resolve));
    return new Promise((resolve, reject) => {
      const waiting = new AbortController();
      const giveUp = this.#clock.setTimer(HANDOVER_MS, () => {
        waiting.abort();
        resolve(false);
      });
      const held = (): Promise<void> => {
        giveUp();
        resolve(true);
        return released;
      };
      // The rejection that follows `abort` comes after `resolve` and changes nothing.
      locks.request(`oui:client:${id}`, { signal: waiting.signal }, held).catch((error: unknown) => {
        giveUp();
        reject(error);
      });
    });
  }

  /** Whether nobody's mark stands there; the document before this one has some time to take its own away. */
  async #unmarked(storage: PageStorage, mark: string): Promise<boolean> {
    if (storage.getItem(mark) !== null) await new Promise<void>((resolve) => this.#clock.setTimer(HANDOVER_MS, resolve));
    return storage.getItem(mark) === null;
  }

  #setMark(storage: PageStorage, mark: string): void {
    storage.setItem(mark, '1');
    this.#giveBack = () => {
      try {
        storage.removeItem(mark);
      } catch {
        // Forbidden meanwhile: the next document takes a new id.
      }
    };
  }
}

function shortHash(text: string): string {
  const hash = new Fnv1a64();
  hash.add(text);
  return hash.hex().slice(0, 8);
}
