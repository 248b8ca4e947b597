import { createDriver } from '../../../src/engine/driver.js';
import type { EngineEffect, EngineInput } from '../../../src/protocol/engine-messages.js';
import { FEATURES } from '../../../src/protocol/events.js';
import type { OUIActionResult, OUIEvent } from '../../../src/protocol/events.js';
import type { Store, Transport } from '../../../src/protocol/ports.js';
import type { EngineHost, EngineHostFactory } from '../../../src/protocol/engine-host.js';
import { createRuntime } from '../../../src/surface/create-runtime.js';
import type { DefinedSurface } from '../../../src/surface/definition/definition.js';
import type { SurfaceRuntime } from '../../../src/surface/runtime.js';
import type { SurfaceRuntimeOptions } from '../../../src/surface/runtime-options.js';
import { createDirectTransportPair } from '../../../src/transports/direct.js';
import { createInterpretedValidator } from '../../../src/validation/interpreted.js';
import { FakeTab } from './fake-tab.js';
import type { FakeDocument, FakeTabOptions } from './fake-tab.js';
import { HandClock, idle } from './hand-clock.js';

/** The device's store, which outlives documents. */
export class FakeStore implements Store {
  readonly kept = new Map<string, string>();
  readonly claims = new Map<string, string>();
  /** Every call hangs. */
  blocked = false;

  put(key: string, text: string): Promise<void> {
    return this.#answer(() => void this.kept.set(key, text));
  }

  get(key: string): Promise<string | undefined> {
    return this.#answer(() => this.kept.get(key));
  }

  delete(key: string): Promise<void> {
    return this.#answer(() => void this.kept.delete(key));
  }

  claim(key: string, text: string): Promise<boolean> {
    return this.#answer(() => {
      if (!this.claims.has(key)) this.claims.set(key, text);
      return this.claims.get(key) === text;
    });
  }

  clear(): Promise<boolean> {
    return this.#answer(() => {
      this.kept.clear();
      return true;
    });
  }

  #answer<T>(work: () => T): Promise<T> {
    return this.blocked ? new Promise(() => undefined) : Promise.resolve().then(work);
  }
}

/** A document of the tab with its runtime. */
export interface OpenedPage {
  readonly document: FakeDocument;
  readonly runtime: SurfaceRuntime;
  /** Its engines, oldest first. */
  readonly hosts: (EngineHost & { readonly closedAtOnce: () => boolean })[];
}

/** A tab whose documents follow each other, over one storage and one clock, and the agent that they talk to. */
export class TabBench {
  readonly clock: HandClock;
  readonly tab: FakeTab;
  readonly store: FakeStore;
  readonly frames: OUIEvent[] = [];
  readonly #features: readonly string[];
  #agent: Transport | undefined;
  #next = 0;

  constructor(options: FakeTabOptions & { readonly features?: readonly string[]; readonly sharing?: TabBench } = {}) {
    this.clock = options.sharing?.clock ?? new HandClock();
    this.store = options.sharing?.store ?? new FakeStore();
    this.tab = options.sharing?.tab.duplicate() ?? new FakeTab(this.clock, options);
    this.#features = options.features ?? FEATURES;
  }

  /** The next document of the tab. The agent connects to it, once it is there. */
  async open(options: SurfaceRuntimeOptions = {}, ...surfaces: readonly DefinedSurface<never>[]): Promise<OpenedPage> {
    const document = this.tab.open();
    const hosts: OpenedPage['hosts'] = [];
    const runtime = createRuntime(
      { transport: this.#connect(), ...options },
      { hosts: () => [this.#hostFactory(hosts)], clock: this.clock, page: document },
    );
    for (const surface of surfaces) runtime.mount(surface as DefinedSurface);
    await this.clock.advance(0);
    return { document, runtime, hosts };
  }

  /** `pagehide`, and the document is gone. */
  async leave({ document }: OpenedPage): Promise<void> {
    document.leave();
    await idle();
  }

  /** Sends a request; the agent's clock goes with the page's. @returns its id. */
  async request(actionId: string, params: unknown = {}, more: object = {}): Promise<string> {
    const requestId = `r${++this.#next}`;
    await this.send({ requestId, surfaceId: 'todo-app', actionId, params, timestamp: this.tab.wall(), ...more });
    return requestId;
  }

  async send(payload: object): Promise<void> {
    this.#agent?.send({ type: 'action:request', payload } as never);
    await idle();
  }

  /** The very frame of an earlier request again. */
  async resend(requestId: string, actionId: string, sentAgo: number): Promise<void> {
    const timestamp = this.tab.wall() - sentAgo;
    await this.send({ requestId, surfaceId: 'todo-app', actionId, params: {}, timestamp });
  }

  async acknowledge(requestId: string): Promise<void> {
    this.#agent?.send({ type: 'x-oui:ack', payload: { requestId, interim: false, ok: true } });
    await idle();
  }

  results(requestId: string): OUIActionResult[] {
    return this.frames.flatMap((frame) => {
      const isResult = frame.type === 'action:result' && frame.payload.requestId === requestId;
      return isResult ? [frame.payload] : [];
    });
  }

  receipts(requestId: string): unknown[] {
    return this.frames.filter(({ type, payload }) =>
      type === 'x-oui:receipt' && (payload as { requestId: string }).requestId === requestId);
  }

  /** The client ids by which pages have called themselves, in order. */
  clientIds(): (string | undefined)[] {
    return this.frames.flatMap((frame) => (frame.type === 'x-oui:hello' ? [frame.payload.clientId] : []));
  }

  /** What lies in the tab's storage about requests, by id. */
  journal(): Map<string, Record<string, unknown>> {
    const kept = [...(this.tab.storage?.kept ?? [])].filter(([key]) => key.startsWith('oui:journal::0:'));
    return new Map(kept.map(([key, text]) => [key.slice('oui:journal::0:'.length), JSON.parse(text) as never]));
  }

  #connect(): Transport {
    const pair = createDirectTransportPair();
    this.#agent = pair.agent;
    pair.agent.onEvent((message) => {
      const frame = message as OUIEvent;
      this.frames.push(frame);
      if (frame.type !== 'x-oui:hello' || this.#features.length === 0) return;
      const payload = { protocol: '0.1', software: 'agent/1', features: this.#features, now: this.tab.wall() };
      pair.agent.send({ type: 'x-oui:hello', payload });
    });
    void pair.agent.connect();
    return pair.page;
  }

  #hostFactory(hosts: OpenedPage['hosts']): EngineHostFactory {
    return {
      kind: 'in-process',
      open: async (events) => {
        let closed = false;
        let closedAtOnce = false;
        const driver = createDriver({
          moment: () => ({ now: this.clock.now(), wall: this.tab.wall() }),
          setTimer: (ms, callback) => this.clock.setTimer(ms, callback),
          validator: createInterpretedValidator(),
          store: this.store,
          toPage: later((effects: readonly EngineEffect[]) => closed || events.effects(effects)),
        });
        const host = {
          kind: 'in-process' as const,
          post: later((inputs: readonly EngineInput[]) => driver.post(inputs)),
          setTimer: (ms: number, callback: () => void) => this.clock.setTimer(ms, callback),
          close: (atOnce = false) => {
            closed = true;
            closedAtOnce = atOnce;
            driver.close();
          },
          closedAtOnce: () => closedAtOnce,
        };
        hosts.push(host);
        return Promise.resolve(host);
      },
    };
  }
}

/** Hands on a microtask later, in order, as hosts do. */
function later<T>(deliver: (items: readonly T[]) => unknown): (items: readonly T[]) => void {
  return (items) => queueMicrotask(() => deliver(items));
}
