import { EVENT, EXTENSION } from '../../src/protocol/events.js';
import type { OUIEvent } from '../../src/protocol/events.js';
import type { Transport, TransportState } from '../../src/protocol/ports.js';
import type { Life, Timeline } from './timeline.js';
import type { Way, WireLog } from './wire-log.js';

/** What happens to the next frame that it can happen to. */
export interface FrameFault {
  /** `way type`, or `way` for any type. */
  readonly frame: string;
  readonly kind: 'lost' | 'twice' | 'late';
  /** How much later than it should the frame, or its copy, arrives. */
  readonly ms: number;
}

/** How long a frame, or the news of a connection, is under way. */
const LATENCY_MS = 2;
/** A lost registration ends its connection after this: nothing else would tell the agent of the surface. */
const CUT_AFTER_LOSS_MS = 1_500;

/** Frames that may arrive twice or out of order: each says what it is about. */
const MAY_STRAY: ReadonlySet<string> = new Set([
  EVENT.request,
  EVENT.result,
  EXTENSION.receipt,
  EXTENSION.ack,
  EXTENSION.cancel,
  EXTENSION.approval,
]);

/** One connection: two lanes of frames under way, which end with it. */
interface Connection {
  open: boolean;
  readonly pageEnd: PageEnd;
  readonly agentEnd: AgentEnd;
  readonly lastDue: Record<Way, number>;
}

type Listener<Arguments extends unknown[]> = (...values: Arguments) => void;

/** What both ends have: listeners. */
abstract class End {
  state: TransportState = 'disconnected';
  readonly #events = new Set<Listener<[message: unknown]>>();
  readonly #states = new Set<Listener<[state: TransportState, reason?: string]>>();

  onEvent(handler: Listener<[message: unknown]>) {
    this.#events.add(handler);
    return () => void this.#events.delete(handler);
  }

  onState(handler: Listener<[state: TransportState, reason?: string]>) {
    this.#states.add(handler);
    return () => void this.#states.delete(handler);
  }

  get listeners(): number {
    return this.#events.size + this.#states.size;
  }

