import { signal } from '@preact/signals-core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { resetWarnings } from '../../../src/protocol/warn-once.js';
import { defineSurface } from '../../../src/surface/definition/define-surface.js';
import { idle } from './hand-clock.js';
import { mountedBench, surfaceOf } from './runtime-bench.js';

beforeEach(() => {
  resetWarnings();
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
});

const SURFACE = surfaceOf([{ id: 'go_on' }], [
  { id: 'open_count' }, { id: 'last_name' }, { id: 'disk_use', updateFrequency: 'polling' },
]);

async function setUp() {
  const made = await mountedBench(SURFACE);
  const { host, runtime } = made;
  return {
    ...made,
    /** What the engine was told of one mount. */
    told: (mountId: number) => host.all('observe').flatMap((input) =>
      input.mountId === mountId ? [[input.observationId, input.value]] : []),
    shown: () => runtime.snapshot().observations['todo-app'],
  };
}

describe('a surface that is mounted again', () => {
  it('has its values at once, and the engine too', async () => {
    const { runtime, mounted, told, shown, host } = await setUp();
    mounted.pushObservation('open_count', 3);
    mounted.observe('last_name', signal('Ada'));
    await idle();
    mounted.unmount();
    expect(shown()).toBe(undefined);
    runtime.mount(SURFACE);
    expect(shown()).toEqual({ open_count: 3, last_name: 'Ada' });
    await idle();
    expect(told(2)).toEqual([['open_count', '3'], ['last_name', '"Ada"']]);
    expect(host.kinds().slice(-3)).toEqual(['mount', 'observe', 'observe']);
  });

  it('keeps what was pushed just before it left', async () => {
    const { runtime, mounted, shown } = await setUp();
    mounted.pushObservation('open_count', 3);
    mounted.unmount();
    runtime.mount(SURFACE);
    expect(shown()).toEqual({ open_count: 3 });
  });

  it('has them until it is told others; the same value again is none', async () => {
    const { runtime, mounted, told, shown, clock } = await setUp();
    mounted.pushObservation('open_count', 3);
    mounted.unmount();
    const again = runtime.mount(SURFACE);
    again.pushObservation('open_count', 3);
    await clock.advance(200);
    again.pushObservation('open_count', 4);
    await clock.advance(200);
    expect(told(2)).toEqual([['open_count', '3'], ['open_count', '4']]);
    again.unmount();
    runtime.mount(SURFACE);
    expect(shown()).toEqual({ open_count: 4 });
  });

  it('has them once: another mount beside it has none', async () => {
    const { runtime, mounted, told } = await setUp();
    mounted.pushObservation('open_count', 3);
    mounted.unmount();
    runtime.mount(SURFACE);
    runtime.mount(SURFACE);
    await idle();
    expect(told(2)).toHaveLength(1);
    expect(told(3)).toEqual([]);
  });

  it('does not have what it no longer declares, nor what is read when it is asked for', async () => {
    const { runtime, mounted, host, told } = await setUp();
    mounted.pushObservation('open_count', 3);
    mounted.pushObservation('last_name', 'Ada');
    mounted.observe('disk_use', () => 7);
    host.play({ kind: 'read', mountId: 1, observationId: 'disk_use' });
    mounted.unmount();
    runtime.mount(surfaceOf([{ id: 'go_on' }], [{ id: 'open_count' }, { id: 'disk_use', updateFrequency: 'polling' }]));
    await idle();
    expect(told(2)).toEqual([['open_count', '3']]);
  });

  it('for another entity has none of the first one\'s', async () => {
    const { runtime, host } = await setUp();
    const of = (entityId: string) => defineSurface({
      id: 'clip-page',
      name: 'Clip',
      description: 'One clip.',
      activation: { entity: { type: 'clip', id: entityId } },
      actions: [{ id: 'go_on', description: 'Goes on.', input: {}, handler: () => undefined }],
      observations: [{ id: 'title_now', description: 'Its title.', schema: {} }],
    });
    const first = runtime.mount(of('a'));
    first.pushObservation('title_now', 'A');
    first.unmount();
    const second = runtime.mount(of('b'));
    expect(runtime.snapshot().observations).toEqual({});
    second.unmount();
    runtime.mount(of('a'));
    expect(runtime.snapshot().observations).toEqual({ 'clip-page': { title_now: 'A' } });
    await idle();
    expect(host.all('observe').map(({ mountId }) => mountId)).toEqual([4]);
  });

  it('has none after a sign-out', async () => {
    const { runtime, mounted, shown } = await setUp();
    mounted.pushObservation('open_count', 3);
    mounted.unmount();
    void runtime.forget().catch(() => {});
    runtime.mount(SURFACE);
    expect(shown()).toBe(undefined);
  });

  it('is one of a hundred of which values are kept', async () => {
    const { runtime } = await setUp();
    const of = (index: number) => surfaceOf([{ id: 'go_on' }], [{ id: 'open_count' }], `page-${index}`);
    for (let index = 0; index <= 100; index++) {
      const each = runtime.mount(of(index));
      each.pushObservation('open_count', index);
      each.unmount();
    }
    runtime.mount(of(0));
    runtime.mount(of(1));
    expect(runtime.snapshot().observations).toEqual({ 'page-1': { open_count: 1 } });
  });
});

it('a surface that its user switched off and on again has its values', async () => {
  const { runtime, mounted, shown } = await setUp();
  mounted.pushObservation('open_count', 3);
  runtime.consent.set('todo-app', null, false);
  expect(shown()).toBe(undefined);
  mounted.pushObservation('open_count', 4);
  runtime.consent.set('todo-app', null, true);
  expect(shown()).toEqual({ open_count: 4 });
});
