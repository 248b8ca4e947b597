import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { AttachmentUse, EffectOf } from '../../../src/protocol/engine-messages.js';
import type { OUIAttachmentPart } from '../../../src/protocol/events.js';
import * as LIMITS from '../../../src/protocol/limits.js';
import { PageTimers } from '../../../src/surface/clock/page-timers.js';
import { createAgentFetch } from '../../../src/surface/requests/agent-fetch.js';
import { Attachments } from '../../../src/surface/requests/attachments.js';
import type { AttachmentHost, SurfaceRuntimeOptions } from '../../../src/surface/runtime-options.js';
import { createRuntime } from '../../../src/surface/create-runtime.js';
import { HandClock, idle } from './hand-clock.js';
import { mountedBench, running, surfaceOf } from './runtime-bench.js';

const load = () => import('../../../src/surface/requests/open-attachments.js');
const png = new File(['png'], 'a.png', { type: 'image/png' });
const use = (id: string, more: Partial<AttachmentUse> = {}): AttachmentUse => ({ property: 'logo', id, as: 'file', ...more });

function page(resolve?: AttachmentHost['resolve']) {
  const post = vi.fn();
  const timers = new PageTimers(new HandClock());
  const attachments = new Attachments({ host: resolve && { resolve }, load, timers, post });
  const open = (uses: AttachmentUse[], more: Partial<EffectOf<'open-attachments'>> = {}) =>
    attachments.open({ kind: 'open-attachments', requestId: 'r1', uses, fromAgent: false, ...more });
  return { attachments, open, post };
}
const unavailable = (message: string | RegExp) => ({
  code: 'ATTACHMENT_UNAVAILABLE',
  message: typeof message === 'string' ? message : expect.stringMatching(message),
  details: { ran: false },
});

