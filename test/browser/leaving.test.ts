import { expect } from 'chai';
import { FEATURES } from '../../src/protocol/events.js';
import type { OUIActionResult, OUIEvent } from '../../src/protocol/events.js';
import type { Transport } from '../../src/protocol/ports.js';
import type { SurfaceRuntimeOptions } from '../../src/surface/runtime-options.js';
import { createDirectTransportPair } from '../../src/transports/direct.js';
import { createIdbStore } from '../../worker/idb-store.js';
import type { ReloadingTest } from './fixtures/reloading-page.js';

/** Real documents in a frame that follow each other, and the agent, here, that they connect to. */
class ReloadingPage {
  readonly frame = document.createElement('iframe');
  readonly frames: OUIEvent[] = [];
  readonly started: string[] = [];
  readonly test: ReloadingTest;
  readonly #looks = new Set<() => void>();
  #agent: Transport | undefined;
  #next = 0;

  constructor(options: SurfaceRuntimeOptions = {}) {
    this.test = {
      options: () => ({ transport: this.#connect(), ...options }),
      started: (requestId) => {
        this.started.push(requestId);
        this.#look();
      },
      outcome: undefined,
      document: 0,
    };
  }

  /** Opens the page, and waits until it is connected. */
  async open(): Promise<this> {
    (window as unknown as { reloadingTest: ReloadingTest }).reloadingTest = this.test;
    this.frame.src = '/test/browser/fixtures/reloading-page.html';
    document.body.append(this.frame);
    await this.registered(1);
    return this;
  }

  async reload(): Promise<void> {
    const before = this.#registrations();
    this.frame.contentWindow!.location.reload();
    await this.registered(before + 1);
  }

  /** So many documents have registered their surface. */
  registered(count: number): Promise<void> {
    return this.until(() => this.#registrations() >= count);
  }

  request(actionId: string): string {
    const requestId = `${Date.now()}-${++this.#next}`;
    const payload = { requestId, surfaceId: 'todo-app', actionId, params: {}, timestamp: Date.now() };
    this.#agent!.send({ type: 'action:request', payload });
    return requestId;
  }

  /** A request that has come as far as its handler. */
  async running(actionId: string): Promise<string> {
    const id = this.request(actionId);
    await this.until(() => this.started.includes(id));
    return id;
  }

  async result(requestId: string): Promise<OUIActionResult> {
    await this.until(() => this.results(requestId).length > 0);
    return this.results(requestId)[0]!;
  }

  results(requestId: string): OUIActionResult[] {
    return this.frames.flatMap((frame) => {
      const isResult = frame.type === 'action:result' && frame.payload.requestId === requestId;
      return isResult ? [frame.payload] : [];
    });
  }

  clientIds(): (string | undefined)[] {
    return this.frames.flatMap((frame) => (frame.type === 'x-oui:hello' ? [frame.payload.clientId] : []));
  }

  /** Waits for something that this page tells. */
  until(condition: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!condition()) return;
        this.#looks.delete(look);
        resolve();
      };
      this.#looks.add(look);
      look();
    });
  }

  #registrations(): number {
    return this.frames.filter(({ type }) => type === 'surface:register').length;
  }

  #connect(): Transport {
    const pair = createDirectTransportPair();
    this.#agent = pair.agent;
    pair.agent.onEvent((message) => {
      const frame = message as OUIEvent;
      this.frames.push(frame);
      if (frame.type === 'x-oui:hello') {
        const payload = { protocol: '0.1', software: 'agent/1', features: FEATURES, now: Date.now() };
        pair.agent.send({ type: 'x-oui:hello', payload });
      }
      this.#look();
    });
    void pair.agent.connect();
    return pair.page;
  }

  #look(): void {
    for (const look of [...this.#looks]) look();
  }
}

const LONG = { text: 'x'.repeat(100_000) };
/** Waits for the data of an outcome in IndexedDB: the worker writes them beside everything else. */
async function stored(page: ReloadingPage, requestId: string): Promise<string> {
  const store = createIdbStore();
  for (;;) {
    const text = await store.get(`${page.clientIds()[0]} ${requestId}`);
    if (text !== undefined) return text;
  }
}

