import type { ApprovalGrant } from '../protocol/approval.js';
import type { EngineInput, SettledJob } from '../protocol/engine-messages.js';
import type { EngineConfig } from '../protocol/engine-config.js';
import * as ERROR_CODES from '../protocol/error-codes.js';
import type { OUIActionResult } from '../protocol/events.js';
import { createListenerSet } from '../protocol/listener-set.js';
import type { Release, Transport, TransportState } from '../protocol/ports.js';
import type { EngineHost } from '../protocol/engine-host.js';
import { Changes, type ChangeParts } from './changes.js';
import { pageClock } from './clock/clock.js';
import { createAdviser } from './definition/advice.js';
import type { DefinedSurface, ExecuteRequest } from './definition/definition.js';
import { assertDefinedSurface } from './definition/define-surface.js';
import { EarlierDocument } from './earlier-document.js';
import { Attachments } from './requests/attachments.js';
import { carryOut, type EffectParts } from './effects.js';
import { EngineLink } from './link/engine-link.js';
import { Journal } from './document/journal.js';
import { Inspections, type Inspection, type InspectionEvent } from './inspection.js';
import { Listeners } from './listeners.js';
import { LocalCalls } from './requests/local-calls.js';
import { createMountedSurface, mountInput } from './mounts/mounted-surface.js';
import { KeptSwitches } from './mounts/kept-switches.js';
import { Mounts } from './mounts/mounts.js';
import { ObservationPublisher } from './mounts/observations.js';
import { asTransport, ONE_CONNECTION, ownTransport } from './link/own-transport.js';
import { PageConnection } from './link/page-connection.js';
import { pageEnvironment } from './document/page-environment.js';
import { PageLifecycle } from './page-lifecycle.js';
import { PageTimers } from './clock/page-timers.js';
import { Questions } from './requests/questions.js';
import { replay } from './replay.js';
import type { ReplayParts } from './replay.js';
import { Redefinitions } from './mounts/redefinitions.js';
import { RequestRunner } from './requests/request-runner.js';
import { CLOSE_MS, DISPOSED } from './runtime-end.js';
import type {
  Consent, MountedSurface, MountOptions, RuntimeEvent, RuntimeWiring, Snapshot, SurfaceRuntime,
} from './runtime.js';
import { engineConfig, sessionKey, settleTimes, snapshotBytes } from './runtime-options.js';
import type { SurfaceRuntimeOptions } from './runtime-options.js';
import type { SocketLike } from '../transports/socket-like.js';
import { suspectEntries } from './link/suspects.js';
import { Settler } from './settle/settle.js';
import { Snapshots } from './mounts/snapshot.js';
import { pageWork } from './settle/track/page-work.js';
import { UserSwitches } from './mounts/user-switches.js';

/** Puts the parts together: what happens on the page becomes inputs, and the engine's effects become deeds. */
export class PageRuntime implements SurfaceRuntime {
  readonly #options: SurfaceRuntimeOptions;
  readonly #config: EngineConfig;
  readonly #mounts: Mounts;
  readonly #journal: Journal;
  readonly #timers: PageTimers;
  readonly #link: EngineLink;
  readonly #publisher: ObservationPublisher;
  readonly #snapshots: Snapshots;
  readonly #redefinitions: Redefinitions;
  readonly #settler: Settler;
  readonly #calls: LocalCalls;
  readonly #runner: RequestRunner;
  readonly #questions: Questions;
  readonly #listeners = new Listeners((calls) => this.#post([{ kind: 'watch', calls }]));
  readonly #inspections = new Inspections((on) => this.#post([{ kind: 'watch-frames', on }]));
  readonly #settledJobs = createListenerSet<[job: SettledJob]>('A listener of onSettled');
  readonly #connection: PageConnection;
  readonly #earlier: EarlierDocument;
  readonly #lifecycle: PageLifecycle;
  readonly #switches: UserSwitches;
  readonly #changes: Changes;
  #disposed = false;
  #cancelClose: Release = () => {};