describe('attachments that the host opens', () => {
  it('take the place of their ids, and nothing else changes', async () => {
    const { attachments, open } = page((id) => new File([id], `${id}.txt`, { type: 'text/plain' }));
    const params = { logo: 'logo-one', notes: ['note-one', 'note-two'], title: 'T' };
    const uses = [
      use('logo-one'),
      use('note-one', { property: 'notes', as: 'text', index: 0 }),
      use('note-two', { property: 'notes', as: 'text', index: 1 }),
    ];
    expect(await open(uses)).toBeUndefined();
    const taken = attachments.take('r1')(params) as { logo: File };
    expect(taken).toEqual({ logo: expect.any(File), notes: ['note-one', 'note-two'], title: 'T' });
    expect(taken.logo.name).toBe('logo-one.txt');
    expect(params.logo).toBe('logo-one');
    // They are the handler's now.
    expect(attachments.take('r1')(params)).toBe(params);
  });

  it('are opened once for each list of types, four at a time', async () => {
    let most = 0;
    let now = 0;
    const waiting: (() => void)[] = [];
    const resolve = vi.fn(async (_id: string) => {
      most = Math.max(most, ++now);
      await new Promise<void>((done) => waiting.push(done));
      now--;
      return png;
    });
    const { open } = page(resolve);
    const uses = Array.from({ length: 10 }, (_, index) => use(`picture-${index % 9}`, { property: 'list', index }));
    const other = use('picture-0', { property: 'logo', mediaTypes: ['image/*'] });
    const opened = open([...uses, other]);
    for (let round = 0; round < 10; round++) {
      await idle();
      for (const done of waiting.splice(0)) done();
    }
    expect(await opened).toBeUndefined();
    expect(most).toBe(LIMITS.attachmentsAtOnce);
    expect(resolve.mock.calls.map(([id]) => id).sort()).toEqual(
      [...Array.from({ length: 9 }, (_, index) => `picture-${index}`), 'picture-0'].sort(),
    );
  });

  it('are checked for each property that names them', async () => {
    const { open } = page(() => png);
    expect(await open([use('one-file', { mediaTypes: ['image/*'] }), use('one-file', {
      property: 'text', mediaTypes: ['text/html'],
    })])).toEqual(unavailable('text: a.png is image/png, and text/html is taken'));
  });

  it.each<[string, unknown, Partial<AttachmentUse>, string | RegExp]>([
    ['nothing', undefined, {}, 'logo: no attachment "logo-one" is known here'],
    ['null', null, { as: 'text' }, 'logo: no attachment "logo-one" is known here'],
    ['no file', { name: 'a' }, {}, 'logo: what attachments.resolve gave is no File'],
    ['a text for a file', 'text', {}, 'logo: what attachments.resolve gave is no File'],
    ['no text', { name: 'a' }, { as: 'text' }, /^logo: what attachments.resolve gave is neither/],
    ['a bare text of no type', 'x', { as: 'text', mediaTypes: ['text/plain'] }, /^logo: a bare text has no media type/],
    ['a text of another type', { name: 'a.html', mediaType: 'text/html', text: '' },
      { as: 'text', mediaTypes: ['image/svg+xml'] }, 'logo: a.html is text/html, and image/svg+xml is taken'],
    ['a file of another type, as a text', new File([''], 'a.html', { type: 'text/html' }),
      { as: 'text', mediaTypes: ['image/svg+xml'] }, 'logo: a.html is text/html, and image/svg+xml is taken'],
    ['a file of no type', new File([''], 'a'), { mediaTypes: ['image/*'] }, 'logo: a is of no known type, and image/* is taken'],
  ])('cannot be had where it gives %s', async (_what, given, more, message) => {
    const { open } = page(() => given);
    expect(await open([use('logo-one', more)])).toEqual(unavailable(message));
  });

  it('cannot be had where it throws, and the others are given up', async () => {
    const signals: AbortSignal[] = [];
    const resolve = vi.fn((id: string, _as: string, { signal }: { signal: AbortSignal }) => {
      signals.push(signal);
      return id === 'broken-1' ? Promise.reject(new Error('The shelf is locked.')) : new Promise(() => {});
    });
    const { open } = page(resolve);
    const uses = ['endless1', 'broken-1', 'endless2', 'endless3', 'endless4'].map((id) => use(id));
    expect(await open(uses)).toEqual(unavailable('logo: The shelf is locked.'));
    expect(resolve).toHaveBeenCalledTimes(4);
    expect(signals.every(({ aborted }) => aborted)).toBe(true);
  });

  it.each<[string, unknown, Partial<AttachmentUse>, string]>([
    ['a File', new File(['<svg/>'], 'a.svg', { type: 'image/svg+xml' }), { mediaTypes: ['image/*'] }, '<svg/>'],
    ['name, type and text', { name: 'a', mediaType: 'text/csv', text: 'a,b' }, { mediaTypes: ['text/csv'] }, 'a,b'],
    ['a bare text', 'bare', {}, 'bare'],
  ])('come as a text from %s', async (_what, given, more, text) => {
    const { attachments, open } = page(() => given);
    expect(await open([use('logo-one', { as: 'text', ...more })])).toBeUndefined();
    expect(attachments.take('r1')({ logo: 'logo-one' })).toEqual({ logo: text });
  });

  it('a Blob becomes a File', async () => {
    const { attachments, open } = page(() => new Blob(['x'], { type: 'image/png' }));
    await open([use('logo-one')]);
    expect(attachments.take('r1')({ logo: '' })).toMatchObject({ logo: { name: 'attachment', type: 'image/png' } });
  });

  it('are opened once for two engines, and anew when another thing is asked for', async () => {
    const resolve = vi.fn(() => png);
    const { open } = page(resolve);
    await Promise.all([open([use('logo-one')]), open([use('logo-one')])]);
    expect(resolve).toHaveBeenCalledTimes(1);
    await open([use('logo-two')]);
    expect(resolve).toHaveBeenCalledTimes(2);
  });

  it('are given up when the request ends', async () => {
    let begin: (signal: AbortSignal) => void;
    const begun = new Promise<AbortSignal>((resolve) => (begin = resolve));
    const { attachments, open } = page((_id, _as, { signal }) => {
      begin(signal);
      return new Promise(() => {});
    });
    const opened = open([use('logo-one')]);
    const signal = await begun;
    attachments.close('r1');
    expect(await opened).toEqual(unavailable('the request has ended'));
    expect(signal.aborted).toBe(true);
    expect(attachments.take('r1')({ logo: 'logo-one' })).toEqual({ logo: 'logo-one' });
  });

  it('cannot be had in a page that was put together without the part', async () => {
    const attachments = new Attachments({
      host: undefined, load: undefined, timers: new PageTimers(new HandClock()), post: () => {},
    });
    const opened = attachments.open({ kind: 'open-attachments', requestId: 'r1', uses: [use('a-logo-1')], fromAgent: true });
    expect(await opened).toEqual(unavailable(/^this page was put together without/));
  });
});

