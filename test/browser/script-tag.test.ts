import { expect } from 'chai';
import type { ScriptTagReport } from './fixtures/script-tag-page.js';

/** The script tag on pages with strict policies, and on pages without what others have. `fixtures/script-tag-page.ts`. */

const POLICY = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'connect-src': "'self'",
  'worker-src': "'self'",
  'require-trusted-types-for': "'script'",
  'trusted-types': 'oui',
};

/** What a page with all the files beside its script comes to. */
const WORKING = {
  pressed: { settled: true, isOn: true },
  ordered: ['ABC', 'plan.txt', 'bytes of plan-0001'],
  misfit: 'VALIDATION_ERROR',
  unanswered: 'APPROVAL_REQUIRED',
  errors: [],
};

const ELSEWHERE = location.origin.replace('localhost', '127.0.0.1');
const ALLOWED = `/__headers__/${encodeURIComponent('{"Access-Control-Allow-Origin":"*"}')}`;
const SCRIPT = '../../../dist/oui.js';
const SCRIPT_ELSEWHERE = `${ELSEWHERE}${ALLOWED}/dist/oui.js`;

interface Visit {
  readonly policy?: { readonly [directive: string]: string };
  readonly query?: { readonly [name: string]: string };
  readonly page?: string;
  readonly sandbox?: string;
}

type Outcome = ScriptTagReport & { readonly failed?: string };

/** Opens the page in a frame. `id` is where its violations are reported to. */
async function visit({ policy = POLICY, query = {}, page = 'script-tag.html', sandbox }: Visit, id = 'none'): Promise<Outcome> {
  const csp = Object.entries({ ...policy, 'report-uri': `/__violations__/${id}` });
  const headers = { 'Content-Security-Policy': csp.map((part) => part.join(' ')).join('; ') };
  const frame = document.createElement('iframe');
  if (sandbox !== undefined) frame.setAttribute('sandbox', sandbox);
  const values = new URLSearchParams({ type: 'module', script: SCRIPT, ...query });
  frame.src = `/__headers__/${encodeURIComponent(JSON.stringify(headers))}/test/browser/fixtures/${page}?${values}`;
  const report = new Promise<MessageEvent>((resolve) => {
    addEventListener('message', (event) => event.source === frame.contentWindow && resolve(event));
  });
  document.body.append(frame);
  const { data } = await report;
  const outcome = data as Outcome;
  expect(outcome.failed).to.equal(undefined);
  expect(outcome).to.deep.include(WORKING);
  expect(outcome.asked).to.contain('undrawn' in query ? '' : 'Throw all lamps away');
  expect(outcome.inspected).to.contain('Lamps');
  expect(outcome.presence).not.to.equal('');
  return outcome;
}

/** What was reported to the server, once this has come. */
async function reported(id: string, awaited: string): Promise<string[]> {
  const response = await fetch(`/__violations__/${id}/${awaited}`);
  return (await response.json()) as string[];
}

/** WebKit reports nothing that is violated in a worker: there only what the worker does can tell. */
const WORKERS_REPORT = !navigator.userAgent.includes('AppleWebKit') || navigator.userAgent.includes('Chrome');

const ofSentinels = (report: string): boolean => /from-(page|worker)\.invalid/.test(report);

