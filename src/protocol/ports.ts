import type { OUIEvent, OUIValidationIssue } from './events.js';
import type { JSONSchema } from './json.js';

export type TransportState = 'disconnected' | 'connecting' | 'connected';

/** Releases what a call took: a listener, a timer, a subscription. Safe to call twice. */
export type Release = () => void;

/**
 * Carries protocol events between a page and an agent (specification §8.1).
 * Implementations hand over what arrives as parsed JSON, unchecked: the receiver's guards decide.
 */
export interface Transport {
  readonly state: TransportState;
  /** Opens the connection and keeps it open until `disconnect`. Resolves when first connected. */
  connect(): Promise<void>;
  /** Closes the connection for good. Idempotent. */
  disconnect(): void;
  /** Gives up the present connection, which is dead, and opens another where the binding can. */
  reconnect?(reason: string): void;
  /** Sends one event. While not connected the event is dropped: senders listen to `onState` and send again. */
  send(event: OUIEvent): void;
  /** Sends one event that is JSON text already. Bindings that carry text have it; it saves a parse and a stringify. */
  sendText?(text: string): void;
  /** The longest frame that `send` takes, in bytes. Default 1 MiB. A longer one is dropped with a warning. */
  readonly maxFrameBytes?: number;
  /** Bytes handed to `send` that have not left yet. Senders hold back observations while it is high. */
  readonly bufferedBytes?: number;
  /**
   * The binding itself carries receipts of requests and acknowledgments of results, whether or not the peer says
   * hello: `x-oui:receipt` and `x-oui:ack` come and go as with a peer that speaks both. A request whose sender takes no
   * receipt has `receipt: false` beside its type.
   */
  readonly acknowledges?: boolean;
  /** Listens to an event that is none of the protocol's, where the binding has names for events. */
  listen?(event: string, handler: (payload: unknown) => void): Release;
  onEvent(handler: (message: unknown) => void): Release;
  onState(handler: (state: TransportState, reason?: string) => void): Release;
}

/**
 * Keeps texts beyond the life of a document, on this device. What cannot be kept is forgotten: no method rejects.
 * Calls for one key take effect in their order.
 */
export interface Store {
  /** Keeps it until this time (Unix epoch, ms); it may be dropped earlier. */
  put(key: string, text: string, until: number): Promise<void>;
  /** `undefined` when it is not there, or no longer. */
  get(key: string): Promise<string | undefined>;
  delete(key: string): Promise<void>;
  /**
   * Takes a key for good, until this time, for whoever the text names: in one step for all tabs of the origin. A claim
   * is apart from the texts, and `clear` leaves it.
   * @returns whether the key was free, or was taken with the same text before.
   */
  claim(key: string, text: string, until: number): Promise<boolean>;
  /** Drops every text. @returns whether none is left. */
  clear(): Promise<boolean>;
}

/** Checks a value against one schema; an empty list means it fits. Never throws. */
export type CompiledSchema = (value: unknown) => readonly OUIValidationIssue[];

/** Makes checks out of schemas. */
export interface Validator {
  /** @throws {Error} when the schema itself is broken; the message names the place in it. */
  compile(schema: JSONSchema): CompiledSchema;
}

/** The moment of an input: `now` never steps back (ms), `wall` is the Unix epoch in ms and may. */
export interface Moment {
  readonly now: number;
  readonly wall: number;
}
