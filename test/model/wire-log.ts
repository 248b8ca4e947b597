import { EVENT, EXTENSION } from '../../src/protocol/events.js';
import type { OUIActionRequest, OUIActionResult, OUIReceipt } from '../../src/protocol/events.js';
import type { Timeline } from './timeline.js';

export type Way = 'to-page' | 'to-agent';

/** One frame. Most of them nobody looks into. */
export class WireFrame {
  readonly way: Way;
  readonly type: string;
  readonly text: string;

  constructor(way: Way, text: string) {
    this.way = way;
    this.text = text;
    // Both ends write the type first.
    this.type = text.slice(TYPE_AT, text.indexOf('"', TYPE_AT));
  }

  get payload(): unknown {
    return (JSON.parse(this.text) as { payload: unknown }).payload;
  }
}

const TYPE_AT = '{"type":"'.length;

/** What the wire has seen of one request. */
export interface Exchange {
  readonly requestId: string;
  readonly request: OUIActionRequest;
  /** The text of its first frame. */
  readonly text: string;
  /** A copy that came from nobody's runtime: no promise of the agent's waits for it. */
  readonly raw: boolean;
  /** The document that was there when it was first sent. */
  readonly document: number;
  reachedPage: number;
  accepted: number;
  refused: number;
  /** Acknowledgments of an async action, and outcomes: as the page sent them, and as they reached the agent. */
  readonly interimsSent: OUIActionResult[];
  readonly finalsSent: OUIActionResult[];
  readonly interims: OUIActionResult[];
  readonly finals: OUIActionResult[];
  /** How many hellos the page had said when it sent the outcome last. */
  endedAfter: number | undefined;
  /** The documents that sent an outcome. */
  readonly endedIn: Set<number>;
  /** The engines that did. */
  readonly endedBy: Set<number>;
  /** An answer of it was lost, late or doubled on its way. */
  strayed: boolean;
  /** The network made a copy of it. */
  doubled: boolean;
}

/** Watches the wire from outside: the model's only witness of what each end has said. */
export class WireLog {
  readonly exchanges = new Map<string, Exchange>();
  /** Things that must never be said, found at the moment they were. */
  readonly violations: string[] = [];
  /** The document that is there, counted from 1. */
  document = 0;
  #engine = 0;
  readonly #timeline: Timeline;
  readonly #trace: ((line: string) => void) | undefined;
  readonly #raw = new Set<string>();
  #hellos = 0;
  readonly #names = new Map<string, string>();

  constructor(timeline: Timeline, trace?: (line: string) => void) {
    this.#timeline = timeline;
    this.#trace = trace;
  }

  /** This id will be used by a sender that has no runtime behind it. */
  expectRaw(requestId: string): void {
    this.#raw.add(requestId);
  }

  note(line: string): void {
    this.#trace?.(`${String(this.#timeline.age).padStart(7)} ms  ${line}`);
  }

  engineStarts(kind: string): void {
    this.#engine += 1;
    this.note(`an engine starts (${kind})`);
  }

  /** A short name for an id, in the order in which they turned up. */
  nameOf(requestId: string): string {
    const known = this.#names.get(requestId);
    if (known !== undefined) return known;
    const name = `r${this.#names.size + 1}`;
    this.#names.set(requestId, name);
    return name;
  }

  connected(): void {
    this.note('-- connected');
  }

  disconnected(): void {
    this.note('-- connection lost');
  }

  sent(way: Way, text: string): WireFrame {
    const frame = new WireFrame(way, text);
    const { type } = frame;
    if (type === EXTENSION.hello && way === 'to-agent') {
      this.#hellos += 1;
    } else if (type === EVENT.request) {
      const request = frame.payload as OUIActionRequest;
      const { requestId } = request;
      if (!this.exchanges.has(requestId)) this.exchanges.set(requestId, this.#open(request, text));
    } else if (type === EVENT.result) {
      this.#onResult(frame.payload as OUIActionResult, 'sent');
    } else if (type === EXTENSION.receipt) {
      const { requestId, ok } = frame.payload as OUIReceipt;
      const exchange = this.exchanges.get(requestId);
      if (exchange && ok) exchange.accepted += 1;
      else if (exchange) exchange.refused += 1;
    }
    return frame;
  }

  delivered(frame: WireFrame): void {
    this.#show(frame, frame.way === 'to-page' ? '--> page ' : '--> agent');
    if (frame.type === EVENT.request) {
      const exchange = this.exchanges.get((frame.payload as OUIActionRequest).requestId);
      if (exchange) exchange.reachedPage += 1;
    } else if (frame.type === EVENT.result) {
      this.#onResult(frame.payload as OUIActionResult, 'arrived');
    }
  }

  lost(frame: WireFrame): void {
    this.#show(frame, 'x lost  ');
    this.strayed(frame);
  }

  doubled(frame: WireFrame): void {
    if (frame.type !== EVENT.request) return;
    const exchange = this.exchanges.get((frame.payload as OUIActionRequest).requestId);
    if (exchange) exchange.doubled = true;
  }

  strayed(frame: WireFrame): void {
    if (frame.type !== EVENT.result) return;
    const exchange = this.exchanges.get((frame.payload as OUIActionResult).requestId);
    if (exchange) exchange.strayed = true;
  }

  #open(request: OUIActionRequest, text: string): Exchange {
    return {
      requestId: request.requestId,
      request,
      text,
      raw: this.#raw.has(request.requestId),
      document: this.document,
      reachedPage: 0,
      accepted: 0,
      refused: 0,
      interimsSent: [],
      finalsSent: [],
      interims: [],
      finals: [],
      endedAfter: undefined,
      endedIn: new Set(),
      endedBy: new Set(),
      strayed: false,
      doubled: false,
    };
  }

  #onResult(result: OUIActionResult, moment: 'sent' | 'arrived'): void {
    const exchange = this.exchanges.get(result.requestId);
    if (!exchange) {
      this.violations.push(`A result for ${result.requestId}, which nobody has asked for.`);
      return;
    }
    const interim = result.interim === true;
    if (moment === 'sent') {
      // After the next hello both go again, if neither was acknowledged.
      if (interim && exchange.endedAfter === this.#hellos) {
        const name = this.nameOf(result.requestId);
        this.violations.push(`${name}: an acknowledgment was sent after the outcome.`);
      }
      if (!interim) {
        exchange.endedAfter = this.#hellos;
        exchange.endedIn.add(this.document);
        exchange.endedBy.add(this.#engine);
      }
      (interim ? exchange.interimsSent : exchange.finalsSent).push(result);
    } else {
      (interim ? exchange.interims : exchange.finals).push(result);
    }
  }

  #show(frame: WireFrame, what: string): void {
    if (!this.#trace) return;
    const { type, payload } = frame;
    if (type === EVENT.observation || type === EXTENSION.ping || type === EXTENSION.pong) return;
    const { requestId, success, interim, error, ok, state, actionId, surface, surfaceId } = (payload ?? {}) as {
      [member: string]: unknown;
    };
    const words = [
      what,
      type,
      typeof requestId === 'string' ? this.nameOf(requestId) : '',
      typeof actionId === 'string' ? actionId : '',
      success === undefined ? '' : success === true ? 'success' : `error ${JSON.stringify(error)}`,
      interim === undefined ? '' : interim === true ? 'interim' : 'final',
      ok === undefined ? '' : `ok=${String(ok)}`,
      typeof state === 'string' ? state : '',
      typeof surfaceId === 'string' && actionId === undefined ? surfaceId : '',
      surface ? (surface as { id: string }).id : '',
    ];
    this.note(words.filter((word) => word !== '').join(' '));
  }
}
