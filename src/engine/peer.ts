import { EVENT, EXTENSION, FEATURES, PROTOCOL_VERSION } from '../protocol/events.js';
import type { OUIFeature, OUIHello } from '../protocol/events.js';
import * as LIMITS from '../protocol/limits.js';
import type { InputOf } from '../protocol/engine-messages.js';
import type { OfferedForm } from '../protocol/engine-config.js';
import * as WARNINGS from '../protocol/warning-codes.js';
import type { EngineContext } from './context.js';
import { frameRoom, registrationText, updateText } from './frames.js';
import type { Mount } from './registry.js';

const HELLO_TIMER = 'peer:hello';
const PING_TIMER = 'peer:ping';
const PONG_TIMER = 'peer:pong';
const ACK_TIMER = 'peer:ack';
const REMEMBERED_SLOTS = 10_000;

/** The agent's end of the connection: whether there is one, what it speaks, and whether it still answers. */
export class Peer {
  readonly #context: EngineContext;
  /** Called when it is known that this peer acknowledges nothing. */
  onPlain: () => void = () => {};
  #connected = false;
  #connection: number | undefined;
  #frameBytes: number = LIMITS.frameBytes;
  #acknowledges: 'unknown' | 'no' | 'yes' = 'unknown';
  /** The binding itself carries receipts and acknowledgments. */
  #byBinding = false;
  /** Over such a binding: an acknowledgment came. */
  #provenAck = false;
  #awaitingAck = false;
  /** Its hello came, or its time for one is over. */
  #introduced = false;
  #features: ReadonlySet<string> = new Set();
  /** The peer's clock and ours at its hello, Unix epoch ms. */
  #hello: { readonly theirs: number; readonly ours: number } | undefined;
  #registered = new Map<string, string>();
  readonly #lastTimestamp = new Map<string, number>();

  constructor(context: EngineContext) {
    this.#context = context;
  }

  get connected(): boolean {
    return this.#connected;
  }

  /** The page's number of the connection, when the page owns it. */
  get connection(): number | undefined {
    return this.#connection;
  }

  /** The longest frame that the connection takes. */
  get frameBytes(): number {
    return this.#frameBytes;
  }

  /** Whether it acknowledges results. `unknown` until its hello, or until it has had its time for one. */
  get acknowledges(): 'unknown' | 'no' | 'yes' {
    return this.#acknowledges;
  }

