import type { EngineInput } from '../protocol/engine-messages.js';
import * as ERROR_CODES from '../protocol/error-codes.js';
import type { OUIError } from '../protocol/events.js';
import type { Release } from '../protocol/ports.js';
import { ClientId } from './document/client-id.js';
import type { PageClock } from './clock/clock.js';
import type { EarlierDocument } from './earlier-document.js';
import type { EngineLink } from './link/engine-link.js';
import { Grants } from './document/grants.js';
import type { Journal } from './document/journal.js';
import { JournalStorage } from './document/journal-storage.js';
import type { PageConnection } from './link/page-connection.js';
import type { PageEnvironment } from './document/page-environment.js';
import type { Questions } from './requests/questions.js';
import type { RequestRunner } from './requests/request-runner.js';

/** The parts of a runtime that its document's life concerns. */
export interface LivingParts {
  readonly journal: Journal;
  readonly earlier: EarlierDocument;
  readonly connection: PageConnection;
  readonly questions: Questions;
  readonly runner: RequestRunner;
  link(): EngineLink;
}

/** To whom belongs what this page keeps. */
export interface LifeSettings {
  /** Of the agent's end, where the runtime has one. */
  readonly url: string | undefined;
  readonly session: string;
}

interface Waiting {
  resolve(): void;
  reject(error: Error): void;
}

const ANSWERED_ELSEWHERE: OUIError = {
  code: ERROR_CODES.SURFACE_UNAVAILABLE,
  message: 'The page was left, and another document of its tab has answered the request since.',
};

/**
 * The runtime's life in its tab (PROTOCOL.md §2, leaving the document): who it is to an agent, what it takes over from
 * the document before it and leaves to the one after it, and what it forgets when its user signs out.
 */
export class PageLifecycle {
  readonly grants: Grants;
  readonly #page: PageEnvironment;
  readonly #client: ClientId;
  readonly #session: string;
  readonly #parts: LivingParts;
  readonly #releases: readonly Release[];
  readonly #forgetting: Waiting[] = [];
  #id: string | undefined;
  /** Counts departures: what began before one is of no account after it. */
  #departures = 0;
  #here = true;
  #open = false;

  constructor(page: PageEnvironment, clock: PageClock, { url, session }: LifeSettings, parts: LivingParts) {
    this.#page = page;
    this.#client = new ClientId(page, clock, url);
    this.#session = session;
    this.#parts = parts;
    this.grants = new Grants(page, (input) => parts.link().post([input]));
    this.#releases = [page.onLeave(() => this.#leave()), page.onReturn(() => this.#return())];
  }

  /** By which agents know this page again. Absent until `ready`. */
  get clientId(): string | undefined {
    return this.#id;
  }

  /** Finds out who this page is, and takes over what the document before it left. Never rejects. */
  async ready(): Promise<void> {
    const departures = this.#departures;
    const id = await this.#client.claim();
    if (this.#open || departures !== this.#departures) return;
    this.#open = true;
    this.#id = id;
    const { journal, runner, earlier } = this.#parts;
    const storage = new JournalStorage(this.#page, this.#client.place, id, this.#session);
    const left = storage.open();
    const foreign = left === 'foreign';
    const gone = journal.open(storage, foreign ? { since: this.#page.wall(), requests: new Map() } : left);
    for (const requestId of gone) runner.drop(requestId, ANSWERED_ELSEWHERE);
    if (foreign) void this.forget().catch(() => undefined);
    earlier.begin();
  }

  /** Forgets what requests came to, and resolves when nothing of it is kept on this device. */
  forget(): Promise<void> {
    this.#parts.journal.forgetOutcomes();
    this.grants.forget();
    const cleared = new Promise<void>((resolve, reject) => this.#forgetting.push({ resolve, reject }));
    this.#parts.link().start();
    this.#parts.link().post([FORGET]);
    return cleared;
  }

  /** What a new engine is told last. */
  replay(): EngineInput[] {
    return this.#forgetting.map(() => FORGET);
  }

  /** The engine's host has cleared its store. */
  cleared(ok: boolean): void {
    if (ok) this.#forgetting.shift()?.resolve();
    else this.#forgetting.shift()?.reject(new Error(`IndexedDB could not be cleared; ${EXPIRY}.`));
  }

  /** There is no engine that could clear its store. */
  unavailable(reason: string): void {
    for (const { reject } of this.#forgetting.splice(0)) {
      reject(new Error(`IndexedDB could not be cleared, because ${reason}; ${EXPIRY}.`));
    }
  }

  /** The runtime has ended. */
  release(): void {
    for (const release of this.#releases) release();
    this.#parts.earlier.stop();
    this.#client.release();
  }

  /** For good or for the back/forward cache: there is no telling. Synchronous, for there is no time after it. */
  #leave(): void {
    if (!this.#here) return;
    this.#here = false;
    this.#open = false;
    this.#departures += 1;
    const { journal, earlier, connection, questions, link } = this.#parts;
    journal.leave();
    this.#client.leave();
    earlier.stop();
    // A page in the back/forward cache would keep its worker's connection open, and the agent would wait for it.
    link().suspend();
    connection.leave();
    questions.orphan();
  }

  #return(): void {
    if (this.#here) return;
    this.#here = true;
    this.#parts.link().resume();
    this.#parts.connection.comeBack();
  }
}

const FORGET: EngineInput = { kind: 'forget-outcomes' };
const EXPIRY = 'what is left there expires within 15 minutes';
