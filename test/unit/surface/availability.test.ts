import { batch, signal } from '@preact/signals-core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { MockInstance } from 'vitest';
import * as engine from '../../../src/entries/engine.js';
import { resetWarnings } from '../../../src/protocol/warn-once.js';
import { surfacesHash } from '../../../src/rules/surfaces-hash.js';
import { createRuntime } from '../../../src/surface/create-runtime.js';
import { defineSurface } from '../../../src/surface/definition/define-surface.js';
import type { ActionDefinition } from '../../../src/surface/definition/definition.js';
import { createInProcessHostFactory } from '../../../src/surface/link/in-process-host.js';
import type { SurfaceRuntime } from '../../../src/surface/runtime.js';
import type { OUIEvent } from '../../../src/protocol/events.js';
import { createDirectTransportPair } from '../../../src/transports/direct.js';
import { idle } from './hand-clock.js';
import { mountedBench, running, surfaceOf } from './runtime-bench.js';

interface List {
  readonly selected: number;
}
type Enabled = NonNullable<ActionDefinition<List>['enabled']>;

let warn: MockInstance<typeof console.warn>;
beforeEach(() => {
  resetWarnings();
  warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
});
afterEach(() => warn.mockRestore());

const needsOne: Enabled = ({ selected }) => selected > 0 || 'nothing is selected';
const listOf = (enabled: Enabled, handler = vi.fn(), more: object = {}) =>
  surfaceOf<List>([
    { id: 'delete_it', enabled, handler, ...more },
    { id: 'go_on' },
  ]);
const offered = (runtime: SurfaceRuntime, id = 'delete_it') =>
  runtime.snapshot().surfaces?.[0]?.actions.find((action) => action.id === id);