  /** Whether both ends named this extension, or the binding brings it along. */
  speaks(feature: OUIFeature): boolean {
    if (this.#byBinding && (feature === 'receipt' || feature === 'ack')) return true;
    return this.#features.has(feature);
  }

  /**
   * Says hello without waiting for an answer, then registers everything (PROTOCOL.md §1, §9), save what depends on
   * that answer.
   */
  onConnected(input: InputOf<'connected'>): void {
    const { connection, frameBytes = LIMITS.frameBytes, acknowledges = false, fresh } = input;
    this.#connected = true;
    this.#connection = connection;
    this.#frameBytes = frameBytes;
    this.#byBinding = acknowledges;
    if (fresh) this.#provenAck = false;
    this.#acknowledges = acknowledges ? 'yes' : 'unknown';
    this.#introduced = false;
    this.#hello = undefined;
    this.#features = new Set();
    this.#registered = new Map();
    if (this.#context.policy.hello) this.#sayHello();
    else this.#takeForV1();
    this.#registerAll();
  }

  #sayHello(): void {
    const { config, at } = this.#context;
    const hello: OUIHello = {
      protocol: PROTOCOL_VERSION,
      software: config.software,
      features: FEATURES,
      confirmBy: config.confirmBy,
      ...(config.clientId === undefined ? {} : { clientId: config.clientId }),
      ...(config.url === undefined ? {} : { url: config.url }),
      ...(config.title === undefined ? {} : { title: config.title }),
      now: at.wall,
    };
    this.#context.send(EXTENSION.hello, JSON.stringify(hello));
    this.#context.setTimer(HELLO_TIMER, config.helloMs);
  }

  onDisconnected(): void {
    this.#connected = false;
    this.#awaitingAck = false;
    this.#features = new Set();
    this.#registered = new Map();
    for (const timer of [HELLO_TIMER, PING_TIMER, PONG_TIMER, ACK_TIMER]) this.#context.clearTimer(timer);
  }

  onHello(hello: OUIHello): void {
    if (!this.#context.policy.hello) return;
    this.#context.clearTimer(HELLO_TIMER);
    this.#hello = { theirs: hello.now, ours: this.#context.at.wall };
    this.#features = new Set(FEATURES.filter((feature) => hello.features.includes(feature)));
    this.#context.emit({ kind: 'peer', software: hello.software, features: [...this.#features] });
    this.#introduced = true;
    if (this.speaks('ack')) this.#acknowledges = 'yes';
    else this.#takeForPlain();
    this.#registerAll();
    if (this.speaks('ping')) this.#context.setTimer(PING_TIMER, LIMITS.pingMs);
  }

  /**
   * When a resend was first sent, on our clock (Unix epoch, ms); `undefined` for a first send, which follows the hello
   * of its connection, and where no hello has told the peer's clock.
   */
  firstSentAt(timestamp: number): number | undefined {
    if (!this.#hello || timestamp >= this.#hello.theirs) return undefined;
    return timestamp + this.#hello.ours - this.#hello.theirs;
  }

  onPing(): void {
    this.#context.send(EXTENSION.pong, '{}');
  }

  onPong(): void {
    this.#context.clearTimer(PONG_TIMER);
  }

  onTimer(key: string): void {
    if (!this.#connected) return;
    if (key === HELLO_TIMER) {
      this.#takeForV1();
      this.#registerAll();
    }
    if (key === ACK_TIMER) {
      this.#awaitingAck = false;
      this.#takeForPlain();
    }
    if (key === PING_TIMER) {
      this.#context.send(EXTENSION.ping, '{}');
      this.#context.setTimer(PONG_TIMER, LIMITS.pongMs);
      this.#context.setTimer(PING_TIMER, LIMITS.pingMs);
    }
    if (key === PONG_TIMER) {
      const reason = `the agent's end did not answer a ping within ${LIMITS.pongMs / 1000} s`;
      this.#context.emit({ kind: 'reconnect', reason });
    }
  }

  /** Announces a surface, then its observations. A manifest that the peer holds already is not sent again. */
  register(mount: Mount): void {
    if (!this.#connected || !this.#context.config.announce) return;
    const surfaceId = mount.surface.id;
    const form = this.#formOf(mount);
    if (form === 'later') return;
    if (form === 'none') return this.deregister(surfaceId);
    const known = this.#registered.get(surfaceId);
    const text = mount.texts.text(form);
    if (known !== text) {
      this.#registered.set(surfaceId, text);
      this.#context.send(EVENT.register, registrationText(form, text, this.#context.at.wall));
    }
    if (known === undefined) for (const [id, value] of mount.observations) this.update(surfaceId, id, value);
  }

  #registerAll(): void {
    for (const mount of this.#context.registry.allOffered()) this.register(mount);
  }

  /** `later`: what the peer reads decides, and its hello has not come. `none`: there is no form that it could take. */
  #formOf({ surface, texts }: Mount): OfferedForm | 'later' | 'none' {
    const room = frameRoom(this.#context);
    const wanted = this.#context.config.form;
    if (wanted === 'full' && texts.bytes('full') <= room) return 'full';
    if (!this.#introduced) return 'later';
    if (this.speaks('index') && texts.bytes('index') <= room) return 'index';
    if (texts.bytes('full') <= room) return 'full';
    const message = `Surface "${surface.id}" was not announced: its manifest takes ${texts.bytes('full')} bytes, and the `
      + `connection takes ${room}. Split it into several surfaces, each for one part of the page.`;
    this.#context.emit({ kind: 'warn', code: WARNINGS.MANIFEST_TOO_LARGE, message, key: surface.id });
    return 'none';
  }

  /**
   * A result was handed over. A binding has acknowledgments and not every peer gives them: from one that never does,
   * nothing is waited for any longer.
   */
  awaitAck(): void {
    if (!this.#byBinding || this.#provenAck || this.#awaitingAck) return;
    this.#awaitingAck = true;
    this.#context.setTimer(ACK_TIMER, LIMITS.ackMs);
  }

  /** An acknowledgment came, of whatever result. */
  onAck(): void {
    if (!this.#byBinding) return;
    this.#provenAck = true;
    this.#awaitingAck = false;
    this.#acknowledges = 'yes';
    this.#context.clearTimer(ACK_TIMER);
  }

  /** It says no hello: nothing of what it could do is waited for. */
  #takeForV1(): void {
    this.#context.emit({ kind: 'peer', software: null, features: [] });
    this.#introduced = true;
    if (!this.#byBinding) this.#takeForPlain();
  }

  #takeForPlain(): void {
    this.#acknowledges = 'no';
    this.onPlain();
  }

  /** The next registration of this surface goes out whole, its observations too. */
  forget(surfaceId: string): void {
    this.#registered.delete(surfaceId);
  }

  deregister(surfaceId: string): void {
    if (!this.#registered.delete(surfaceId)) return;
    const payload = JSON.stringify({ surfaceId, timestamp: this.#context.at.wall });
    this.#context.send(EVENT.deregister, payload);
  }

  /** Sends one observation of a registered surface. `asked`: the peer wants it, announced or not. */
  update(surfaceId: string, observationId: string, value: string, asked = false): void {
    if (!this.#connected || !(asked || this.#registered.has(surfaceId))) return;
    const slot = `${surfaceId} ${observationId}`;
    // A clock that steps back must not make the agent drop what is newer.
    const timestamp = Math.max((this.#lastTimestamp.get(slot) ?? 0) + 1, this.#context.at.wall);
    // Surfaces may come and go under ever new ids; what is forgotten matters only to a clock that steps back.
    if (this.#lastTimestamp.size >= REMEMBERED_SLOTS) this.#lastTimestamp.clear();
    this.#lastTimestamp.set(slot, timestamp);
    const payload = updateText(this.#context, { surfaceId, observationId, value, timestamp });
    this.#context.send(EVENT.observation, payload, slot);
  }
}
