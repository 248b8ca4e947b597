import { describe, expect, it } from 'vitest';
import type { OUIAction } from '../../../src/protocol/manifest.js';
import { argsHash } from '../../../src/rules/args-hash.js';
import { EngineBench, surface } from './engine-bench.js';

const LOGO = { type: 'string', format: 'oui-attachment', 'x-oui-attachment': { as: 'file', mediaTypes: ['image/*'] } };
const loose = { format: 'oui-attachment' };
const takes = (properties: object) => ({ type: 'object', properties });

const ACTIONS: readonly OUIAction[] = [
  { id: 'set_logo', description: 'Set', input: takes({ logo: LOGO, size: { default: 3 } }) },
  { id: 'set_any', description: 'Set', input: takes({ logo: loose }) },
  { id: 'set_usual', description: 'Set', input: takes({ logo: { ...LOGO, default: 'the-usual-one' } }) },
  { id: 'other_one', description: 'Other', input: {} },
  { id: 'confirm_logo', description: 'Asks', confirm: true, input: takes({ logo: LOGO }) },
  { id: 'start_logo', description: 'Job', async: true, input: takes({ logo: LOGO }) },
  { id: 'nested', description: 'Wrong', input: takes({ brand: takes({ logo: LOGO }), grid: { items: { items: LOGO } } }) },
];
const FEATURES = ['receipt', 'ack', 'cancel', 'approval', 'attachment'];
const LOGO_USE = { property: 'logo', id: 'logo-one', as: 'file', mediaTypes: ['image/*'] };

function ready(options: ConstructorParameters<typeof EngineBench>[0] = {}, features: string[] | 'v1' = FEATURES) {
  const bench = new EngineBench(options);
  bench.mount(surface('todo-app', ACTIONS));
  bench.connect(features);
  return bench;
}
const attached = (bench: EngineBench, requestId: string): void => void bench.give({ kind: 'attached', requestId });
const unavailable = { code: 'ATTACHMENT_UNAVAILABLE', message: 'logo: gone', details: { ran: false } };

