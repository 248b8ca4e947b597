import { createAgentRuntime } from '../../src/agent/agent-runtime.js';
import type { AgentCallResult } from '../../src/agent/agent-types.js';
import { EVENT } from '../../src/protocol/events.js';
import type { OUIActionResult } from '../../src/protocol/events.js';
import type { CompiledSchema, Validator } from '../../src/protocol/ports.js';
import { createInterpretedValidator } from '../../src/validation/interpreted.js';
import { createLinearValidator } from '../../src/validation/linear.js';
import { Jobs } from './jobs.js';
import { Network } from './network.js';
import { findViolations } from './oracles.js';
import { PageDocument } from './page-document.js';
import type { Command, Schedule } from './schedule.js';
import { StartLog } from './start-log.js';
import { SURFACES } from './surfaces.js';
import { Tab } from './tab.js';
import { Tally } from './tally.js';
import { Life, Timeline } from './timeline.js';
import { WireLog } from './wire-log.js';

/** One call of the agent's, or of the page's own. */
export interface Call {
  readonly target: string;
  readonly by: 'agent' | 'page';
  readonly document: number;
  readonly stop: AbortController;
  requestId?: string;
  acknowledgments: number;
  result?: OUIActionResult;
}

const EPOCH = 1_700_000_000_000;
/** Longer than any clock of the agent's for a call that no one works on any more. */
const ROUND_MS = 40_000;
const MOST_ROUNDS = 12;
/** A call that was cancelled keeps its surface's turn at the agent until the page is known to be done with it. */
const PROBE_ROUNDS = 3;

/** Schemas are the same in each schedule: what is made of them is kept. */
function remembering(validator: Validator): Validator {
  const compiled = new Map<string, CompiledSchema>();
  return {
    compile(schema) {
      const key = JSON.stringify(schema);
      const known = compiled.get(key) ?? validator.compile(schema);
      compiled.set(key, known);
      return known;
    },
  };
}
const pageValidator = remembering(createInterpretedValidator());
const agentValidator = remembering(createLinearValidator());

/** A tab, an agent and the network between them. */
export class World {
  readonly tally = new Tally();
  readonly #schedule: Schedule;
  readonly #timeline = new Timeline();
  readonly #life = new Life();
  readonly #agentLife = new Life();
  readonly #log: WireLog;
  readonly #starts: StartLog;
  readonly #network: Network;
  readonly #agent: ReturnType<typeof createAgentRuntime>;
  readonly #tab: Tab;
  readonly #jobs = new Jobs();
  readonly #calls: Call[] = [];
  readonly #offset = { page: 0, agent: 250 };
  #document: PageDocument | undefined;
  #cached: PageDocument | undefined;
  #documents = 0;
  #gateOpen = true;
  #sent = 0;

