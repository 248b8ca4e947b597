import type { AgentCallResult, AgentRuntime } from '../../src/agent/agent-types.js';
import { EVENT } from '../../src/protocol/events.js';
import type { OUIActionResult } from '../../src/protocol/events.js';
import type { Network } from './network.js';
import type { PageDocument } from './page-document.js';
import type { Exchange, WireLog } from './wire-log.js';

/** One call of the agent's, or of the page's own. */
export interface Call {
  /** `surface action`. */
  readonly target: string;
  readonly by: 'agent' | 'page';
  readonly document: number;
  readonly stop: AbortController;
  requestId?: string;
  acknowledgments: number;
  result?: OUIActionResult;
}

export interface CallerPorts {
  readonly agent: AgentRuntime;
  readonly network: Network;
  readonly log: WireLog;
  /** The agent's clock, Unix epoch, ms. */
  wall(): number;
}

const split = (target: string) => target.split(' ') as [surfaceId: string, actionId: string];

/** Whoever asks for something: the agent's runtime, the page itself, and a sender without any runtime. */
export class Callers {
  readonly calls: Call[] = [];
  readonly #ports: CallerPorts;
  #raw = 0;

  constructor(ports: CallerPorts) {
    this.#ports = ports;
  }

  call(target: string): Call {
    const call = this.#begin(target, 'agent');
    const [surfaceId, actionId] = split(target);
    const { signal } = call.stop;
    const onAcknowledged = (): void => void (call.acknowledgments += 1);
    void this.#ports.agent
      .call({ surfaceId, actionId }, { n: this.calls.length }, { signal, onAcknowledged })
      .then((result) => this.#onEnd(call, result));
    return call;
  }

  execute(page: PageDocument, target: string): void {
    const call = this.#begin(target, 'page');
    const [surfaceId, actionId] = split(target);
    void page.runtime.execute({ surfaceId, actionId, signal: call.stop.signal }).then((result) => {
      if (page.life.over) return;
      call.requestId = result.requestId;
      call.result = result;
    });
  }

  sendRaw(target: string): void {
    const { network, log } = this.#ports;
    if (!network.connected) return;
    const [surfaceId, actionId] = split(target);
    const requestId = `raw-${++this.#raw}`;
    log.expectRaw(requestId);
    const payload = { requestId, surfaceId, actionId, params: {}, timestamp: this.#ports.wall() };
    network.inject(JSON.stringify({ type: EVENT.request, payload }));
  }

  /** To the document that has it; to a later one only while somebody waits for its outcome, as agents do. */
  repeat(which: number): void {
    const { document } = this.#ports.log;
    const open = this.#rawOnes().filter((each) => each.document === document || each.finals.length === 0);
    const exchange = open[which % Math.max(1, open.length)];
    if (exchange) this.#ports.network.inject(exchange.text);
  }

  /** Asks again for every outcome that is still owed. */
  repeatAll(): void {
    for (const { text, finals, refused } of this.#rawOnes()) {
      if (finals.length === 0 && refused === 0) this.#ports.network.inject(text);
    }
  }

  /** Nobody waits for anything any more. A call of the page's own goes with its document. */
  get allEnded(): boolean {
    const { document } = this.#ports.log;
    return this.calls.every((call) => call.result ?? (call.by === 'page' && call.document !== document));
  }

  /** The agent's runtime repeats its own, and knows how often. */
  #rawOnes(): Exchange[] {
    return [...this.#ports.log.exchanges.values()].filter(({ raw }) => raw);
  }

  #begin(target: string, by: Call['by']): Call {
    const { document } = this.#ports.log;
    const call: Call = { target, by, document, stop: new AbortController(), acknowledgments: 0 };
    this.calls.push(call);
    return call;
  }

  #onEnd(call: Call, { requestId, result }: AgentCallResult): void {
    const { log } = this.#ports;
    const error = result.error ? `${result.error.code} ${JSON.stringify(result.error.details ?? null)}` : 'success';
    log.note(`.. the agent's ${call.target} (${log.nameOf(requestId)}) ends: ${error}`);
    call.requestId = requestId;
    call.result = result;
  }
}