describe('a request that names attachments', () => {
  it('has them opened at its turn, and then its handler starts', () => {
    const bench = ready();
    const first = bench.request('other_one');
    const second = bench.request('set_logo', { logo: 'logo-one' });
    expect(bench.of('open-attachments')).toEqual([]);
    bench.finish(first);
    expect(bench.of('open-attachments')).toEqual([
      { kind: 'open-attachments', requestId: second, uses: [LOGO_USE], fromAgent: true },
    ]);
    expect(bench.running(second)).toBe(false);
    const third = bench.request('other_one');
    expect(bench.running(third)).toBe(false);
    attached(bench, second);
    // The ids as sent: the page puts what it has opened in their place.
    expect(bench.of('run').at(-1)).toMatchObject({ requestId: second, params: { logo: 'logo-one', size: 3 } });
    bench.finish(second);
    expect(bench.running(third)).toBe(true);
  });

  it('has run nothing when one cannot be opened, and the next one goes on', () => {
    const bench = ready();
    const id = bench.request('set_logo', { logo: 'logo-one' });
    const next = bench.request('other_one');
    bench.give({ kind: 'attached', requestId: id, error: unavailable });
    expect(bench.result(id).error).toEqual(unavailable);
    expect(bench.running(id)).toBe(false);
    expect(bench.running(next)).toBe(true);
    attached(bench, id);
    expect(bench.results(id)).toHaveLength(1);
  });

  it.each<[string, unknown]>([
    ['an object', { name: 'x', mediaType: 'image/png', text: '<svg/>' }],
    ['a number', 12345678],
    ['null', null],
  ])('reaches no handler with %s in place of an id', (_what, logo) => {
    const bench = ready();
    const id = bench.request('set_any', { logo });
    expect(bench.result(id).error).toMatchObject({ code: 'ATTACHMENT_UNAVAILABLE', details: { ran: false } });
    expect(bench.result(id).error?.message).toMatch(/^logo: must be the id of an attachment/);
    expect(bench.running(id)).toBe(false);
  });

  it('is refused where they are declared elsewhere, with the places', () => {
    const bench = ready();
    expect(bench.result(bench.request('nested', {})).error).toMatchObject({
      code: 'ATTACHMENT_INPUT_UNSUPPORTED',
      message: expect.stringContaining('brand.logo, grid[][]'),
      details: { ran: false, paths: ['brand.logo', 'grid[][]'] },
    });
  });

  it.each<[string, string[] | 'v1']>([['v1', 'v1'], ['an agent without the extension', ['receipt', 'ack']]])(
    'is refused where nobody can open them: %s',
    (_what, features) => {
      const bench = ready({}, features);
      const id = bench.request('set_logo', { logo: 'logo-one' });
      expect(bench.result(id).error).toMatchObject({ code: 'ATTACHMENTS_UNSUPPORTED', details: { properties: ['logo'] } });
      // Without any there is nothing to open.
      expect(bench.running(bench.request('set_logo', {}))).toBe(true);
    },
  );

  it("is the host's alone where the agent gives none, and for the page's own calls", () => {
    const bench = ready({ opensAttachments: true }, 'v1');
    bench.request('set_logo', { logo: 'logo-one' }, { requestId: 'r1' });
    expect(bench.of('open-attachments').at(-1)).toMatchObject({ requestId: 'r1', fromAgent: false });
    bench.give({ kind: 'attached', requestId: 'r1' });
    bench.finish('r1');
    const own = ready({ opensAttachments: true });
    const request = { requestId: 'own', surfaceId: 'todo-app', actionId: 'set_logo', params: { logo: 'logo-one' }, timestamp: 1 };
    own.give({ kind: 'execute', request, nested: false });
    expect(own.of('open-attachments').at(-1)).toMatchObject({ requestId: 'own', fromAgent: false });
  });

  it('opens what a default names too', () => {
    const bench = ready();
    bench.request('set_usual', {});
    expect(bench.of('open-attachments')[0]?.uses).toMatchObject([{ property: 'logo', id: 'the-usual-one' }]);
  });

  it('is approved by the ids, before anything is opened', () => {
    const bench = ready();
    const id = bench.request('confirm_logo', { logo: 'logo-one' });
    const { approval } = bench.of('ask-user')[0]!;
    expect(approval).toMatchObject({ params: { logo: 'logo-one' }, argsHash: argsHash({ logo: 'logo-one' }) });
    expect(bench.of('open-attachments')).toEqual([]);
    bench.give({ kind: 'decided', requestId: id, decision: 'granted' });
    expect(bench.of('open-attachments')).toHaveLength(1);
  });

  it('acknowledges a job only when they are open', () => {
    const bench = ready();
    const id = bench.request('start_logo', { logo: 'logo-one' });
    expect(bench.results(id)).toEqual([]);
    attached(bench, id);
    expect(bench.results(id)).toMatchObject([{ interim: true }]);
  });

  it('has its one deadline, and the page stops opening', () => {
    const bench = ready();
    const id = bench.request('set_logo', { logo: 'logo-one' });
    bench.pass(25_000);
    expect(bench.result(id).error).toMatchObject({ code: 'TIMEOUT', details: { ran: false } });
    expect(bench.of('abort')).toMatchObject([{ requestId: id }]);
  });

  it.each<[string, (bench: EngineBench, id: string) => void, string]>([
    ['cancelled', (bench, requestId) => bench.receive('x-oui:cancel', { requestId }), 'oui:cancelled'],
    ['stopped', (bench) => bench.give({ kind: 'stop' }), 'ACTION_DENIED'],
    ['left by its surface', (bench) => bench.give({ kind: 'unmount', mountId: 1 }), 'SURFACE_UNAVAILABLE'],
  ])('has not run when it is %s meanwhile', (_what, end, code) => {
    const bench = ready();
    const id = bench.request('set_logo', { logo: 'logo-one' });
    end(bench, id);
    expect(bench.result(id).error).toMatchObject({ code, details: { ran: false } });
    expect(bench.of('abort')).toMatchObject([{ requestId: id }]);
  });

  it('looks again before it starts: what went meanwhile does not run, what changed is opened anew', () => {
    const bench = ready();
    const id = bench.request('set_logo', { logo: 'logo-one' });
    const [first, ...others] = ACTIONS;
    const wider = { ...first!, input: takes({ logo: loose }) };
    bench.give({ kind: 'define', mountId: 1, surface: surface('todo-app', [wider, ...others]) });
    attached(bench, id);
    expect(bench.of('open-attachments').map(({ uses }) => uses[0]?.mediaTypes)).toEqual([['image/*'], undefined]);
    bench.give({ kind: 'consent', surfaceId: 'todo-app', actionId: 'set_logo', allowed: false });
    attached(bench, id);
    expect(bench.result(id).error).toMatchObject({ code: 'ACTION_DENIED', details: { ran: false } });
    expect(bench.of('abort')).toMatchObject([{ requestId: id }]);
  });

  it('waits in the journal as one that has not run, and the next engine opens them', () => {
    const bench = ready();
    const id = bench.request('set_logo', { logo: 'logo-one' });
    const entry = bench.of('journal').at(-1)!.entry;
    expect(entry).toMatchObject({ requestId: id, stage: 'queued' });
    const next = ready();
    next.give({ kind: 'restore', entries: [entry] });
    expect(next.of('open-attachments')).toMatchObject([{ requestId: id }]);
    attached(next, id);
    expect(next.running(id)).toBe(true);
  });
});

describe('bytes from the agent', () => {
  const part = { requestId: 'r1', id: 'logo-one', offset: 0, total: 1, name: 'a', mediaType: 'image/png', data: 'eA==' };

  it('are asked for and handed to the page while the request waits for them, and never else', () => {
    const bench = ready();
    bench.give({ kind: 'fetch-attachment', requestId: 'r1', id: 'logo-one', offset: 0 });
    expect(bench.receive('x-oui:attachment-part', part)).toEqual([]);
    expect(bench.frames('x-oui:attachment')).toEqual([]);
    bench.request('set_logo', { logo: 'logo-one' }, { requestId: 'r1' });
    bench.give({ kind: 'fetch-attachment', requestId: 'r1', id: 'logo-one', offset: 7 });
    expect(bench.frames('x-oui:attachment')).toEqual([
      { type: 'x-oui:attachment', payload: { requestId: 'r1', id: 'logo-one', offset: 7 } },
    ]);
    expect(bench.receive('x-oui:attachment-part', part)).toEqual([{ kind: 'attachment-part', part }]);
    attached(bench, 'r1');
    expect(bench.receive('x-oui:attachment-part', part)).toEqual([]);
  });

  it('are not asked for on a connection that does not know the extension', () => {
    const bench = ready();
    bench.request('set_logo', { logo: 'logo-one' }, { requestId: 'r1' });
    bench.give({ kind: 'disconnected', reason: 'gone' });
    bench.connect('v1');
    bench.give({ kind: 'fetch-attachment', requestId: 'r1', id: 'logo-one', offset: 0 });
    expect(bench.frames('x-oui:attachment')).toEqual([]);
  });
});
