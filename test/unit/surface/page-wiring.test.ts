import { afterEach, describe, expect, it, vi } from 'vitest';
import { createPageWiring } from '../../../src/entries/page-wiring.js';
import type { SurfaceRuntimeOptions } from '../../../src/surface/runtime-options.js';
import { createDirectTransportPair } from '../../../src/transports/direct.js';
import { createSocketPair } from '../transports/socket-pair.js';

afterEach(() => vi.unstubAllGlobals());

const nowhere = (): Promise<never> => Promise.reject(new Error('Not here.'));
const wiring = createPageWiring({
  workerUrl: () => new URL('https://app.example/oui.worker.js'),
  extrasUrl: () => new URL('https://app.example/oui.extras.js'),
  compilerUrl: () => new URL('https://app.example/oui.compiler.js'),
  validator: 'interpreted',
  loadEngine: nowhere,
  loadAttachments: nowhere,
  loadCompiler: nowhere,
  loadAdvice: nowhere,
});
const kinds = (options: SurfaceRuntimeOptions): string[] => wiring.hosts(options).map(({ kind }) => kind);

describe('where the engine of a page runs', () => {
  const socket = createSocketPair().client;
  const transport = createDirectTransportPair().page;

  it.each<[string, SurfaceRuntimeOptions, string[]]>([
    ['a worker that owns the connection', { url: 'wss://agent.example/oui/v1' }, ['worker', 'in-process']],
    ['a worker while nothing is known of the connection', { transport: { namespace: 'a' } }, ['worker', 'in-process']],
    ['the page, with a socket of its own', { socket }, ['in-process']],
    ['the page, with a transport of its own', { transport }, ['in-process']],
    ['a worker all the same, by choice', { socket, worker: true }, ['worker', 'in-process']],
    ['the page, by choice', { url: 'wss://agent.example/oui/v1', worker: false }, ['in-process']],
  ])('is %s', (_where, options, expected) => {
    vi.stubGlobal('Worker', class {});
    expect(kinds(options)).toEqual(expected);
  });

  it('is the page where there are no workers', () => expect(kinds({ url: 'wss://agent.example/' })).toEqual(['in-process']));
});
