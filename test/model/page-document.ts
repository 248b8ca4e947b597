import type { ApprovalRequest } from '../../src/protocol/approval.js';
import type { Validator } from '../../src/protocol/ports.js';
import { createRuntime } from '../../src/surface/create-runtime.js';
import type { PageClock } from '../../src/surface/clock/clock.js';
import type { ActionCall } from '../../src/surface/definition/definition.js';
import type { MountedSurface, SurfaceRuntime } from '../../src/surface/runtime.js';
import { ModelHosts } from './engine-hosts.js';
import type { Network } from './network.js';
import type { Jobs } from './jobs.js';
import type { StartLog } from './start-log.js';
import { JOB_ENDED, SURFACES } from './surfaces.js';
import type { Ending, HandlerStage } from './surfaces.js';
import type { Tab, TabDocument } from './tab.js';
import { Life } from './timeline.js';
import type { Timeline } from './timeline.js';
import type { WireLog } from './wire-log.js';

export interface DocumentPorts {
  readonly timeline: Timeline;
  readonly network: Network;
  readonly log: WireLog;
  readonly starts: StartLog;
  readonly tab: Tab;
  readonly jobs: Jobs;
  readonly validator: Validator;
  readonly connection: 'engine' | 'page';
  wall(): number;
  /** Absent: the page has no gate. */
  readonly accept?: () => boolean;
}

/** Long enough that an engine can die while the page's gate decides. */
const GATE_MS = 4;
/** Short: what the model wants of it is that it can run out. */
const APPROVAL_MS = 60_000;

interface OpenHandler {
  readonly token: string;
  readonly end: (how: Ending) => void;
}

interface OpenQuestion {
  /** Tells the page what the user says. */
  readonly answer: (answer: boolean | null) => void;
}

/** One document of the tab: a real runtime, its surfaces, its user and its handlers, until it is left. */
export class PageDocument implements HandlerStage {
  readonly life = new Life();
  readonly number: number;
  readonly runtime: SurfaceRuntime;
  readonly #ports: DocumentPorts;
  readonly #environment: TabDocument;
  readonly #workers: ModelHosts;
  readonly #inPage: ModelHosts;
  readonly #mounted = new Map<string, MountedSurface>();
  readonly #handlers: OpenHandler[] = [];
  #questions: OpenQuestion[] = [];

