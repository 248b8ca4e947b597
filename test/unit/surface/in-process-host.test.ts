import { describe, expect, it, vi } from 'vitest';
import { signal } from '@preact/signals-core';
import { createDriver } from '../../../src/engine/driver.js';
import { createPageWiring } from '../../../src/entries/page-wiring.js';
import type { EngineEffect } from '../../../src/protocol/engine-messages.js';
import type { Transport } from '../../../src/protocol/ports.js';
import { defineSurface } from '../../../src/surface/definition/define-surface.js';
import { createInProcessHostFactory } from '../../../src/surface/link/in-process-host.js';
import type { InProcessHostOptions } from '../../../src/surface/link/in-process-host.js';
import { createRuntime } from '../../../src/surface/create-runtime.js';
import type { SurfaceRuntimeOptions } from '../../../src/surface/runtime-options.js';
import { createDirectTransportPair } from '../../../src/transports/direct.js';
import { createInterpretedValidator } from '../../../src/validation/interpreted.js';
import { engineConfig } from '../../../src/surface/runtime-options.js';
import { idle } from './hand-clock.js';

const engine = { createDriver, createInterpretedValidator };

interface Todos {
  add(title: string): number;
}

function todoSurface() {
  return defineSurface<Todos>({
    id: 'todo-app',
    name: 'Todos',
    description: 'Create tasks.',
    actions: [
      {
        id: 'add_todo',
        description: 'Add a todo.',
        input: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
        handler: ({ title }: { title: string }, { add }) => ({ id: add(title) }),
      },
      {
        id: 'add_two',
        description: 'Add two todos.',
        input: { type: 'object' },
        effect: 'view',
        async handler(_params, _context, { execute }) {
          const one = { surfaceId: 'todo-app', actionId: 'add_todo', params: { title: 'x' } };
          return [await execute(one), await execute(one)].map(({ data }) => data);
        },
      },
    ],
    observations: [{ id: 'todo_list', description: 'All of them.', schema: { type: 'array' } }],
  });
}

function page(options: SurfaceRuntimeOptions = {}, host: Partial<InProcessHostOptions> = {}) {
  const todos = signal<readonly string[]>([]);
  const runtime = createRuntime(
    { settle: { quietMs: 5 }, ...options },
    { hosts: () => [createInProcessHostFactory({ engine, ...host })] },
  );
  const mounted = runtime.mount(todoSurface(), () => ({
    add: (title) => (todos.value = [...todos.value, title]).length,
  }));
  mounted.observe('todo_list', todos);
  return { runtime, todos };
}

const add = { surfaceId: 'todo-app', actionId: 'add_todo', params: { title: 'Milk' } };

