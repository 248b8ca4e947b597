import { EVENT, EXTENSION, type OUIActionRequest, type OUIAttachmentPart } from '../protocol/events.js';
import { exceedsLimits, parseEventToPage, requestIdOf, typeOf } from '../protocol/guards.js';
import type { ParsedEvent } from '../protocol/guards.js';
import { INCOMPLETE_REASON } from '../protocol/receipt-reasons.js';
import * as WARNINGS from '../protocol/warning-codes.js';
import type { Answers } from './answers.js';
import type { EngineContext } from './context.js';
import { malformedRequest } from './engine-errors.js';

type Malformed = Extract<ParsedEvent, { kind: 'malformed' }>;

/** Where messages go once they are known to be sound. */
export interface InboxRoutes {
  /** `takesReceipt`: it can be refused on its receipt. */
  request(request: OUIActionRequest, takesReceipt: boolean): void;
  cancel(requestId: string): void;
  pull(surfaceId: string, observationId: string): void;
  attachmentPart(part: OUIAttachmentPart): void;
  /** A message of a type that is not the protocol's. */
  event(type: string, payload: unknown): void;
}

/** Reads what the peer sends. Nothing in it is trusted, and nothing in it can stop the page (PROTOCOL.md §1, §2.1). */
export class Inbox {
  readonly #context: EngineContext;
  readonly #answers: Answers;
  readonly #routes: InboxRoutes;

  constructor(context: EngineContext, answers: Answers, routes: InboxRoutes) {
    this.#context = context;
    this.#answers = answers;
    this.#routes = routes;
  }

  read(message: unknown): void {
    const isRequest = typeOf(message) === EVENT.request;
    const excess = exceedsLimits(message);
    if (excess !== undefined) {
      const requestId = isRequest ? requestIdOf(message) : undefined;
      if (requestId === undefined) this.#ignore(typeOf(message), excess);
      else this.#answers.reject(requestId, malformedRequest(excess));
      return;
    }
    const takesReceipt = this.#context.peer.speaks('receipt') && !isWithoutReceipt(message);
    const parsed = parseEventToPage(message);
    switch (parsed.kind) {
      case 'unknown':
        return this.#routes.event(parsed.type, (message as { readonly payload?: unknown }).payload);
      case 'extension':
        this.#routes.event(parsed.type, parsed.payload);
        return this.#context.emit({ kind: 'extension', type: parsed.type, payload: parsed.payload });
      case 'malformed':
        return this.#refuse(parsed, isRequest, takesReceipt);
      case 'event':
        break;
    }
    const { type, payload } = parsed.event;
    const { peer } = this.#context;
    switch (type) {
      case EVENT.request:
        return this.#routes.request(
          { ...payload, timestamp: payload.timestamp ?? this.#context.at.wall },
          takesReceipt,
        );
      case EVENT.observationRequest:
        return this.#routes.pull(payload.surfaceId, payload.observationId);
      case EXTENSION.hello:
        return peer.onHello(payload);
      case EXTENSION.ack:
        peer.onAck();
        return this.#answers.onAck(payload);
      case EXTENSION.cancel:
        return this.#routes.cancel(payload.requestId);
      case EXTENSION.attachmentPart:
        return this.#routes.attachmentPart(payload);
      case EXTENSION.ping:
        return peer.onPing();
      case EXTENSION.pong:
        return peer.onPong();
      default:
        // A page's own events, sent to a page: known, and not for us.
        return;
    }
  }

  /** A request that names itself is answered: the agent should not wait. Anything else is a warning. */
  #refuse({ type, requestId, problem }: Malformed, isRequest: boolean, takesReceipt: boolean): void {
    if (!isRequest || requestId === undefined) this.#ignore(type, problem);
    // A broken copy of a request that is known says nothing about that request.
    else if (this.#context.ledger.get(requestId)) this.#ignore(type, problem);
    else if (takesReceipt) this.#answers.receipt(requestId, INCOMPLETE_REASON);
    else this.#answers.reject(requestId, malformedRequest(problem));
  }

  #ignore(type: string | undefined, problem: string): void {
    const message = `A message from the agent was ignored: ${problem}.`;
    const key = `message ${type ?? ''}`;
    this.#context.emit({ kind: 'warn', code: WARNINGS.FRAME_IGNORED, message, key });
  }
}

/** A transport says so of a request whose sender takes no receipt. */
function isWithoutReceipt(message: unknown): boolean {
  return (message as { readonly receipt?: unknown } | null)?.receipt === false;
}
