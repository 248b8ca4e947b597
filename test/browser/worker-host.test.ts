import { expect } from 'chai';
import type { EngineEffect, EngineInput } from '../../src/protocol/engine-messages.js';
import type { OUIObservationUpdate } from '../../src/protocol/events.js';
import { createDirectTransportPair } from '../../src/transports/direct.js';
import type { EngineConfig } from '../../src/protocol/engine-config.js';
import type { EngineHost } from '../../src/protocol/engine-host.js';
import { createDriver } from '../../src/engine/driver.js';
import { createRuntime } from '../../src/surface/create-runtime.js';
import { defineSurface } from '../../src/surface/definition/define-surface.js';
import { createInProcessHostFactory } from '../../src/surface/link/in-process-host.js';
import type { SurfaceRuntime } from '../../src/surface/runtime.js';
import { createInterpretedValidator } from '../../src/validation/interpreted.js';
import { createWorkerHostFactory } from '../../worker/worker-host.js';
import type { WorkerHostOptions } from '../../worker/worker-host.js';

const WORKER_URL = '/dist/oui.worker.js';
const HANGING_URL = '/test/browser/fixtures/hanging-worker.js';

const config: EngineConfig = {
  software: 'oui-elements/test',
  confirmBy: 'page',
  canAsk: false,
  hasGate: false,
  actionMs: 30_000,
  approvalMs: 300_000,
  helloMs: 10_000,
  settleTimeoutMs: 5_000,
  reanswerAfterMs: 8_000,
  ratePerSecond: 50,
  rateBurst: 100,
  dedupeWindow: 500,
  form: 'full',
  observationSchemas: 'warn',
  announce: true,
  budgets: { resultBytes: 491_520, updateBytes: 262_144 },
};

/** A request that the engine answers by itself: there is no such surface. */
const ask = (requestId: string): EngineInput => ({
  kind: 'execute',
  nested: false,
  request: { requestId, surfaceId: 'nowhere', actionId: 'nothing', params: {}, timestamp: Date.now() },
});

/** An open host, and what it reported. */
interface Opened {
  readonly host: EngineHost;
  readonly worker: Worker;
  readonly effects: EngineEffect[];
  readonly lost: string[];
  /** What else was said of it, for each of these. */
  readonly whys: (string | undefined)[];
  /** Resolves with the reason when the host is lost. */
  readonly whenLost: Promise<string>;
  /** Resolves when the engine has ended this request. */
  whenExecuted(requestId: string): Promise<EngineEffect>;
}