describe('a script tag', () => {
  afterEach(() => {
    for (const frame of document.querySelectorAll('iframe')) frame.remove();
  });

  describe('under the strictest policies', () => {
    for (const [name, query] of [
      ['as a module', {}],
      ['as a classic script', { type: '', script: '../../../dist/oui.iife.js' }],
    ] as const) {
      it(`works ${name}, without a violation of page or worker`, async () => {
        const id = crypto.randomUUID();
        const { engine, violations, warnings } = await visit({ query: { ...query, url: '/oui/v1', sentinel: 'worker' } }, id);
        expect(engine).to.equal('worker');
        expect(violations.filter((text) => !ofSentinels(text))).to.deep.equal([]);
        expect(warnings).to.deep.equal([]);
        if (WORKERS_REPORT) await reported(id, 'from-worker.invalid');
        const reports = await reported(id, 'from-page.invalid');
        expect(reports.filter((text) => !ofSentinels(text))).to.deep.equal([]);
      });
    }

    it('interprets schemas that were to be compiled, with one warning', async () => {
      const { engine, warnings } = await visit({ query: { validator: 'compiled', awaited: 'OUI1102' } });
      expect(engine).to.equal('worker');
      expect(warnings).to.have.length(1);
      expect(warnings[0]).to.match(/^\[OUI1102\] Schemas are interpreted instead of compiled/);
    });

    it('has its engine in the page where workers are forbidden, with one warning', async () => {
      const { engine, violations, warnings } = await visit({ policy: { ...POLICY, 'worker-src': "'none'" } });
      expect(engine).to.equal('in-process');
      // It can only be tried.
      expect(violations.filter((text) => !text.startsWith('worker-src'))).to.deep.equal([]);
      expect(warnings).to.have.length(1);
      expect(warnings[0]).to.match(/^\[OUI1001\]/);
    });

    it('is silent where workers are forbidden when it was told to use none', async () => {
      const policy = { ...POLICY, 'worker-src': "'none'" };
      const { engine, violations, warnings } = await visit({ policy, query: { worker: 'none' } });
      expect([engine, violations, warnings]).to.deep.equal(['in-process', [], []]);
    });
  });

  describe('from another origin', () => {
    const policy = { ...POLICY, 'script-src': `'self' ${ELSEWHERE}`, 'worker-src': "'self' blob:" };
    const script = SCRIPT_ELSEWHERE;

    it('has its engine in the page, with one warning that tells what to do, and no violation', async () => {
      const { engine, violations, warnings } = await visit({ policy, query: { script } });
      expect([engine, violations]).to.deep.equal(['in-process', []]);
      expect(warnings).to.have.length(1);
      expect(warnings[0]).to.match(/^\[OUI1001\].*another origin.*worker-src="blob"/);
    });

    it('has a worker by a file of the page\'s own of one line', async () => {
      const worker = `script-tag-worker.js?${new URLSearchParams({ script: script.replace('oui.js', 'oui.worker.js') })}`;
      // What a module imports statically in a worker counts as the worker's.
      const wider = { ...policy, 'worker-src': `'self' ${ELSEWHERE}` };
      const { engine, violations, warnings } = await visit({ policy: wider, query: { script, worker } });
      expect([engine, violations, warnings]).to.deep.equal(['worker', [], []]);
    });

    it('has a worker by worker-src="blob"', async () => {
      const { engine, violations, warnings } = await visit({ policy, query: { script, worker: 'blob' } });
      expect([engine, violations, warnings]).to.deep.equal(['worker', [], []]);
    });

    it('has its engine in the page when worker-src="blob" is forbidden', async () => {
      const strict = { ...policy, 'worker-src': "'self'" };
      const { engine, warnings } = await visit({ policy: strict, query: { script, worker: 'blob' } });
      expect(engine).to.equal('in-process');
      expect(warnings).to.have.length(1);
      expect(warnings[0]).to.match(/^\[OUI1001\]/);
    });
  });

  describe('with Subresource Integrity', () => {
    const policy = { ...POLICY, 'script-src': `'self' 'nonce-map' ${ELSEWHERE}` };
    const page = 'script-tag-integrity.html';
    let hashes: { [file: string]: string };
    /** An import map with the hashes of all files where the script comes from, and the one of the script's tag. */
    const under = (own: { [file: string]: string }): { [name: string]: string } => {
      const places = Object.entries(own).map(([file, hash]) => [SCRIPT_ELSEWHERE.replace('oui.js', file), hash]);
      const importmap = JSON.stringify({ integrity: Object.fromEntries(places) });
      return { script: SCRIPT_ELSEWHERE, integrity: own['oui.js']!, importmap, worker: 'none' };
    };

    before(async () => {
      hashes = (await (await fetch('/dist/integrity.json')).json()) as typeof hashes;
    });

    it('the hashes are those of the files, and no file is left out', async () => {
      const made = await Promise.all(Object.keys(hashes).map(async (file) => {
        const bytes = await (await fetch(`/dist/${file}`)).arrayBuffer();
        const digest = new Uint8Array(await crypto.subtle.digest('SHA-384', bytes));
        return [file, `sha384-${btoa(String.fromCharCode(...digest))}`];
      }));
      expect(hashes).to.deep.equal(Object.fromEntries(made));
      expect(hashes).to.include.keys('oui.js', 'oui.iife.js', 'oui.dialog.js', 'oui.lit.js', 'oui.worker.js');
    });

    it('the script and what it loads run when they are what was reviewed', async () => {
      const { violations, warnings } = await visit({ policy, page, query: under(hashes) });
      expect([violations, warnings]).to.deep.equal([[], []]);
    });

    it('a file that differs is as good as missing, with one warning', async () => {
      const query = under({ ...hashes, 'oui.dialog.js': `sha384-${'A'.repeat(64)}` });
      const { warnings } = await visit({ policy, page, query: { ...query, undrawn: '1' } });
      expect(warnings).to.have.length(1);
      expect(warnings[0]).to.match(/^\[OUI2003\]/);
    });
  });

  describe('in a sandboxed frame, whose origin is opaque', () => {
    it('has its engine in the page, with one warning', async () => {
      const { engine, warnings } = await visit({ policy: {}, sandbox: 'allow-scripts allow-forms' });
      expect(engine).to.equal('in-process');
      expect(warnings).to.have.length(1);
      expect(warnings[0]).to.match(/^\[OUI1001\]/);
    });

    it('has a worker by worker-src="blob"', async () => {
      const { engine, warnings } = await visit({ policy: {}, sandbox: 'allow-scripts allow-forms', query: { worker: 'blob' } });
      expect([engine, warnings]).to.deep.equal(['worker', []]);
    });
  });

  for (const [name, without, worker] of [
    ['storage and cookies are forbidden', 'storage', ''],
    ['there is no storage', 'storage-objects', ''],
    ['there is none, and the engine is in the page', 'storage-objects', 'none'],
    ['they are forbidden, and the engine is in the page', 'storage', 'none'],
    ['the page came over plain http', 'secure-context', ''],
  ] as const) {
    it(`works where ${name}, without a word`, async () => {
      const { engine, violations, warnings } = await visit({ query: { without, worker } });
      expect([engine, violations, warnings]).to.deep.equal([worker ? 'in-process' : 'worker', [], []]);
    });
  }
});