  constructor(number: number, ports: DocumentPorts) {
    this.number = number;
    this.#ports = ports;
    const { timeline, network, log, accept } = ports;
    this.#environment = ports.tab.open(this.life);
    const hostPorts = {
      timeline,
      validator: ports.validator,
      store: ports.tab.store,
      document: this.life,
      wall: () => ports.wall(),
      transport: (life: Life) => (ports.connection === 'engine' ? network.pageEnd(life) : undefined),
      gone: (life: Life) => network.abandon(life),
      violation: (text: string) => void log.violations.push(text),
      started: (kind: string) => log.engineStarts(kind),
    };
    this.#workers = new ModelHosts('worker', hostPorts);
    this.#inPage = new ModelHosts('in-process', hostPorts);
    const clock: PageClock = {
      now: () => timeline.now,
      setTimer: (ms, callback) => timeline.setTimer(ms, callback, this.life),
      hasFrames: () => false,
      frame: () => () => undefined,
      idle: () => () => undefined,
    };
    this.runtime = createRuntime(
      {
        approvalMs: APPROVAL_MS,
        approve: (request, signal) => this.#ask(request, signal),
        ...(accept && { accept: () => this.#gate(accept) }),
        ...(ports.connection === 'page' && { transport: network.pageEnd(this.life) }),
      },
      { hosts: () => [this.#workers, this.#inPage], clock, page: this.#environment },
    );
    for (const surfaceId of Object.keys(SURFACES)) this.mount(surfaceId);
  }

  mount(surfaceId: string): void {
    if (this.life.over || this.#mounted.has(surfaceId)) return;
    this.#mounted.set(surfaceId, this.runtime.mount(SURFACES[surfaceId]!, () => this));
  }

  unmount(surfaceId: string): void {
    this.#mounted.get(surfaceId)?.unmount();
    this.#mounted.delete(surfaceId);
  }

  started(call: ActionCall, surfaceId: string, actionId: string): string {
    const { starts } = this.#ports;
    const token = starts.add(call.requestId, surfaceId, actionId, this.number);
    call.signal.addEventListener('abort', () => {
      starts.stopped += 1;
      starts.end(token);
    });
    const count = this.#mounted.get(surfaceId);
    if (surfaceId in SURFACES && SURFACES[surfaceId]!.observations) count?.pushObservation('count', starts.size);
    return token;
  }

  ended(token: string): void {
    this.#ports.starts.end(token);
  }

  ending({ signal }: ActionCall, token: string): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        const index = this.#handlers.findIndex((handler) => handler.token === token);
        if (index >= 0) this.#handlers.splice(index, 1);
      };
      const end = (how: Ending): void => {
        leave();
        if (how === 'value') resolve({ token });
        else reject(new Error('It went wrong after a while.'));
      };
      this.#handlers.push({ token, end });
      signal.addEventListener('abort', leave);
    });
  }

  look(job: string) {
    return this.#ports.jobs.look(job);
  }

  /** Work that began goes on elsewhere, until the schedule says otherwise. */
  entrust(token: string): { readonly job: string } {
    this.#ports.jobs.begin(token);
    return { job: token };
  }

  /** One of the handlers that are at work comes to its end. */
  finish(which: number, how: Ending): void {
    this.#handlers[which % Math.max(1, this.#handlers.length)]?.end(how);
  }

  finishAll(): void {
    for (const { end } of [...this.#handlers]) end('value');
  }

  /** Something outside tells of a job's end. */
  tell(job: string): void {
    this.runtime.emit(JOB_ENDED, { job, token: job });
  }

  /** The user answers one of the open questions. */
  decide(which: number, answer: boolean | null): void {
    this.#questions[which % Math.max(1, this.#questions.length)]?.answer(answer);
  }

  decideAll(answer: boolean): void {
    for (const question of [...this.#questions]) question.answer(answer);
  }

  kill(noticedMs: number, hung: boolean): void {
    this.#workers.host?.die(noticedMs, hung);
  }

  slow(way: 'to-engine' | 'to-page', ms: number): void {
    (this.#workers.host ?? this.#inPage.host)?.slow(way, ms);
  }

  /** Requests that the present engine has left open. */
  openRequests(): string[] {
    const host = this.#workers.host ?? this.#inPage.host;
    return [...(host?.stages ?? [])].filter(([, stage]) => stage !== 'answered').map(([requestId]) => requestId);
  }

  get isBusy(): boolean {
    return this.#handlers.length + this.#questions.length + this.openRequests().length > 0;
  }

  get openHandlers(): number {
    return this.#handlers.length;
  }

  get openQuestions(): number {
    return this.#questions.length;
  }

  /** The document is gone: nothing of it runs or is heard any more. `crash`: it has no time for a last word. */
  leave(crash: boolean): void {
    const { network } = this.#ports;
    const host = this.#workers.host ?? this.#inPage.host;
    if (!crash && !this.life.frozen) this.#environment.leave();
    this.life.over = true;
    this.#environment.gone();
    network.abandon(this.life);
    if (host) {
      host.life.over = true;
      network.abandon(host.life);
    }
  }

  /** Into the back/forward cache. */
  freeze(): void {
    this.#environment.leave();
    this.life.frozen = true;
  }

  /** Out of it. */
  comeBack(): void {
    this.#ports.timeline.thaw(this.life);
    this.#environment.comeBack();
  }

  #gate(accept: () => boolean): Promise<boolean> {
    const { timeline } = this.#ports;
    return new Promise((resolve) => timeline.setTimer(GATE_MS, () => resolve(accept()), this.life));
  }

  #ask({ requestId }: ApprovalRequest, signal: AbortSignal): Promise<boolean | null> {
    this.#ports.starts.asked += 1;
    return new Promise((resolve) => {
      const answer = (decision: boolean | null): void => {
        this.#questions = this.#questions.filter((each) => each !== question);
        if (decision === true) this.#ports.starts.allow(requestId);
        resolve(decision);
      };
      const question: OpenQuestion = { answer };
      this.#questions.push(question);
      signal.addEventListener('abort', () => answer(null));
    });
  }
}
