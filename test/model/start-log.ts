import { isAsync, mayStartTwice, needsYes, SIDE } from './surfaces.js';

export interface Start {
  readonly requestId: string;
  readonly surfaceId: string;
  readonly actionId: string;
  readonly document: number;
  /** What its outcome must carry. */
  readonly token: string;
  /** The handler is at work, and its request has not ended without it. */
  running: boolean;
}

/** Every start of a handler, through all documents of the tab. */
export class StartLog {
  /** Questions to the user, and handlers whose request ended without them. */
  asked = 0;
  stopped = 0;
  readonly #starts: Start[] = [];
  readonly #allowed = new Set<string>();
  readonly #violations: string[];
  readonly #note: (line: string) => void;
  readonly #nameOf: (requestId: string) => string;

  /** `violations`: where to say what must not be. */
  constructor(violations: string[], nameOf: (requestId: string) => string, note: (line: string) => void) {
    this.#violations = violations;
    this.#nameOf = nameOf;
    this.#note = note;
  }

  get size(): number {
    return this.#starts.length;
  }

  /** The user has said yes to this request. */
  allow(requestId: string): void {
    this.#allowed.add(requestId);
  }

  /** @returns the token of this start. */
  add(requestId: string, surfaceId: string, actionId: string, document: number): string {
    const token = `t${this.#starts.length + 1}`;
    const name = this.#nameOf(requestId);
    this.#note(`** ${actionId} starts for ${name} (${token})`);
    const earlier = this.of(requestId);
    if (earlier.length > 0 && !mayStartTwice(surfaceId, actionId)) {
      this.#violations.push(`${name}: the handler of "${actionId}" started ${earlier.length + 1} times.`);
    }
    if (needsYes(surfaceId, actionId) && !this.#allowed.has(requestId)) {
      this.#violations.push(`${name}: "${actionId}" started without the user's yes.`);
    }
    const start: Start = { requestId, surfaceId, actionId, document, token, running: true };
    const other = this.#starts.find((each) => each.running && each.document === document && shareTurns(each, start));
    if (other) {
      const who = `"${actionId}" (${name}) started while "${other.actionId}" (${this.#nameOf(other.requestId)}) ran`;
      this.#violations.push(`${who}, on a surface with one action at a time.`);
    }
    this.#starts.push(start);
    return token;
  }

  end(token: string): void {
    const start = this.#starts.find((each) => each.token === token);
    if (start) start.running = false;
  }

  of(requestId: string): Start[] {
    return this.#starts.filter((start) => start.requestId === requestId);
  }
}

/** Whether the second must wait for the first. A job leaves the queue when it starts; a nested action skips it. */
function shareTurns(first: Start, second: Start): boolean {
  const queues = ({ surfaceId, actionId }: Start): boolean => surfaceId !== SIDE && !mayStartTwice(surfaceId, actionId);
  if (first.surfaceId !== second.surfaceId || !queues(first) || !queues(second)) return false;
  if (isAsync(first.surfaceId, first.actionId)) return false;
  return !(first.actionId === 'chain' && second.actionId === 'quick');
}
