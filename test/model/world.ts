import { createAgentRuntime } from '../../src/agent/agent-runtime.js';
import type { CompiledSchema, Validator } from '../../src/protocol/ports.js';
import { createInterpretedValidator } from '../../src/validation/interpreted.js';
import { createLinearValidator } from '../../src/validation/linear.js';
import { Callers } from './callers.js';
import type { Call } from './callers.js';
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
import { Visits } from './visits.js';
import { WireLog } from './wire-log.js';

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
  readonly #callers: Callers;
  readonly #visits: Visits;
  readonly #offset = { page: 0, agent: 250 };
  #gateOpen = true;

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
        wall: () => this.#wall('agent'),
        setTimer: (ms, callback) => timeline.setTimer(ms, callback, this.#agentLife),
      },
    });
    this.#network = new Network(timeline, this.#life, log, (transport) => this.#agent.attach(transport));
    this.#callers = new Callers({
      agent: this.#agent,
      network: this.#network,
      log,
      wall: () => this.#wall('agent'),
    });
    this.#tab = new Tab(() => this.#wall('page'));
    const open = (number: number): PageDocument => this.#open(number);
    this.#visits = new Visits({ timeline, life: this.#life, log, tally: this.tally, open });
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
    violations.push(...findViolations(this.#log.exchanges.values(), this.#callers.calls, this.#starts, {
      nameOf: (requestId) => this.#log.nameOf(requestId),
      document: this.#log.document,
    }));
    await this.#end();
    return violations;
  }

  #carryOut(command: Command): void {
    const { page } = this.#visits;
    switch (command.do) {
      case 'call':
        return void this.#callers.call(command.target);
      case 'raw':
        return this.#callers.sendRaw(command.target);
      case 'execute':
        return page && this.#callers.execute(page, command.target);
      case 'repeat':
        return this.#callers.repeat(command.which);
      case 'cancel':
        return this.#callers.calls[command.which]?.stop.abort();
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
        return this.#visits.reload(command.how, command.gap);
      case 'back':
        return this.#visits.back(command.gap);
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

  #open(number: number): PageDocument {
    return new PageDocument(number, {
      timeline: this.#timeline,
      network: this.#network,
      log: this.#log,
      starts: this.#starts,
      validator: pageValidator,
      connection: this.#schedule.connection,
      tab: this.#tab,
      jobs: this.#jobs,
      wall: () => this.#wall('page'),
      ...(this.#schedule.gated && { accept: () => this.#gateOpen }),
    });
  }

  /** Each end has a clock of its own, which is set now and then. */
  #wall(whose: 'page' | 'agent'): number {
    return EPOCH + this.#timeline.now + this.#offset[whose];
  }

  /** The document that is there at the end. */
  get #page(): PageDocument {
    return this.#visits.page!;
  }

  #endJob(which: number, told: boolean): void {
    const job = this.#jobs.end(which);
    if (job !== undefined && told) this.#visits.page?.tell(job);
  }

  /** Everybody gets what they wait for, as far as there is still somebody to give it. */
  async #settle(): Promise<void> {
    this.#log.note('== everything comes to its end');
    this.#network.mend();
    this.#gateOpen = true;
    await this.#timeline.advance(6_000);
    this.#visits.dropCached();
    this.#page.runtime.resume();
    const { number } = this.#page;
    const told = [...this.#log.exchanges.values()].filter(({ endedIn }) => endedIn.has(number));
    this.#network.cut(0, 0);
    await this.#timeline.advance(1_000);
    for (const { requestId, finals } of told) {
      if (finals.length > 0) continue;
      const name = this.#log.nameOf(requestId);
      this.#log.violations.push(`${name}: its lost outcome did not come with the next connection.`);
    }
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      this.#help();
      await this.#timeline.advance(10_000);
      if (this.#callers.allEnded && !this.#page.isBusy) break;
      await this.#timeline.advance(ROUND_MS);
    }
  }

  /** After all that, the page still does what it is asked to. */
  async #probe(): Promise<void> {
    const probes: Call[] = [];
    for (const surfaceId of Object.keys(SURFACES)) {
      this.#page.mount(surfaceId);
      await this.#timeline.advance(10);
      probes.push(this.#callers.call(`${surfaceId} write`));
    }
    for (let round = 0; round < PROBE_ROUNDS && !probes.every(({ result }) => result); round += 1) {
      await this.#timeline.advance(ROUND_MS);
    }
    for (const { target, result } of probes) {
      if (result?.success === true) continue;
      this.#log.violations.push(`When all was over, "${target}" did not work: ${JSON.stringify(result ?? null)}.`);
    }
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

  #help(): void {
    this.#page.finishAll();
    this.#page.decideAll(true);
    for (const job of this.#jobs.endAll()) this.#page.tell(job);
    this.#callers.repeatAll();
  }

  /** Ends both sides: nothing may be left of them. */
  async #end(): Promise<void> {
    const { violations } = this.#log;
    const page = this.#page;
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