describe('worker host', () => {
  const opened: Opened[] = [];
  const moduleWorker = (url: string, name = 'oui'): Worker => new Worker(url, { type: 'module', name });

  const open = async (url = WORKER_URL, options: Partial<WorkerHostOptions> = {}): Promise<Opened> => {
    let worker: Worker | undefined;
    const effects: EngineEffect[] = [];
    const lost: string[] = [];
    const whys: (string | undefined)[] = [];
    const checks = new Set<() => void>();
    let tellLost = (_: string): void => undefined;
    const whenLost = new Promise<string>((resolve) => (tellLost = resolve));
    const factory = createWorkerHostFactory({ workerUrl: () => (worker = moduleWorker(url)), ...options });
    const host = await factory.open({
      effects(more) {
        effects.push(...more);
        for (const check of checks) check();
      },
      lost(reason, why) {
        lost.push(reason);
        whys.push(why);
        tellLost(reason);
      },
    });
    host.post([{ kind: 'configure', config }]);
    const whenExecuted = (requestId: string): Promise<EngineEffect> =>
      new Promise((resolve) => {
        const check = (): void => {
          const found = effects.find((effect) => effect.kind === 'executed' && effect.requestId === requestId);
          if (found === undefined) return;
          checks.delete(check);
          resolve(found);
        };
        checks.add(check);
        check();
      });
    const result = { host, worker: worker as Worker, effects, lost, whys, whenLost, whenExecuted };
    opened.push(result);
    return result;
  };

  const refusal = (options: WorkerHostOptions): Promise<string> =>
    createWorkerHostFactory({ readyMs: 8000, ...options })
      .open({ effects: () => undefined, lost: () => undefined })
      .then(
        (host) => {
          host.close();
          return 'it opened';
        },
        (error: Error) => error.message,
      );

  const engineLocks = async (): Promise<string[]> =>
    ((await navigator.locks.query()).held ?? [])
      .map(({ name }) => name ?? '')
      .filter((name) => name.startsWith('oui-engine-'));

  /** Resolves when nobody holds this lock: its worker is gone. */
  const whenReleased = (name: string): Promise<void> => navigator.locks.request(name, () => undefined);

  afterEach(() => {
    for (const { host, worker } of opened.splice(0)) {
      host.close();
      worker.terminate();
    }
  });

  describe('runs an engine in a worker', () => {
    it('that answers what it is given', async () => {
      const { host, whenExecuted } = await open();
      expect(host.kind).to.equal('worker');
      host.post([ask('r1')]);
      host.post([ask('r2')]);
      const first = await whenExecuted('r1');
      await whenExecuted('r2');
      expect(first).to.have.nested.property('result.error.code', 'SURFACE_UNAVAILABLE');
    });

    it('made from an address, relative to the document', async () => {
      expect(await refusal({ workerUrl: new URL(WORKER_URL, location.href) })).to.equal('it opened');
      expect(await refusal({ workerUrl: WORKER_URL })).to.equal('it opened');
    });

    it('that runs timers for the page, in order, and clears them', async () => {
      const { host } = await open();
      const fired: string[] = [];
      const release = host.setTimer(1, () => fired.push('released'));
      release();
      await new Promise<void>((resolve) => {
        host.setTimer(30, () => {
          fired.push('later');
          resolve();
        });
        host.setTimer(5, () => fired.push('sooner'));
      });
      expect(fired).to.deep.equal(['sooner', 'later']);
    });

    it('that takes over what cannot be cloned as its JSON', async () => {
      const { host, whenExecuted } = await open();
      const odd = ask('odd');
      if (odd.kind === 'execute') Object.assign(odd.request.params as object, { callback: () => undefined });
      host.post([odd, ask('even')]);
      await whenExecuted('odd');
      await whenExecuted('even');
    });
  });

  describe('loads the part of the engine that some surfaces need', () => {
    const surface = defineSurface({
      id: 'code-app',
      name: 'Codes',
      description: 'Takes codes.',
      actions: [
        {
          id: 'take_code',
          description: 'Take a code',
          effect: 'view',
          input: { type: 'object', properties: { code: { type: 'string', pattern: '^[A-Z]+$' } }, required: ['code'] },
          handler: ({ code }) => code,
        },
      ],
    });
    const runtimeWith = (options: Partial<WorkerHostOptions>, worker: WorkerHostOptions['workerUrl'] = WORKER_URL) => {
      const engine = { createDriver, createInterpretedValidator };
      const hosts = [createWorkerHostFactory({ workerUrl: worker, ...options }), createInProcessHostFactory({ engine })];
      return createRuntime({}, { hosts: () => hosts });
    };
    const answers = async (runtime: SurfaceRuntime): Promise<unknown[]> => {
      const call = (surfaceId: string, actionId: string, params: object) => runtime.execute({ surfaceId, actionId, params });
      const describe = { actions: [{ surface: 'code-app', action: 'take_code' }] };
      const results = await Promise.all([
        call('code-app', 'take_code', { code: 'ABC' }),
        call('code-app', 'take_code', { code: 'abc' }),
        call('oui', 'describe', describe),
      ]);
      return results.map(({ data, error }) => error?.code ?? data);
    };
    const expectAnswers = ([right, wrong, described]: unknown[]): void => {
      expect([right, wrong]).to.deep.equal(['ABC', 'VALIDATION_ERROR']);
      expect(described).to.have.nested.property('definitions[0].action.id', 'take_code');
    };
    it('before a schema with a pattern is used', async () => {
      const runtime = runtimeWith({});
      runtime.mount(surface);
      expectAnswers(await answers(runtime));
      expect(runtime.engine).to.equal('worker');
      runtime.dispose();
    });

    it('before a value is cut that is too large for a frame', async () => {
      const runtime = runtimeWith({});
      const mounted = runtime.mount(defineSurface({
        id: 'list-app',
        name: 'List',
        description: 'A long list.',
        actions: [{ id: 'go_on', description: 'Go on', effect: 'view', input: { type: 'object' }, handler: () => 'done' }],
        observations: [{ id: 'rows', description: 'Rows', schema: { type: 'array' } }],
      }));
      mounted.pushObservation('rows', Array.from({ length: 10_000 }, (_, index) => `row ${index} of ${'x'.repeat(100)}`));
      const { page, agent } = createDirectTransportPair();
      const update = new Promise<OUIObservationUpdate>((resolve) => {
        agent.onEvent((event) => {
          const { type, payload } = event as { type: string; payload: OUIObservationUpdate };
          if (type === 'observation:update') resolve(payload);
        });
      });
      void agent.connect();
      runtime.attach(page);
      const { value, fit } = await update;
      expect(value).to.have.length(200);
      expect(fit?.observations?.[0]).to.include({ observation: 'rows', kind: 'list', total: 10_000, kept: 200 });
      expect(runtime.engine).to.equal('worker');
      runtime.dispose();
    });

    it('under the strictest policies that let a worker run its own script', async () => {
      const policy = "default-src 'none'; script-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'";
      const headers = encodeURIComponent(JSON.stringify({ 'Content-Security-Policy': policy }));
      const runtime = runtimeWith({}, `/__headers__/${headers}${WORKER_URL}`);
      runtime.mount(surface);
      expectAnswers(await answers(runtime));
      expect(runtime.engine).to.equal('worker');
      runtime.dispose();
    });

    it('before the runtime is asked for a definition', async () => {
      const runtime = runtimeWith({ extrasUrl: '/dist/oui.extras.js' }, () => moduleWorker(WORKER_URL));
      const { error } = await runtime.execute({ surfaceId: 'oui', actionId: 'read', params: { surface: 'a', observation: 'b' } });
      expect(error?.code).to.equal('NOT_FOUND');
      expect(runtime.engine).to.equal('worker');
      runtime.dispose();
    });

    for (const [why, options, worker] of [
      ['missing', { extrasUrl: '/no-such-extras.js' }, WORKER_URL],
      ['of another version', { extrasUrl: 'data:text/javascript,export class OwnActions {}' }, WORKER_URL],
      ['of an unknown address', {}, () => moduleWorker(WORKER_URL)],
    ] as const) {
      it(`or goes on in the page where it is ${why}, and answers everything`, async () => {
        const runtime = runtimeWith(options, worker);
        runtime.mount(surface);
        expectAnswers(await answers(runtime));
        expect(runtime.engine).to.equal('in-process');
        runtime.dispose();
      });
    }
  });

  describe('is refused, with the reason and no worker left behind', () => {
    it('when the script is missing', async () => {
      expect(await refusal({ workerUrl: '/dist/no-such-worker.js' })).to.match(
        /^the worker script \/dist\/no-such-worker\.js could not be loaded or run/,
      );
    });

    it('when the script throws', async () => {
      expect(await refusal({ workerUrl: '/test/browser/fixtures/throwing-worker.js' })).to.match(
        /throwing-worker\.js could not be loaded or run/,
      );
    });

    it('when the worker cannot be made', async () => {
      const workerUrl = (): Worker => {
        throw new Error('not today');
      };
      expect(await refusal({ workerUrl })).to.equal('not today');
    });

    it('when the script comes from another origin', async () => {
      expect(await refusal({ workerUrl: 'http://localhost:1/oui.worker.js' })).not.to.equal('it opened');
    });

    it('when no answer comes in time', async () => {
      const name = `silent-${crypto.randomUUID()}`;
      const reason = await refusal({
        workerUrl: () => moduleWorker('/test/browser/fixtures/silent-worker.js', name),
        readyMs: 300,
      });
      expect(reason).to.match(/the worker was not ready within 300 ms/);
      await whenReleased(name);
    });

    /** Opens a page with these policies in a frame, and has it report. */
    const underPolicy = async (policy: string): Promise<{ outcome: string; violations: string[] }> => {
      const headers = encodeURIComponent(JSON.stringify({ 'Content-Security-Policy': policy }));
      const frame = document.createElement('iframe');
      frame.src = `/__headers__/${headers}/test/browser/fixtures/worker-under-policy.html`;
      const report = new Promise<MessageEvent>((resolve) => {
        addEventListener('message', (event) => event.source === frame.contentWindow && resolve(event));
      });
      document.body.append(frame);
      const { data } = await report;
      frame.remove();
      return data as { outcome: string; violations: string[] };
    };

    it('when a policy forbids workers', async () => {
      const { outcome } = await underPolicy("worker-src 'none'");
      expect(outcome).to.match(/^refused: /);
    });

    it('when trusted types are required and the policy of ours is not allowed', async function () {
      if (!('trustedTypes' in window)) this.skip();
      const { outcome } = await underPolicy("require-trusted-types-for 'script'; trusted-types 'none'");
      expect(outcome).to.match(/^refused: /);
    });

    it('but not when the policy "oui" is allowed', async () => {
      expect(await underPolicy("require-trusted-types-for 'script'; trusted-types oui")).to.deep.equal({
        outcome: 'opened a worker',
        violations: [],
      });
    });
  });

  describe('notices', () => {
    it('a worker that was killed', async () => {
      const { host, worker, whenLost, lost, whys, effects } = await open();
      worker.terminate();
      expect(await whenLost).to.equal('the worker has died');
      expect(whys).to.deep.equal([undefined]);
      const before = effects.length;
      host.post([ask('too late')]);
      host.close();
      await navigator.locks.query();
      expect(effects).to.have.length(before);
      expect(lost).to.have.length(1);
    });

    it('a worker that hangs with work to do, and ends it', async () => {
      const before = await engineLocks();
      const { host, worker, whenLost, lost, whys } = await open(HANGING_URL, { silenceMs: 400 });
      const [lock] = (await engineLocks()).filter((name) => !before.includes(name));
      worker.postMessage('hang');
      host.post([ask('r1')]);
      expect(await whenLost).to.equal('the worker has not answered for 400 ms');
      await whenReleased(lock as string);
      expect(lost).to.have.length(1);
      expect(whys).to.deep.equal(['hung']);
    });

    it('a worker that hangs over a frame of the agent, though the page gave it nothing to do', async () => {
      const { host, worker, whenLost } = await open('/test/browser/fixtures/hanging-on-frame-worker.js', {
        socketUrl: 'ws://localhost:1/oui/v1',
        silenceMs: 1000,
      });
      // By then a ping was answered, and the worker owes nothing.
      await new Promise<void>((resolve) => host.setTimer(1000, resolve));
      worker.postMessage('frame');
      expect(await whenLost).to.equal('the worker has not answered for 1000 ms');
    });

    it('a worker that was killed, where there are no locks', async () => {
      Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true });
      try {
        const { host, worker, whenLost } = await open(WORKER_URL, { silenceMs: 400 });
        // Killed while it owes nothing: a ping of the meantime was answered.
        host.setTimer(300, () => worker.terminate());
        expect(await whenLost).to.equal('the worker has not answered for 400 ms');
      } finally {
        Reflect.deleteProperty(navigator, 'locks');
      }
    });

    it('no error that a worker does not catch: that reaches the page as any worker\'s does', async () => {
      const { host, worker, lost, whenExecuted } = await open(HANGING_URL);
      const seen = new Promise<{ message: string; prevented: boolean }>((resolve) => {
        worker.addEventListener('error', (event) => {
          resolve({ message: event.message, prevented: event.defaultPrevented });
          // This page would fail by it.
          event.preventDefault();
        });
      });
      worker.postMessage('throw');
      const { message, prevented } = await seen;
      expect(message).to.contain('out of the blue');
      expect(prevented, 'kept from the page').to.equal(false);
      host.post([ask('r1')]);
      await whenExecuted('r1');
      expect(lost).to.deep.equal([]);
    });

    it('nothing amiss when the page itself was busy', async () => {
      const { host, lost, whenExecuted } = await open(WORKER_URL, { silenceMs: 2000 });
      for (const round of [1, 2]) {
        host.post([ask(`before ${round}`)]);
        await Promise.resolve();
        const end = performance.now() + 2500;
        while (performance.now() < end);
        host.post([ask(`after ${round}`)]);
        await whenExecuted(`after ${round}`);
      }
      expect(lost).to.deep.equal([]);
    });
  });

  describe('closes', () => {
    it('and ends the worker, without a word', async () => {
      const before = await engineLocks();
      const { host, lost, effects } = await open();
      const [lock] = (await engineLocks()).filter((name) => !before.includes(name));
      expect(lock).to.be.a('string');
      const heard = effects.length;
      host.setTimer(1, () => expect.fail('a timer fired after close'));
      host.post([ask('r1')]);
      host.close();
      host.close();
      await whenReleased(lock as string);
      expect(effects).to.have.length(heard);
      expect(lost).to.deep.equal([]);
    });
  });
});