  constructor(schedule: Schedule, trace?: (line: string) => void) {
    this.#schedule = schedule;
    const timeline = this.#timeline;
    const log = new WireLog(timeline, trace);
    this.#log = log;
    this.#starts = new StartLog(log.violations, (id) => log.nameOf(id), (line) => log.note(line));
    this.#agent = createAgentRuntime({
      validator: agentValidator,
      timers: {
        now: () => timeline.now,
        wall: () => EPOCH + timeline.now + this.#offset.agent,
        setTimer: (ms, callback) => timeline.setTimer(ms, callback, this.#agentLife),
      },
    });
    this.#network = new Network(timeline, this.#life, log, (transport) => this.#agent.attach(transport));
    this.#tab = new Tab(() => this.#pageWall());
    this.#load();
  }

  /** Plays the schedule, and lets everything come to its end. @returns what went wrong, in words. */
  async play(): Promise<string[]> {
    await this.#timeline.advance(10);
    for (const command of this.#schedule.commands) {
      this.#log.note(JSON.stringify(command));
      this.#carryOut(command);
      await this.#timeline.advance(command.wait);
    }
    await this.#settle();
    this.#countFates();
    await this.#probe();
    const { violations } = this.#log;
    violations.push(...findViolations(this.#log.exchanges.values(), this.#calls, this.#starts, {
      nameOf: (requestId) => this.#log.nameOf(requestId),
      document: this.#log.document,
    }));
    await this.#end();
    return violations;
  }

  #carryOut(command: Command): void {
    const page = this.#document;
    switch (command.do) {
      case 'call':
        return void this.#call(command.target);
      case 'raw':
        return this.#sendRaw(command.target);
      case 'execute':
        return page && this.#execute(page, command.target);
      case 'repeat':
        return this.#repeat(command.which);
      case 'cancel':
        return this.#calls[command.which]?.stop.abort();
      case 'fault':
        return this.#network.arm(command);
      case 'cut':
        if (this.#network.connected && page?.isBusy) this.tally.count('a connection ended with requests open');
        return this.#network.cut(command.backAfter, command.noticedAfter);
      case 'kill':
        if (page && page.openHandlers > 0) this.tally.count('an engine died with a handler at work');
        return page?.kill(command.noticedAfter, command.hung);
      case 'slow':
        return page?.slow(command.way, command.ms);
      case 'reload':
        return this.#reload(command.how, command.gap);
      case 'back':
        return this.#back(command.gap);
      case 'unmount':
        if (page && page.openHandlers > 0) this.tally.count('a surface was unmounted with a handler at work');
        return page?.unmount(command.surface);
      case 'mount':
        return page?.mount(command.surface);
      case 'finish':
        return page?.finish(command.which, command.how);
      case 'end-job':
        return this.#endJob(command.which, command.told);
      case 'decide':
        return page?.decide(command.which, command.answer);
      case 'pause':
      case 'stop':
      case 'resume':
        return page?.runtime[command.do]();
      case 'gate':
        this.#gateOpen = command.open;
        return;
      case 'jump':
        this.#offset[command.whose] += command.ms;
        return;
      case 'nothing':
        return;
    }
  }

  #load(): void {
    this.#documents += 1;
    this.#log.document = this.#documents;
    this.#log.note(`== document ${this.#documents}`);
    this.#document = new PageDocument(this.#documents, {
      timeline: this.#timeline,
      network: this.#network,
      log: this.#log,
      starts: this.#starts,
      validator: pageValidator,
      connection: this.#schedule.connection,
      tab: this.#tab,
      jobs: this.#jobs,
      wall: () => this.#pageWall(),
      ...(this.#schedule.gated && { accept: () => this.#gateOpen }),
    });
  }

  #pageWall(): number {
    return EPOCH + this.#timeline.now + this.#offset.page;
  }

  #endJob(which: number, told: boolean): void {
    const job = this.#jobs.end(which);
    if (job !== undefined && told) this.#document?.tell(job);
  }

  #reload(how: 'left' | 'crashed' | 'cached', gap: number): void {
    const page = this.#document;
    if (!page) return;
    if (page.openHandlers > 0) this.tally.count(`a document ${how} with a handler at work`);
    this.#log.note(`== document ${page.number} ${how}`);
    this.#document = undefined;
    if (how === 'cached') {
      this.#dropCached();
      page.freeze();
      this.#cached = page;
    } else {
      page.leave(how === 'crashed', 0);
    }
    this.#timeline.setTimer(gap, () => this.#load(), this.#life);
  }

  #back(gap: number): void {
    const cached = this.#cached;
    if (!cached || !this.#document) return;
    if (cached.openHandlers > 0) this.tally.count('a document came back out of the cache with a handler at work');
    this.#document.leave(false, 0);
    this.#document = undefined;
    this.#cached = undefined;
    this.#timeline.setTimer(gap, () => {
      this.#log.note(`== document ${cached.number} is back`);
      this.#document = cached;
      this.#log.document = cached.number;
      cached.comeBack();
    }, this.#life);
  }

  /** The browser needs the memory. */
  #dropCached(): void {
    this.#cached?.leave(true, 0);
    this.#cached = undefined;
  }

  #call(target: string): Call {
    const call: Call = this.#newCall(target, 'agent');
    const [surfaceId, actionId] = target.split(' ') as [string, string];
    const params = { n: this.#calls.length };
    const onAcknowledged = (): void => void (call.acknowledgments += 1);
    void this.#agent
      .call({ surfaceId, actionId }, params, { signal: call.stop.signal, onAcknowledged })
      .then((result) => this.#onEnd(call, result));
    return call;
  }

  #onEnd(call: Call, { requestId, result }: AgentCallResult): void {
    const error = result.error ? `${result.error.code} ${JSON.stringify(result.error.details ?? null)}` : 'success';
    this.#log.note(`.. the agent's ${call.target} (${this.#log.nameOf(requestId)}) ends: ${error}`);
    call.requestId = requestId;
    call.result = result;
  }

  #execute(page: PageDocument, target: string): void {
    const call: Call = this.#newCall(target, 'page');
    const [surfaceId, actionId] = target.split(' ') as [string, string];
    const { signal } = call.stop;
    void page.runtime.execute({ surfaceId, actionId, signal }).then((result) => {
      if (page.life.over) return;
      call.requestId = result.requestId;
      call.result = result;
    });
  }

  #newCall(target: string, by: Call['by']): Call {
    const call: Call = { target, by, document: this.#log.document, stop: new AbortController(), acknowledgments: 0 };
    this.#calls.push(call);
    return call;
  }

  #sendRaw(target: string): void {
    if (!this.#network.connected) return;
    const [surfaceId, actionId] = target.split(' ') as [string, string];
    const requestId = `raw-${++this.#sent}`;
    const timestamp = EPOCH + this.#timeline.now + this.#offset.agent;
    this.#log.expectRaw(requestId);
    const payload = { requestId, surfaceId, actionId, params: {}, timestamp };
    this.#network.inject(JSON.stringify({ type: EVENT.request, payload }));
  }

  /** To the document that has it; to a later one only while somebody waits for its outcome, as agents do. */
  #repeat(which: number): void {
    const open = [...this.#log.exchanges.values()].filter(
      ({ raw, document, finals }) =>
        // The agent's runtime repeats its own, and knows how often.
        raw && (document === this.#log.document || finals.length === 0),
    );
    const exchange = open[which % Math.max(1, open.length)];
    if (exchange) this.#network.inject(exchange.text);
  }

  /** Everybody gets what they wait for, as far as there is still somebody to give it. */
  async #settle(): Promise<void> {
    this.#log.note('== everything comes to its end');
    this.#network.mend();
    this.#gateOpen = true;
    await this.#timeline.advance(6_000);
    this.#dropCached();
    this.#document!.runtime.resume();
    this.#network.cut(0, 0);
    await this.#timeline.advance(1_000);
    for (const { requestId, endedIn, finals } of this.#log.exchanges.values()) {
      if (endedIn !== this.#document!.number || finals.length > 0) continue;
      const name = this.#log.nameOf(requestId);
      this.#log.violations.push(`${name}: its lost outcome did not come with the next connection.`);
    }
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      this.#help();
      await this.#timeline.advance(10_000);
      if (this.#isQuiet()) break;
      await this.#timeline.advance(ROUND_MS);
    }
  }

  /** After all that, the page still does what it is asked to. */
  async #probe(): Promise<void> {
    const probes: Call[] = [];
    for (const surfaceId of Object.keys(SURFACES)) {
      this.#document!.mount(surfaceId);
      await this.#timeline.advance(10);
      probes.push(this.#call(`${surfaceId} write`));
    }
    for (let round = 0; round < PROBE_ROUNDS && !probes.every(({ result }) => result); round += 1) {
      await this.#timeline.advance(ROUND_MS);
    }
    for (const { target, result } of probes) {
      if (result?.success === true) continue;
      this.#log.violations.push(`When all was over, "${target}" did not work: ${JSON.stringify(result ?? null)}.`);
    }
  }

  /** Nobody waits for anything any more. */
  #isQuiet(): boolean {
    return !this.#document!.isBusy && this.#calls.every((call) => call.result ?? this.#isGone(call));
  }

  /** What befell the requests of this day. */
  #countFates(): void {
    for (const { reachedPage, refused, strayed, interims } of this.#log.exchanges.values()) {
      if (reachedPage > 1) this.tally.count('a request was repeated');
      if (refused > 0) this.tally.count('the gate refused');
      if (strayed) this.tally.count('an outcome was lost on its way');
      if (interims.length > 0) this.tally.count('an asynchronous action was acknowledged');
    }
    if (this.#starts.stopped > 0) {
      this.tally.count('a handler was stopped by its deadline, its agent or its user', this.#starts.stopped);
    }
    if (this.#starts.asked > 0) this.tally.count('the user was asked', this.#starts.asked);
  }

  #isGone(call: Call): boolean {
    return call.by === 'page' && call.document !== this.#log.document;
  }

  #help(): void {
    this.#document!.finishAll();
    this.#document!.decideAll(true);
    for (const job of this.#jobs.endAll()) this.#document!.tell(job);
    // The agent's runtime does so itself.
    for (const { text, raw, finals, refused } of this.#log.exchanges.values()) {
      if (raw && finals.length === 0 && refused === 0) this.#network.inject(text);
    }
  }

  /** Ends both sides: nothing may be left of them. */
  async #end(): Promise<void> {
    const { violations } = this.#log;
    const page = this.#document!;
    for (const requestId of page.openRequests()) {
      violations.push(`${this.#log.nameOf(requestId)}: open in the engine when all was over.`);
    }
    if (page.openQuestions > 0) violations.push(`${page.openQuestions} questions to the user are still open.`);
    page.runtime.dispose();
    await this.#timeline.advance(2_000);
    this.#agent.dispose();
    await this.#timeline.advance(1_000);
    if (this.#timeline.open > 0) violations.push(`${this.#timeline.open} timers are left.`);
    if (this.#network.listeners > 0) violations.push(`${this.#network.listeners} listeners on transports are left.`);
  }
}