  hear(text: string): void {
    for (const listener of [...this.#events]) listener(JSON.parse(text));
  }

  become(state: TransportState, reason?: string): void {
    if (this.state === state) return;
    this.state = state;
    for (const listener of [...this.#states]) listener(state, reason);
  }
}

/** The page's end: connects again by itself until it is told not to. */
class PageEnd extends End implements Transport {
  readonly #network: Network;
  readonly life: Life;
  connection: Connection | undefined;
  #wanted = false;

  constructor(network: Network, life: Life) {
    super();
    this.#network = network;
    this.life = life;
  }

  get wanted(): boolean {
    return this.#wanted && !this.life.over;
  }

  connect(): Promise<void> {
    this.#wanted = true;
    this.become('connecting');
    this.#network.dial(this);
    return Promise.resolve();
  }

  disconnect(): void {
    this.#wanted = false;
    this.#network.hangUp(this, LATENCY_MS);
    this.become('disconnected', 'disconnected by this side');
  }

  reconnect(reason: string): void {
    this.#network.hangUp(this, LATENCY_MS);
    this.lost(reason);
  }

  /** The connection is gone. */
  lost(reason: string): void {
    this.become('disconnected', reason);
    if (!this.wanted) return;
    this.become('connecting');
    this.#network.dial(this);
  }

  send(event: OUIEvent): void {
    this.sendText(JSON.stringify(event));
  }

  sendText(text: string): void {
    if (this.connection && !this.life.over) this.#network.carry(this.connection, 'to-agent', text);
  }
}

/** The agent's end of one connection. */
class AgentEnd extends End implements Transport {
  readonly #network: Network;
  connection: Connection | undefined;

  constructor(network: Network) {
    super();
    this.#network = network;
  }

  connect(): Promise<void> {
    return Promise.reject(new Error('Only the page opens connections.'));
  }

  disconnect(): void {
    const { connection } = this;
    if (!connection) return;
    this.become('disconnected', 'disconnected by this side');
    this.#network.close(connection, LATENCY_MS);
  }

  send(event: OUIEvent): void {
    if (this.state === 'connected' && this.connection) {
      this.#network.carry(this.connection, 'to-page', JSON.stringify(event));
    }
  }
}

/** A network that loses, repeats and delays frames on demand, and connections with all that is under way. */
export class Network {
  readonly #timeline: Timeline;
  readonly #life: Life;
  readonly #log: WireLog;
  readonly #arrive: (transport: Transport) => void;
  #armed: FrameFault[] = [];
  readonly #ends: End[] = [];
  #newest: Connection | undefined;
  #downUntil = 0;

  /** `arrive`: the agent's side is handed its end of each new connection. */
  constructor(timeline: Timeline, life: Life, log: WireLog, arrive: (transport: Transport) => void) {
    this.#timeline = timeline;
    this.#life = life;
    this.#log = log;
    this.#arrive = arrive;
  }

  /** Listeners on any end whose owner is alive. */
  get listeners(): number {
    const alive = this.#ends.filter((end) => !(end instanceof PageEnd && end.life.over));
    return alive.reduce((sum, { listeners }) => sum + listeners, 0);
  }

  get connected(): boolean {
    return this.#newest?.open === true;
  }

  pageEnd(life: Life): Transport {
    const end = new PageEnd(this, life);
    this.#ends.push(end);
    return end;
  }

  arm(fault: FrameFault): void {
    this.#armed.push(fault);
  }

  /** Ends the present connection without a word, and lets none be opened for a while. */
  cut(backAfterMs: number, agentNoticesMs: number): void {
    this.#downUntil = Math.max(this.#downUntil, this.#timeline.now + backAfterMs);
    const connection = this.#newest;
    if (!connection?.open) return;
    this.close(connection, 0, agentNoticesMs);
  }

  /** The network works from now on. */
  mend(): void {
    this.#armed = [];
    this.#downUntil = 0;
    for (const end of this.#ends) if (end instanceof PageEnd && end.wanted) this.dial(end);
  }

  /** Frames of the newest connection from somebody who listens in. */
  inject(text: string): void {
    if (this.#newest?.open) this.carry(this.#newest, 'to-page', text);
  }

  dial(end: PageEnd): void {
    const wait = Math.max(LATENCY_MS, this.#downUntil - this.#timeline.now);
    this.#timeline.setTimer(wait, () => {
      if (!end.wanted || end.connection) return;
      if (this.#timeline.now < this.#downUntil) return this.dial(end);
      const agentEnd = new AgentEnd(this);
      const connection: Connection = {
        open: true,
        pageEnd: end,
        agentEnd,
        lastDue: { 'to-page': 0, 'to-agent': 0 },
      };
      this.#ends.push(agentEnd);
      end.connection = connection;
      agentEnd.connection = connection;
      agentEnd.state = 'connected';
      this.#newest = connection;
      this.#log.connected();
      this.#arrive(agentEnd);
      if (connection.open) end.become('connected');
    }, end.life);
  }

  /** A document or an engine is gone without a word; its connections go with it. */
  abandon(life: Life): void {
    for (const end of this.#ends) if (end instanceof PageEnd && end.life === life) this.hangUp(end, 0);
  }

  /** The page's end closes its connection, in turn with what it has sent. */
  hangUp(end: PageEnd, agentNoticesMs: number): void {
    const { connection } = end;
    if (!connection) return;
    end.connection = undefined;
    const at = Math.max(this.#timeline.now + agentNoticesMs, connection.lastDue['to-agent']);
    this.#timeline.setTimer(at - this.#timeline.now, () => this.close(connection, 0), this.#life);
  }

  /** Ends a connection: each end hears of it after its time, and what is under way is lost. */
  close(connection: Connection, pageNoticesMs: number, agentNoticesMs = 0): void {
    if (!connection.open) return;
    connection.open = false;
    this.#log.disconnected();
    const { pageEnd, agentEnd } = connection;
    this.#after(agentNoticesMs, () => agentEnd.become('disconnected', 'the connection was lost'));
    this.#after(pageNoticesMs, () => {
      if (pageEnd.connection !== connection) return;
      pageEnd.connection = undefined;
      if (!pageEnd.life.over) pageEnd.lost('the connection was lost');
    });
  }

  /** Takes a frame on its way, with the faults that wait for one. */
  carry(connection: Connection, way: Way, text: string): void {
    const frame = this.#log.sent(way, text);
    if (!connection.open) return this.#log.lost(frame);
    const fault = this.#faultFor(way, frame.type);
    if (fault?.kind === 'lost') {
      this.#log.lost(frame);
      if (!MAY_STRAY.has(frame.type)) this.#after(CUT_AFTER_LOSS_MS, () => this.close(connection, 0));
      return;
    }
    const { now } = this.#timeline;
    const deliver = (due: number): void => {
      this.#timeline.setTimer(due - now, () => {
        const end = way === 'to-page' ? connection.pageEnd : connection.agentEnd;
        if (!connection.open || end.connection !== connection) return this.#log.lost(frame);
        this.#log.delivered(frame);
        end.hear(text);
      }, this.#life);
    };
    const inTurn = Math.max(now + LATENCY_MS, connection.lastDue[way]);
    if (fault?.kind !== 'late') {
      connection.lastDue[way] = inTurn;
      deliver(inTurn);
    }
    if (fault) {
      this.#log.strayed(frame);
      if (fault.kind === 'twice') this.#log.doubled(frame);
      deliver(inTurn + fault.ms);
    }
  }

  #faultFor(way: Way, type: string): FrameFault | undefined {
    // Without its hello a page is another page: only a connection's end takes a hello with it.
    if (type === EXTENSION.hello) return undefined;
    const index = this.#armed.findIndex(
      ({ kind, frame }) => (frame === way || frame === `${way} ${type}`) && (kind === 'lost' || MAY_STRAY.has(type)),
    );
    return index < 0 ? undefined : this.#armed.splice(index, 1)[0];
  }

  #after(ms: number, callback: () => void): void {
    if (ms === 0) callback();
    else this.#timeline.setTimer(ms, callback, this.#life);
  }
}
