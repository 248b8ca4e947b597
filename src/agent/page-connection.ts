import { EVENT, EXTENSION, type OUIEvent } from '../protocol/events.js';
import { exceedsLimits, parseEventToAgent, requestIdOf, typeOf } from '../protocol/guards.js';
import * as LIMITS from '../protocol/limits.js';
import { isJsonObject } from '../protocol/shape.js';
import type { Release, Transport } from '../protocol/ports.js';
import { warnOnce } from '../protocol/warn-once.js';
import * as WARNINGS from '../protocol/warning-codes.js';
import { clipped } from './clipped.js';

const OUR_TYPES: ReadonlySet<string> = new Set([...Object.values(EVENT), ...Object.values(EXTENSION)]);

/** What a connection hands on. Nothing arrives after `close`. */
export interface PageConnectionEvents {
  connected(): void;
  disconnected(): void;
  /** Anything at all came from the page: it is alive. */
  alive(): void;
  event(event: OUIEvent): void;
  /** An `x-…` event of the application's. */
  extension(type: string, payload: unknown): void;
  /** A result that cannot be read. It names the request that it answers, and whether it is the first of two. */
  unreadableResult(requestId: string, interim: boolean, problem: string): void;
}

/** One transport to a page: what comes from it is checked here, and only here (specification §7.6.2). */
export class PageConnection {
  readonly transport: Transport;
  readonly #events: PageConnectionEvents;
  readonly #releases: readonly Release[];
  #connected = false;
  #closed = false;

  constructor(transport: Transport, events: PageConnectionEvents) {
    this.transport = transport;
    this.#events = events;
    this.#releases = [
      transport.onState((state) => this.#onState(state === 'connected')),
      transport.onEvent((message) => this.#onMessage(message)),
    ];
  }

  /** Begins: takes the transport as it is, and connects it when it is not. */
  open(): void {
    if (this.transport.state === 'connected') {
      this.#onState(true);
      return;
    }
    this.transport.connect().catch((error: unknown) => {
      if (this.#closed) return;
      warnOnce(WARNINGS.PAGE_UNREACHABLE, `The transport to the page did not connect: ${String(error)}`);
    });
  }

  send(event: OUIEvent): void {
    if (!this.#connected) return;
    try {
      this.transport.send(event);
    } catch (error) {
      warnOnce(WARNINGS.PAGE_UNREACHABLE, `The transport to the page could not send "${event.type}": ${String(error)}`);
    }
  }

  /** Lets go of the transport and disconnects it. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#connected = false;
    for (const release of this.#releases) release();
    this.transport.disconnect();
  }

  #onState(connected: boolean): void {
    if (this.#closed || connected === this.#connected) return;
    this.#connected = connected;
    if (connected) this.#events.connected();
    else this.#events.disconnected();
  }

  #onMessage(message: unknown): void {
    if (this.#closed) return;
    // A transport may hand over a first message before it has reported its state.
    if (!this.#connected && this.transport.state === 'connected') this.#onState(true);
    if (!this.#connected) return;
    this.#events.alive();
    const excess = exceedsLimits(message, this.#mostValues());
    if (excess !== undefined) {
      this.#refuse(typeOf(message), message, excess);
      return;
    }
    const parsed = parseEventToAgent(message);
    if (parsed.kind === 'event') this.#events.event(parsed.event);
    else if (parsed.kind === 'extension') this.#events.extension(parsed.type, parsed.payload);
    else if (parsed.kind === 'malformed') this.#refuse(parsed.type, message, parsed.problem);
  }

  /** As many as a frame can hold: each takes two characters at least. A result that fits its frame is read. */
  #mostValues(): number {
    return Math.ceil((this.transport.maxFrameBytes ?? LIMITS.frameBytes) / 2);
  }

  #refuse(type: string | undefined, message: unknown, problem: string): void {
    const what = type === undefined ? 'A message' : `"${clipped(type)}"`;
    // Keyed by type: a page that repeats its mistake with other values is warned about once; so is one that makes types up.
    const kind = type !== undefined && OUR_TYPES.has(type) ? type : '';
    warnOnce(WARNINGS.FRAME_IGNORED, `${what} from the page was ignored: ${clipped(problem)}.`, `agent ${kind}`);
    const requestId = type === EVENT.result ? requestIdOf(message) : undefined;
    if (requestId !== undefined) this.#events.unreadableResult(requestId, isInterim(message), problem);
  }
}

function isInterim(message: unknown): boolean {
  const payload = isJsonObject(message) ? message['payload'] : undefined;
  return isJsonObject(payload) && payload['interim'] === true;
}