describe('an action whose enabled is a function', () => {
  it('is offered with what it says of the context, and its reason', async () => {
    const { runtime, host } = await mountedBench(listOf(needsOne), {}, () => ({ selected: 0 }));
    const disabled = { enabled: false, disabledReason: 'nothing is selected' };
    expect(host.last('mount')?.surface.actions).toMatchObject([disabled, { id: 'go_on' }]);
    expect(offered(runtime)).toMatchObject(disabled);
    expect(offered(runtime, 'go_on')).not.toHaveProperty('enabled');
  });

  it.each<[string, Enabled, object, object | undefined]>([
    ['true', () => true, {}, undefined],
    ['false', () => false, {}, { enabled: false }],
    ['false, with a reason of the definition', () => false, { disabledReason: 'why' }, { enabled: false, disabledReason: 'why' }],
    ['an empty text', () => '', {}, { enabled: false }],
    ['a text', () => 'now', { disabledReason: 'why' }, { enabled: false, disabledReason: 'now' }],
  ])('that says %s', async (_what, enabled, more, expected) => {
    const { runtime } = await mountedBench(listOf(enabled, vi.fn(), more), {}, () => ({ selected: 0 }));
    const { enabled: is, disabledReason } = offered(runtime)!;
    const got = { ...(is !== undefined && { enabled: is }), ...(disabledReason !== undefined && { disabledReason }) };
    expect(got).toEqual(expected ?? {});
  });

  it('is asked again when a signal changes, and the engine hears of it once', async () => {
    const selected = signal(0);
    const other = signal(0);
    const { runtime, host } = await mountedBench(listOf(needsOne), {}, () => ({ selected: selected.value }));
    const before = runtime.snapshot().surfacesHash;
    batch(() => {
      selected.value = 1;
      other.value = 1;
    });
    expect(offered(runtime)).not.toHaveProperty('enabled');
    selected.value = 0;
    selected.value = 2;
    expect(host.all('define')).toEqual([]);
    await idle();
    expect(host.all('define')).toHaveLength(1);
    const { surfaces, surfacesHash: hash } = runtime.snapshot();
    expect(host.last('define')?.surface).toEqual(surfaces?.[0]);
    expect(hash).not.toBe(before);
    expect(hash).toBe(surfacesHash(surfaces!));
    selected.value = 3;
    await idle();
    expect(host.all('define')).toHaveLength(1);
  });

  it('is asked again after every handler, before its result', async () => {
    let selected = 1;
    const handler = vi.fn(() => void (selected = 0));
    const { host } = await mountedBench(listOf(needsOne, handler), {}, () => ({ selected }));
    host.play(...running('r1', 'delete_it'));
    await idle();
    expect(handler).toHaveBeenCalledOnce();
    const kinds = host.kinds();
    expect(kinds.indexOf('define')).toBeGreaterThan(0);
    expect(kinds.indexOf('define')).toBeLessThan(kinds.indexOf('settled'));
  });

  it('is asked again by refresh and by update, and never after it was unmounted', async () => {
    let selected = 0;
    const tick = signal(0);
    const enabled = vi.fn((context: List): boolean | string => tick.value >= 0 && needsOneOf(context));
    const needsOneOf = ({ selected: count }: List) => count > 0;
    const { runtime, host, mounted } = await mountedBench(listOf(enabled), {}, () => ({ selected }));
    selected = 1;
    mounted.refresh();
    mounted.refresh();
    await idle();
    expect(host.all('define')).toHaveLength(1);
    selected = 0;
    mounted.update(listOf(enabled));
    mounted.update(listOf(enabled));
    await idle();
    expect(host.all('define')).toHaveLength(2);
    expect(offered(runtime)?.enabled).toBe(false);
    mounted.update(surfaceOf<List>([{ id: 'delete_it' }, { id: 'go_on' }]));
    expect(offered(runtime)).not.toHaveProperty('enabled');
    mounted.update(listOf(enabled));
    await idle();
    mounted.unmount();
    const asked = enabled.mock.calls.length;
    tick.value = 1;
    mounted.refresh();
    runtime.dispose();
    expect(enabled).toHaveBeenCalledTimes(asked);
  });

  it('follows the signals of another context after refresh', async () => {
    const contexts = [signal(0), signal(0)] as const;
    let at: 0 | 1 = 0;
    const { runtime, mounted } = await mountedBench(listOf(needsOne), {}, () => ({ selected: contexts[at].value }));
    at = 1;
    mounted.refresh();
    contexts[1].value = 1;
    expect(offered(runtime)).not.toHaveProperty('enabled');
  });

  it('counts as not available when it or the context getter throws, with one warning', async () => {
    const broken: Enabled = () => {
      throw new Error('no store');
    };
    const { runtime, mounted } = await mountedBench(listOf(broken), {}, () => ({ selected: 0 }));
    mounted.refresh();
    expect(offered(runtime)).toMatchObject({ enabled: false, disabledReason: expect.stringContaining('no store') as string });
    expect(warn).toHaveBeenCalledOnce();
    expect(warn.mock.calls[0]?.[0]).toMatch(/^\[OUI1014\] Action "delete_it" of surface "todo-app"/);
    runtime.dispose();

    const second = await mountedBench(listOf(needsOne), {}, () => {
      throw new Error('no context');
    });
    expect(offered(second.runtime)).toMatchObject({ enabled: false });
  });

  it('does not start when it turned false after the engine looked', async () => {
    let selected = 1;
    const handler = vi.fn();
    const { host } = await mountedBench(listOf(needsOne, handler), {}, () => ({ selected }));
    host.play(...running('r1', 'delete_it'));
    selected = 0;
    await idle();
    expect(handler).not.toHaveBeenCalled();
    expect(host.last('returned')?.outcome).toMatchObject({
      success: false,
      error: { code: 'PRECONDITION_FAILED', details: { ran: false, reason: 'nothing is selected' } },
    });
  });

  it('must be a function, true or false', () => {
    expect(() => listOf('yes' as never)).toThrow(/action "delete_it": enabled must be true, false or a function/);
  });
});

describe('an agent', () => {
  it('hears of the change in one registration, and of the hash in results', async () => {
    const selected = signal(0);
    const { page: pageEnd, agent: agentEnd } = createDirectTransportPair();
    const heard: OUIEvent[] = [];
    agentEnd.onEvent((message) => heard.push(message as OUIEvent));
    const connected = agentEnd.connect();
    const runtime = createRuntime(
      { transport: pageEnd },
      { hosts: () => [createInProcessHostFactory({ engine })] },
    );
    const surface = defineSurface<List>({
      id: 'todo-app',
      name: 'Todos',
      description: 'A list.',
      actions: [{ id: 'delete_it', description: 'Deletes.', input: {}, effect: 'view', enabled: needsOne, handler: () => 1 }],
    });
    runtime.mount(surface, () => ({ selected: selected.value }));
    await connected;
    const call = { surfaceId: 'todo-app', actionId: 'delete_it' };
    const before = await runtime.execute(call);
    expect(before.error).toMatchObject({ code: 'PRECONDITION_FAILED', details: { reason: 'nothing is selected' } });
    selected.value = 1;
    selected.value = 0;
    selected.value = 2;
    const after = await runtime.execute(call);
    expect(after).toMatchObject({ success: true, data: 1 });
    expect(after.surfacesHash).not.toBe(before.surfacesHash);
    const registrations = heard.filter(({ type }) => type === 'surface:register');
    expect(registrations).toMatchObject([
      { payload: { surface: { actions: [{ enabled: false }] } } },
      { payload: { surface: { id: 'todo-app' } } },
    ]);
    runtime.dispose();
  });
});
