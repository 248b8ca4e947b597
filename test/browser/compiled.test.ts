import { expect } from 'chai';
import { resetWarnings } from '../../src/protocol/warn-once.js';
import { createRuntime } from '../../src/surface/create-runtime.js';
import { defineSurface } from '../../src/surface/definition/define-surface.js';
import type { SurfaceRuntime } from '../../src/surface/runtime.js';
import type { OuiRuntimeElement } from '../../elements/oui-runtime.js';
import { createWorkerHostFactory } from '../../worker/worker-host.js';
import type { WorkerHostOptions } from '../../worker/worker-host.js';

const surface = defineSurface({
  id: 'todo-app',
  name: 'Todos',
  description: 'A list.',
  actions: [
    {
      id: 'add_todo',
      description: 'Adds one',
      effect: 'view',
      input: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
      handler: () => 'added',
    },
  ],
});

const withHeaders = (headers: object, path: string): string =>
  `/__headers__/${encodeURIComponent(JSON.stringify(headers))}${path}`;

/** A call with these params, and the code of its error. */
async function call(runtime: SurfaceRuntime, params: unknown): Promise<string | undefined> {
  const result = await runtime.execute({ surfaceId: 'todo-app', actionId: 'add_todo', params });
  return result.success ? undefined : result.error?.code;
}

describe('compiled schemas', () => {
  const runtimes: SurfaceRuntime[] = [];
  const { warn } = console;
  let warnings: string[] = [];

  beforeEach(() => {
    resetWarnings();
    warnings = [];
    console.warn = (message: string) => void warnings.push(message);
  });

  afterEach(() => {
    console.warn = warn;
    for (const runtime of runtimes.splice(0)) runtime.dispose();
    for (const frame of document.querySelectorAll('iframe')) frame.remove();
  });

  const withWorker = (options: Omit<WorkerHostOptions, 'workerUrl'>, workerUrl = '/dist/oui.worker.js') => {
    // Calls are made until the compiler has come, however many that takes.
    const rateLimit = { perSecond: 1e6, burst: 1e6 };
    const hosts = () => [createWorkerHostFactory({ workerUrl, ...options })];
    const runtime = createRuntime({ rateLimit }, { hosts });
    runtimes.push(runtime);
    runtime.mount(surface, () => ({}));
    return runtime;
  };

  it('in a worker: its compiler is asked once it is there', async () => {
    const runtime = withWorker({ compilerUrl: '/test/browser/fixtures/careless-compiler.js' });
    // Until then the interpreter refuses this.
    while ((await call(runtime, { title: 1 })) !== undefined);
    expect(warnings).to.deep.equal([]);
  });

  it('in a worker: calls are checked as ever, without a warning', async () => {
    const runtime = withWorker({ compilerUrl: '/oui.compiler.js' });
    for (let round = 0; round < 20; round++) {
      expect(await call(runtime, { title: 'Milk' })).to.equal(undefined);
      expect(await call(runtime, { title: 1 })).to.equal('VALIDATION_ERROR');
    }
    expect(warnings).to.deep.equal([]);
  });

  it('in a worker whose policy forbids eval: they are interpreted, with one warning', async () => {
    const policy = { 'content-security-policy': "script-src 'self'" };
    const runtime = withWorker({ compilerUrl: '/oui.compiler.js' }, withHeaders(policy, '/dist/oui.worker.js'));
    while (warnings.length === 0) expect(await call(runtime, { title: 'Milk' })).to.equal(undefined);
    expect(await call(runtime, { title: 1 })).to.equal('VALIDATION_ERROR');
    expect(await call(runtime, { title: 'Milk' })).to.equal(undefined);
    const reason = 'Schemas are interpreted instead of compiled: a content security policy forbids eval.';
    expect(warnings).to.deep.equal([`[OUI1102] ${reason}`]);
    expect(runtime.engine).to.equal('worker');
  });

  it('in a worker without the compiler: they are interpreted, with one warning', async () => {
    const runtime = withWorker({ compilerUrl: '/no-such-compiler.js' });
    while (warnings.length === 0) expect(await call(runtime, { title: 'Milk' })).to.equal(undefined);
    expect(await call(runtime, { title: 1 })).to.equal('VALIDATION_ERROR');
    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.contain('OUI1102');
  });

  /** A page with the built library, an engine in the page, and this attribute. @returns whether it has the compiler */
  async function hasCompiler(attribute: string): Promise<boolean> {
    const frame = document.createElement('iframe');
    frame.srcdoc = `<!doctype html><script type="module" src="/oui.js"></script>
      <oui-runtime worker-src="none" ${attribute}></oui-runtime>
      <oui-surface surface-id="todo-app" name="Todos" description="A list.">
        <oui-action action-id="add_todo" description="Adds one" effect="view" input='{"type":"object"}'></oui-action>
      </oui-surface>`;
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
    document.body.append(frame);
    await loaded;
    const page = frame.contentWindow as Window & typeof globalThis;
    const { runtime } = page.document.querySelector<OuiRuntimeElement>('oui-runtime')!;
    expect(await call(runtime!, 'no object')).to.equal('VALIDATION_ERROR');
    return page.performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/oui.compiler.js'));
  }

  it('in a page: <oui-runtime validator="compiled"> loads the compiler, and nothing else does', async () => {
    expect(await hasCompiler('')).to.equal(false);
    expect(await hasCompiler('validator="interpreted"')).to.equal(false);
    while (!(await hasCompiler('validator="compiled"')));
  });
});
