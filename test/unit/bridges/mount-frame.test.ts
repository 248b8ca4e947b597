import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { mountFrame } from '../../../src/entries/plugins.js';
import * as LIMITS from '../../../src/protocol/limits.js';
import { Plugin } from '../../../src/bridges/plugin.js';
import { createDirectTransportPair } from '../../../src/entries/transport.js';
import { endAll, openPage } from './plugin-page.js';

afterEach(endAll);

describe('a frame', () => {
  /** As much of an iframe as is looked at. */
  const frame = (src: string, more: object = {}) => ({
    src,
    contentWindow: null,
    getAttribute: (name: string) => (name === 'src' && src) || null,
    hasAttribute: () => false,
    ...more,
  }) as unknown as HTMLIFrameElement;
  const { runtime } = openPage();
  const mount = (src: string, allowOrigin: string, more?: object) => () =>
    mountFrame(runtime, frame(src, more), { allowOrigin, prefix: 'maps' });

  it('is refused when its address is of an origin that was not named', () => {
    expect(mount('https://evil.example/map', 'https://maps.example')).toThrow(
      'The frame\'s src is of https://evil.example, and what is allowed is https://maps.example: nothing is taken from it. '
        + 'Give the address that it ends up at, and its origin.',
    );
    for (const src of ['https://maps.example.evil.example/', 'http://maps.example/', 'https://maps.example:444/', 'data:text/html,']) {
      expect(mount(src, 'https://maps.example'), src).toThrow(TypeError);
    }
  });

  it('is refused when its sandbox takes the origin away that it is to have', () => {
    const sandboxed = (allowOrigin: string, sandbox: string) => {
      const src = 'https://maps.example/map';
      return mount(src, allowOrigin, { getAttribute: (name: string) => (name === 'sandbox' ? sandbox : src) });
    };
    for (const sandbox of ['', 'allow-scripts', 'allow-scripts not-allow-same-origin']) {
      expect(sandboxed('https://maps.example', sandbox), sandbox).toThrow('The frame\'s sandbox is without allow-same-origin');
    }
    expect(sandboxed('https://maps.example', 'allow-scripts Allow-Same-Origin')).toThrow('has no window yet');
    expect(sandboxed('opaque', 'allow-scripts')).toThrow('has no window yet');
  });

  it('is taken with what it loads, which is not its src, and has to be in a document', () => {
    const notThere = 'The frame has no window yet: put it into the document before it is mounted.';
    expect(mount('https://maps.example/map', 'https://maps.example')).toThrow(notThere);
    expect(mount('https://any.example/', 'opaque')).toThrow(notThere);
    expect(mount('https://any.example/', 'https://maps.example', { hasAttribute: () => true })).toThrow(notThere);
  });
});

describe('a document that was loaded where a plugin is', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] }));
  afterEach(() => void vi.useRealTimers());
  const pass = async (): Promise<void> => {
    for (let turn = 0; turn < 10; turn += 1) await vi.advanceTimersByTimeAsync(0);
  };
  const surface = { id: 'route-map', name: 'R', description: 'R', actions: [{ id: 'do_it', description: 'D', input: {} }] };

  async function connected() {
    const { runtime } = openPage();
    const { page, agent } = createDirectTransportPair();
    const told: unknown[] = [];
    const onConnection = (...args: unknown[]): void => void told.push(args);
    const plugin = new Plugin(runtime, { prefix: 'maps', onConnection });
    plugin.attach(agent);
    const asked: string[] = [];
    page.onEvent((event) => {
      const { type, payload } = event as { type: string; payload: { requestId: string } };
      if (type === 'action:request') asked.push(payload.requestId);
    });
    await page.connect();
    const send = async (type: string, payload: object): Promise<void> => {
      page.send({ type, payload } as never);
      await pass();
    };
    await send('surface:register', { surface, timestamp: 1 });
    expect(plugin.surfaceIds).toEqual(['maps--route-map']);
    return { plugin, asked, send, told };
  }

  it('keeps its surfaces while it gives a sign of life, whatever that says', async () => {
    const { plugin, asked, send, told } = await connected();
    plugin.documentLoaded();
    await pass();
    const error = { code: 'SURFACE_UNAVAILABLE', message: 'There is no "oui"' };
    await send('action:result', { requestId: asked[0]!, success: false, error, timestamp: 2 });
    await vi.advanceTimersByTimeAsync(LIMITS.frameCheckMs);
    expect(plugin).toMatchObject({ connected: true, surfaceIds: ['maps--route-map'] });
    expect(told).toEqual([[true, undefined]]);
  });

  it('loses them when it gives none in time, and has them back with its first word', async () => {
    const { plugin, send, told } = await connected();
    plugin.documentLoaded();
    await vi.advanceTimersByTimeAsync(LIMITS.frameCheckMs - 1);
    expect(plugin.connected).toBe(true);
    await vi.advanceTimersByTimeAsync(1);
    expect(plugin).toMatchObject({ connected: false, surfaceIds: [] });
    await send('x-still-here', {});
    expect(plugin).toMatchObject({ connected: true, surfaceIds: ['maps--route-map'] });
    expect(told).toEqual([[true, undefined], [false, 'it gives no sign of life'], [true, undefined]]);
  });

  it('loses them at once when the connection was there at the document before it', async () => {
    const { plugin, asked, send } = await connected();
    plugin.documentLoaded();
    await pass();
    await send('action:result', { requestId: asked[0]!, success: true, timestamp: 2 });
    plugin.documentLoaded();
    expect(plugin).toMatchObject({ connected: false, surfaceIds: [] });
  });
});