describe('the engine in this thread', () => {
  it('answers calls of the page', async () => {
    const { runtime } = page();
    const result = await runtime.execute(add);
    expect(result).toMatchObject({
      success: true,
      data: { id: 1 },
      settled: true,
      surfacesHash: runtime.snapshot().surfacesHash,
    });
    expect(runtime.snapshot().observations).toEqual({ 'todo-app': { todo_list: ['Milk'] } });
    expect((await runtime.execute({ ...add, params: {} })).error).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { errors: [expect.objectContaining({ path: '/title' })] },
    });
    expect(runtime.engine).toBe('in-process');
    runtime.dispose();
  });

  it('runs one action within another', async () => {
    const { runtime } = page();
    const { data } = await runtime.execute({ surfaceId: 'todo-app', actionId: 'add_two' });
    expect(data).toEqual([{ id: 1 }, { id: 2 }]);
    runtime.dispose();
  });

  it.each(['attached by the page', 'owned by the engine'])('answers an agent over a transport %s', async (owner) => {
    const pair = createDirectTransportPair();
    const messages: { type: string; payload: { requestId?: string } }[] = [];
    pair.agent.onEvent((message) => messages.push(message as (typeof messages)[number]));
    void pair.agent.connect();
    const { runtime } = owner.startsWith('attached')
      ? page({ transport: pair.page })
      : page({}, { createTransport: () => pair.page });
    const connected = new Promise<void>((resolve) => {
      runtime.subscribe((event) => event.type === 'connection' && event.state === 'connected' && resolve());
      if (runtime.connection === 'connected') resolve();
    });
    await connected;
    const answered = new Promise<void>((resolve) => {
      pair.agent.onEvent((message) => (message as { type: string }).type === 'action:result' && resolve());
    });
    const payload = { ...add, requestId: 'r1', timestamp: 1 };
    pair.agent.send({ type: 'action:request', payload });
    await answered;
    expect(messages.map(({ type }) => type)).toEqual(
      ['x-oui:hello', 'surface:register', 'observation:update', 'observation:update', 'action:result'],
    );
    const { surfaces, observations } = runtime.snapshot();
    expect(messages.at(-1)!.payload).toMatchObject({
      requestId: 'r1',
      success: true,
      data: { id: 1 },
      surfaces,
      observations,
    });
    expect(observations).toEqual({ 'todo-app': { todo_list: ['Milk'] } });
    const left = new Promise<void>((resolve) => pair.agent.onState((state) => state !== 'connected' && resolve()));
    runtime.dispose();
    await left;
    expect(messages.at(-1)!.type).toBe('surface:deregister');
  });

  it('goes on with another engine when one breaks', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    let engines = 0;
    const fragile: typeof createDriver = (ports) => {
      const driver = createDriver(ports);
      const breaks = ++engines === 1;
      return {
        ...driver,
        post(inputs) {
          driver.post(inputs);
          if (breaks && inputs.some(({ kind }) => kind === 'returned')) throw new Error('engine fault');
        },
      };
    };
    const { runtime, todos } = page({}, { engine: { ...engine, createDriver: fragile } });
    expect(await runtime.execute(add)).toMatchObject({ success: true, data: { id: 1 } });
    expect(engines).toBe(2);
    expect(todos.value).toEqual(['Milk']);
    runtime.dispose();
    vi.restoreAllMocks();
  });

  it('says why when its code cannot be loaded', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    const wiring = createPageWiring({
      workerUrl: () => new URL('https://page.example/oui.worker.js'),
      extrasUrl: () => new URL('https://page.example/oui.extras.js'),
      loadEngine: () => Promise.reject(new Error('404 for oui.engine.js')),
      loadAttachments: () => Promise.reject(new Error('404 for oui.attachments.js')),
      loadCompiler: () => Promise.reject(new Error('not asked for')),
      compilerUrl: () => new URL('https://page.example/oui.compiler.js'),
      validator: 'interpreted',
      loadAdvice: () => import('../../../src/entries/advice.js'),
    });
    const runtime = createRuntime({ worker: false }, wiring);
    expect((await runtime.execute(add)).error?.message).toContain('404 for oui.engine.js');
    vi.restoreAllMocks();
  });
});

describe('the host', () => {
  it('hands over what one task brought together, never within the call', async () => {
    const batches: string[][] = [];
    const disconnect = vi.fn();
    const effects = vi.fn<(effects: readonly EngineEffect[]) => void>();
    const factory = createInProcessHostFactory({
      engine: {
        ...engine,
        createDriver: (ports) => {
          const driver = createDriver(ports);
          return { ...driver, post: (inputs) => (batches.push(inputs.map(({ kind }) => kind)), driver.post(inputs)) };
        },
      },
      createTransport: () => {
        const ignore = () => () => {};
        return { onEvent: ignore, onState: ignore, connect: () => Promise.resolve(), disconnect } as never as Transport;
      },
    });
    const host = await factory.open({ effects, lost: () => {} });
    host.post([]);
    host.post([{ kind: 'configure', config: engineConfig({}) }]);
    host.post([{ kind: 'pause' }, { kind: 'dispose' }]);
    expect(batches).toEqual([]);
    await idle();
    expect(batches).toEqual([['configure', 'pause', 'dispose']]);
    expect(effects).toHaveBeenCalledExactlyOnceWith([{ kind: 'closed' }]);
    host.post([{ kind: 'dispose' }]);
    // After the engine has had it, before the page has.
    queueMicrotask(() => host.close());
    await idle();
    expect(batches).toHaveLength(2);
    expect(effects).toHaveBeenCalledTimes(1);
    host.post([{ kind: 'resume' }]);
    host.close();
    host.close();
    await idle();
    expect(batches).toHaveLength(2);
    expect(disconnect).toHaveBeenCalledTimes(1);
  });
});
