import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { MockInstance } from 'vitest';
import * as module from '../../../src/entries/advice.js';
import { createSurfaceRuntime } from '../../../src/entries/core.js';
import { resetWarnings } from '../../../src/protocol/warn-once.js';
import { createAdviser } from '../../../src/surface/definition/advice.js';
import { defineSurface } from '../../../src/surface/definition/define-surface.js';
import { until } from '../../until.js';

let warn: MockInstance<typeof console.warn>;
beforeEach(() => {
  resetWarnings();
  warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
});
afterEach(() => {
  warn.mockRestore();
  vi.unstubAllGlobals();
});

const input = { type: 'object', properties: { text: { type: 'string', pattern: '^(a+)+$' } } };
const surfaceOf = (id: string) =>
  defineSurface({
    id,
    name: 'Notes',
    description: 'Notes that can be searched.',
    actions: [{ id: 'search', description: 'Finds notes by a pattern.', input, handler: () => [] }],
  });
const tidy = defineSurface({
  id: 'tidy',
  name: 'Tidy',
  description: 'Nothing to say about it.',
  actions: [{ id: 'ping_it', description: 'Answers with a word.', input: { type: 'object', properties: {} }, handler: () => 'x' }],
});

describe('advice for authors', () => {
  it('comes after a mount, in one warning for each surface, in Node too', async () => {
    const runtime = createSurfaceRuntime();
    const surface = surfaceOf('notes');
    runtime.mount(surface).unmount();
    runtime.mount(surface);
    runtime.mount(tidy);
    await until(() => expect(warn).toHaveBeenCalled());
    runtime.dispose();
    const advice = warn.mock.calls.map(([text]) => text).filter((text) => text.startsWith('[OUI1305]'));
    expect(advice).toHaveLength(1);
    expect(advice[0]).toMatch(/^\[OUI1305\] Surface "notes" could be better for agents:\n/);
    expect(advice[0]).toMatch(/action "search" \/input\/properties\/text has no description.*\(property-description\)/);
    expect(advice[0]).toMatch(/\/input\/properties\/text is a text without a maxLength.*\(max-length\)/);
    expect(advice[0]).toMatch(/\/input\/properties\/text\/pattern .*\(exponential-pattern\)/);
  });

  it('loads what finds it once, and only when something is mounted', async () => {
    const load = vi.fn(() => Promise.resolve(module));
    const advise = createAdviser(load);
    expect(load).not.toHaveBeenCalled();
    advise(surfaceOf('one-note'));
    advise(surfaceOf('two-notes'));
    await load.mock.results[0]!.value;
    await Promise.resolve();
    expect(load).toHaveBeenCalledOnce();
    expect(warn).toHaveBeenCalledTimes(2);
  });

  it.each<[hostname: string, loads: boolean]>([
    ['localhost', true], ['app.localhost', true], ['127.0.0.1', true], ['[::1]', true], ['', true],
    ['app.example', false], ['localhost.example', false], ['127.example', false],
  ])('is for the author\'s own machine: %j', (hostname, loads) => {
    vi.stubGlobal('location', { hostname });
    const load = vi.fn(() => Promise.resolve(module));
    createAdviser(load)(surfaceOf('notes'));
    expect(load).toHaveBeenCalledTimes(loads ? 1 : 0);
  });

  it('is an option: false for nobody, true everywhere', () => {
    vi.stubGlobal('location', { hostname: 'app.example' });
    const load = vi.fn(() => Promise.resolve(module));
    createAdviser(load, true)(surfaceOf('notes'));
    expect(load).toHaveBeenCalledOnce();
    vi.stubGlobal('location', { hostname: 'localhost' });
    createAdviser(load, false)(surfaceOf('notes'));
    expect(load).toHaveBeenCalledOnce();
  });

  it('names five pieces each of three surfaces; the command has them all', async () => {
    const properties = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`text_${index}`, { type: 'string' }]));
    const advise = createAdviser(() => Promise.resolve(module));
    for (const id of ['one-note', 'two-notes', 'three-notes', 'four-notes']) {
      const actions = [{ id: 'search', description: 'Finds notes.', input: { type: 'object', properties }, handler: () => [] }];
      advise(defineSurface({ id, name: 'Notes', description: 'Notes that can be searched.', actions }));
    }
    await until(() => expect(warn).toHaveBeenCalledTimes(3));
    const lines = warn.mock.calls[0]![0].split('\n');
    expect(lines).toHaveLength(7);
    expect(lines[6]).toMatch(/^  and \d+ more, all of which "npx oui-elements validate" prints$/);
  });

  it('is not missed where its file is not', async () => {
    const load = vi.fn(() => Promise.reject(new Error('404')));
    createAdviser(load)(surfaceOf('notes'));
    await expect(load.mock.results[0]!.value).rejects.toThrow();
    await Promise.resolve();
    expect(warn).not.toHaveBeenCalled();
  });
});