describe('attachments that the agent gives', () => {
  const bytes = (text: string, total: number, offset = 0): OUIAttachmentPart => ({
    requestId: 'r1', id: 'logo-one', offset, total, name: 'a.txt', mediaType: 'text/plain', data: btoa(text),
  });
  function fetching() {
    const clock = new HandClock();
    const asked: number[] = [];
    const ending = new AbortController();
    const fetch = createAgentFetch(new PageTimers(clock), (_id, offset) => asked.push(offset));
    return { clock, asked, ending, hear: fetch.hear, file: fetch.file('logo-one', ending.signal) };
  }

  it('come in parts; what is lost is asked for again, and what comes twice counts once', async () => {
    const { clock, asked, hear, file } = fetching();
    await clock.advance(LIMITS.attachmentPartMs);
    expect(asked).toEqual([0, 0]);
    hear(bytes('abc', 5));
    hear(bytes('abc', 5));
    await idle();
    expect(asked).toEqual([0, 0, 3]);
    hear(bytes('abc', 5));
    hear(bytes('de', 5, 3));
    expect(await (await file).text()).toBe('abcde');
    await clock.advance(LIMITS.attachmentPartMs);
    expect(asked).toEqual([0, 0, 3]);
    expect(clock.timers).toEqual([]);
  });

  it.each<[string, OUIAttachmentPart, RegExp]>([
    ['the agent does not have it', { requestId: 'r1', id: 'logo-one', error: 'expired' }, /^expired$/],
    ['it is too large', bytes('a', LIMITS.attachmentBytes + 1), /larger than the 16 MiB/],
    ['more came than there is', bytes('abc', 2), /broken/],
    ['nothing came of something', bytes('', 2), /broken/],
    ['it is no Base64', { ...bytes('', 2), data: '%' } as OUIAttachmentPart, /no Base64/],
  ])('cannot be had when %s', async (_what, part, message) => {
    const { hear, file, clock } = fetching();
    hear(part);
    await expect(file).rejects.toThrow(message);
    expect(clock.timers).toEqual([]);
  });

  it('are given up with the request', async () => {
    const { ending, file, clock } = fetching();
    ending.abort();
    await expect(file).rejects.toThrow('the request has ended');
    expect(clock.timers).toEqual([]);
  });
});

describe('a runtime', () => {
  it('hands what it opened to the handler, and answers the engine that asked', async () => {
    const handler = vi.fn((_params: object) => undefined);
    const options: SurfaceRuntimeOptions = { attachments: { resolve: () => png } };
    const { host, runtime } = await mountedBench(surfaceOf([{ id: 'set_logo', handler }]), options);
    await load();
    host.play({ kind: 'open-attachments', requestId: 'r1', uses: [use('logo-one')], fromAgent: false });
    await idle();
    expect(host.inputs.at(-1)).toEqual({ kind: 'attached', requestId: 'r1' });
    host.play(...running('r1', 'set_logo', { params: { logo: 'logo-one', size: 3 } }));
    await idle();
    expect(handler.mock.calls[0]?.[0]).toEqual({ logo: png, size: 3 });
    runtime.dispose();
  });

  it("shows the library of a schema the ids, as they were sent, and then puts in what was opened", async () => {
    const handler = vi.fn((_params: object) => undefined);
    const options: SurfaceRuntimeOptions = { attachments: { resolve: () => png } };
    const attachment = { format: 'oui-attachment', 'x-oui-attachment': { as: 'file' } };
    const input = z.object({ logo: z.string().meta(attachment), size: z.int().transform((size) => size * 2) });
    const { host, runtime } = await mountedBench(surfaceOf([{ id: 'set_logo', input, handler }]), options);
    await load();
    host.play({ kind: 'open-attachments', requestId: 'r1', uses: [use('logo-one')], fromAgent: false });
    await idle();
    host.play(...running('r1', 'set_logo', { params: { logo: 'logo-one', size: 3 } }));
    await idle();
    expect(handler.mock.calls[0]?.[0]).toEqual({ logo: png, size: 6 });
    runtime.dispose();
  });

  it('refuses an option that cannot open anything', () => {
    expect(() => createRuntime({ attachments: {} as never }, { hosts: () => [] })).toThrow(/attachments has no function/);
  });
});