const kept = (prefix: string): string[] => Object.keys(sessionStorage).filter((key) => key.startsWith(prefix));

describe('a page that is left', function () {
  // Documents, workers and a database each time: that takes what it takes.
  this.timeout(40_000);
  const pages: ReloadingPage[] = [];
  const open = (options?: SurfaceRuntimeOptions): Promise<ReloadingPage> => {
    const page = new ReloadingPage(options);
    pages.push(page);
    return page.open();
  };
  before(async function () {
    // The sources of the page are compiled when it is first loaded.
    this.timeout(90_000);
    await open();
    await close();
  });
  afterEach(close);

  async function close(): Promise<void> {
    for (const { frame, test } of pages.splice(0)) {
      test.runtime?.dispose();
      frame.remove();
    }
    sessionStorage.clear();
    await createIdbStore().clear();
  }

  it('in the middle of a call: its next document says that it does not know', async () => {
    const page = await open();
    const id = await page.running('save_it');
    await page.reload();
    const { success, error, observations, surfaces } = await page.result(id);
    expect(success).to.equal(false);
    expect(error).to.deep.include({ code: 'SURFACE_UNAVAILABLE' });
    expect(error!.details).to.deep.include({ ran: 'unknown' });
    expect(observations).to.deep.equal({ 'todo-app': { document: 2 } });
    expect(surfaces).to.have.length(1);
    expect(page.started).to.deep.equal([id]);
    expect(new Set(page.clientIds()).size).to.equal(1);
  });

  it('by the handler itself, which had returned: its next document tells the outcome', async () => {
    const page = await open();
    const id = await page.running('go_on');
    const result = await page.result(id);
    expect(result).to.deep.include({ success: true, data: { going: true }, settled: true });
    expect(result.observations).to.deep.equal({ 'todo-app': { document: 2 } });
    expect(page.started).to.deep.equal([id]);
  });

  it('with an outcome too long for the tab\'s storage: it comes out of IndexedDB', async () => {
    const page = await open();
    page.test.outcome = LONG;
    const id = await page.running('save_it');
    await page.result(id);
    await stored(page, id);
    await page.reload();
    await page.until(() => page.results(id).length === 2);
    expect(page.results(id)[1]!.data).to.deep.equal(LONG);
    expect(sessionStorage.getItem(`oui:journal:0:0:${id}`)!.length).to.be.below(1_000);
  });

  it('is not answered for by a copy of its tab', async () => {
    const page = await open();
    const id = await page.running('save_it');
    // What a duplicated tab begins with, as the second frame of this one sees it.
    for (const key of kept('oui:')) {
      sessionStorage.setItem(key.replace(/^(oui:\w+:)0:/, '$11:'), sessionStorage.getItem(key)!);
    }
    const copy = await open();
    expect(copy.clientIds()[0]).not.to.equal(page.clientIds()[0]);
    const other = await copy.running('save_it');
    await copy.reload();
    await copy.result(other);
    expect(copy.results(id)).to.deep.equal([]);
    expect(page.results(id)).to.deep.equal([]);
  });

  it('by another session: nothing is told', async () => {
    const options = { session: 'ada' };
    const page = await open(options);
    const id = await page.running('save_it');
    options.session = 'bob';
    await page.reload();
    const other = await page.running('save_it');
    await page.reload();
    await page.result(other);
    expect(page.results(id)).to.deep.equal([]);
  });

  it('after a sign-out: nothing is kept', async () => {
    const page = await open();
    page.test.outcome = LONG;
    const id = await page.running('save_it');
    await page.result(id);
    expect(await stored(page, id)).to.equal(JSON.stringify(LONG));
    await page.test.runtime!.forget();
    expect(await createIdbStore().get(`${page.clientIds()[0]} ${id}`)).to.equal(undefined);
    expect(kept('oui:journal:0:0:')).to.deep.equal([]);
  });
});