  constructor(options: SurfaceRuntimeOptions, wiring: RuntimeWiring) {
    const transport = ownTransport(options);
    this.#options = options;
    this.#config = engineConfig(options, wiring.policy);
    const post = (inputs: readonly EngineInput[]): void => this.#post(inputs);
    const page = wiring.page ?? pageEnvironment();
    this.#timers = new PageTimers(wiring.clock ?? pageClock);
    this.#journal = new Journal(() => page.wall());
    this.#publisher = new ObservationPublisher(this.#timers, {
      changed: (observation, at) => this.#changes.observation(observation, at),
      post, checked: (observation) => this.#changes.shown(observation), listening: () => this.#connection.state === 'connected',
    }, this.#config.observationSchemas === 'enforce');
    this.#mounts = new Mounts(this.#config.form, createAdviser(wiring.loadAdvice, options.advice));
    const kept = new KeptSwitches(page, sessionKey(options));
    this.#switches = new UserSwitches(this.#mounts, {
      post, kept, changed: () => this.#changes.surfaces(), disposed: () => this.#disposed,
      paused: (paused) => this.#listeners.emit({ type: 'paused', paused }),
    });
    this.#redefinitions = new Redefinitions(this.#timers, {
      found: () => this.#changes.found(), changed: () => this.#changes.surfaces(), flush: () => this.#post([]),
    });
    this.#snapshots = new Snapshots(this.#mounts, this.#publisher, this.#redefinitions, snapshotBytes(options));
    const takePending = (): EngineInput[] => {
      // What a handler did may have made other actions possible, or impossible.
      this.#redefinitions.refresh();
      return this.#publisher.takePending();
    };
    this.#settler = new Settler({
      timers: this.#timers, times: settleTimes(options), flush: () => this.#publisher.refresh(),
      work: pageWork(options.settle?.track === true),
    });
    this.#calls = new LocalCalls(post, this.#journal);
    this.#questions = new Questions(options);
    this.#runner = new RequestRunner(
      {
        mounted: (mountId) => this.#mounts.byId(mountId),
        serving: (surfaceId) => this.#mounts.serving(surfaceId),
        post, takePending,
        execute: (request, within) => this.#execute(request, within),
        explain: (requestId) => this.#inspections.explain(requestId),
        awaitEvent: (event) => this.#connection.awaitEvent(event),
        attachments: new Attachments({ host: options.attachments, load: wiring.loadAttachments, timers: this.#timers, post }),
      },
      this.#journal,
      this.#settler,
      this.#timers,
    );
    this.#connection = new PageConnection(this.#timers, {
      post, frames: this.#inspections, dropMessages: () => this.#link.dropMessages(),
      hear: (event, payload) => this.#runner.hear(event, payload),
      changed: (state, reason) => {
        if (state === 'connected') this.#post(takePending());
        else this.#inspections.peer = null;
        this.#listeners.emit({ type: 'connection', state, ...(reason !== undefined && { reason }) });
      },
    });
    this.#earlier = new EarlierDocument(this.#journal, this.#timers, this.#settler, {
      post, takePending,
      hasMounts: () => this.#mounts.all().length > 0,
      resume: (entry) => this.#runner.resume(entry),
    });
    this.#lifecycle = new PageLifecycle(page, this.#timers.clock, { url: options.url, session: sessionKey(options) }, {
      journal: this.#journal, earlier: this.#earlier, connection: this.#connection, questions: this.#questions,
      runner: this.#runner, link: () => this.#link,
    });
    const parts: EffectParts & ReplayParts & ChangeParts = {
      snapshots: this.#snapshots, settler: this.#settler, earlier: this.#earlier,
      config: this.#config, listeners: this.#listeners, inspections: this.#inspections, switches: this.#switches,
      mounts: this.#mounts,
      link: () => this.#link,
      connection: this.#connection,
      lifecycle: this.#lifecycle,
      journal: this.#journal,
      calls: this.#calls,
      runner: this.#runner,
      publisher: this.#publisher,
      questions: this.#questions,
      emit: (event) => this.#listeners.emit(event),
      jobSettled: (job) => this.#settledJobs.emit(job),
      extension: options.onExtension,
      disposed: () => this.#disposed,
    };
    this.#changes = new Changes(parts);
    this.#link = new EngineLink(wiring.hosts(options), this.#timers, {
      effects: (effects) => {
        effects.forEach((effect) => carryOut(effect, parts));
        // What a new engine makes of the replay comes together: it has asked by now whatever it asks again.
        this.#questions.closeOrphans();
        // Last: answers to what the engine held until now come along with it.
        if (effects.some(({ kind }) => kind === 'closed')) this.#close();
      },
      ready: () => this.#lifecycle.ready(),
      lost: (suspects) => this.#engineLost(suspects),
      replay: () => {
        // Nobody will ask these again.
        this.#questions.closeOrphans((requestId) => this.#journal.asks(requestId));
        return replay(parts);
      },
      changed: (kind) => this.#engineChanged(kind),
      unavailable: (reason) => {
        const message = `No engine could start in this page: ${reason}`;
        this.#calls.failAll({ code: ERROR_CODES.INTERNAL_ERROR, message });
        this.#lifecycle.unavailable(reason);
      },
    });
    if (transport) this.attach(transport);
  }

  get consent(): Consent {
    return this.#switches.consent;
  }

  get paused(): boolean {
    return this.#switches.isPaused;
  }

  get connection(): TransportState {
    return this.#connection.state;
  }

  get engine(): EngineHost['kind'] | null {
    return this.#link.kind;
  }

  mount<Ctx>(surface: DefinedSurface<Ctx>, getContext?: () => Ctx, options: MountOptions = {}): MountedSurface<Ctx, never> {
    this.#assertAlive('mount');
    assertDefinedSurface(surface);
    const mount = this.#mounts.add(surface, (getContext ?? (() => undefined)) as () => never, options.target);
    this.#redefinitions.watch(mount);
    this.#link.start();
    this.#post([mountInput(mount), ...this.#publisher.adopt(mount.mountId, mount.manifest)]);
    this.#changes.surfaces();
    return createMountedSurface(mount, {
      mounts: this.#mounts,
      publisher: this.#publisher,
      redefinitions: this.#redefinitions,
      post: (inputs) => this.#post(inputs),
      changed: () => this.#changes.surfaces(),
    });
  }

  attach(given: Transport | SocketLike | null): void {
    this.#assertAlive('attach');
    if (this.#options.url !== undefined) throw new Error(ONE_CONNECTION);
    this.#connection.attach(given && asTransport(given, this.#options.transport), () => {
      if (!this.#disposed) this.#link.start();
      return !this.#disposed;
    });
  }

  snapshot(): Snapshot {
    return this.#snapshots.take();
  }

  execute(request: ExecuteRequest): Promise<OUIActionResult> {
    return this.#execute(request);
  }

  grantApproval(grant: ApprovalGrant): boolean {
    return this.#lifecycle.grants.record(grant) && !this.#disposed;
  }

  hold(name?: string): Release {
    return this.#settler.hold(name);
  }

  inspect(listener: (event: InspectionEvent) => void): Inspection {
    this.#assertAlive('inspect');
    const [mounts, publisher, switches] = [this.#mounts, this.#publisher, this.#switches];
    return this.#inspections.open(listener, { mounts, publisher, switches, options: this.#options, config: this.#config });
  }

  emit(event: string, payload: unknown): void {
    this.#runner.hear(event, payload);
  }

  onSettled(listener: (job: SettledJob) => void): Release {
    return this.#settledJobs.add(listener);
  }

  subscribe(listener: (event: RuntimeEvent) => void): Release {
    return this.#listeners.add(listener);
  }

  pause(): void {
    this.#switches.pause();
  }

  stop(): void {
    this.#switches.stop();
  }

  resume(): void {
    this.#switches.resume();
  }

  async forget(): Promise<void> {
    this.#assertAlive('forget');
    this.#publisher.forgetKept();
    return this.#lifecycle.forget();
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    for (const mount of this.#mounts.all()) {
      this.#mounts.remove(mount);
      this.#publisher.unmount(mount.mountId);
      this.#redefinitions.release(mount);
    }
    this.#changes.surfaces();
    this.#post([{ kind: 'dispose' }]);
    this.#calls.failAll(DISPOSED);
    this.#runner.abortAll(DISPOSED);
    this.#questions.closeAll();
    this.#lifecycle.release();
    this.#switches.release();
    // The engine still has answers to send.
    if (this.#link.kind === null) this.#close();
    else this.#cancelClose = this.#timers.set(CLOSE_MS, () => this.#close());
  }

  #close(): void {
    this.#cancelClose();
    this.#link.close();
    this.#connection.release('the runtime was disposed');
    this.#lifecycle.unavailable('the runtime was disposed of');
    this.#listeners.clear();
    this.#inspections.clear();
    this.#settledJobs.clear();
  }

  #execute(request: ExecuteRequest, within?: AbortSignal): Promise<OUIActionResult> {
    const call = this.#calls.execute(request, within);
    if (this.#disposed) this.#calls.failAll(DISPOSED);
    else this.#link.start();
    return call;
  }

  #post(inputs: readonly EngineInput[]): void {
    const redefined = this.#redefinitions.take();
    if (redefined.length + inputs.length > 0) this.#link.post([...redefined, ...inputs]);
  }

  /** Whatever it held may be what ended it: the next one is told how often that has happened. */
  #engineLost(suspects: readonly unknown[]): void {
    this.#journal.lost();
    this.#questions.orphan();
    const at = this.#timers.clock.now();
    const deadlineAt = at + this.#config.actionMs;
    for (const entry of suspectEntries(suspects, this.#calls.lost(), { receivedAt: at, deadlineAt })) {
      if (!this.#journal.has(entry.requestId)) this.#journal.record(entry);
    }
  }

  #engineChanged(kind: EngineHost['kind'] | null): void {
    // With the engine goes the connection that it owned.
    if (kind === null && !this.#connection.isAttached) this.#connection.set('disconnected', 'the engine was lost');
    this.#listeners.emit({ type: 'engine', kind });
  }

  #assertAlive(method: string): void {
    if (this.#disposed) throw new Error(`${method}() on a runtime that was disposed; create another.`);
  }
}
