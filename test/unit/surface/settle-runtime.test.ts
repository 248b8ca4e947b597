import { describe, expect, it } from 'vitest';
import type { ActionCall, ActionDefinition } from '../../../src/surface/definition/definition.js';
import type { SurfaceRuntimeOptions } from '../../../src/surface/runtime-options.js';
import { mountedBench, running, surfaceOf } from './runtime-bench.js';

const observations = [{ id: 'open_count' }, { id: 'clock', updateFrequency: 'realtime' }] as const;

/** A request whose handler has returned, waiting for the page to settle. */
async function setUp(options: SurfaceRuntimeOptions = {}, handler: ActionDefinition['handler'] = () => undefined) {
  const made = await mountedBench(surfaceOf([{ id: 'go_on', handler }], observations), options);
  made.host.play(...running('r1', 'go_on', { settle: 'quiet' }));
  await made.clock.advance(0);
  const { clock, host } = made;
  const settled = (): (boolean | undefined)[] => host.all('settled').map((input) => input.settled);
  /** Whether the result waits for this long from now, and then goes. */
  const settlesAfter = async (ms: number): Promise<boolean> => {
    await clock.advance(ms - 1);
    const waited = settled().length === 0;
    await clock.advance(1);
    return waited && settled()[0] === true;
  };
  return { ...made, settled, settlesAfter };
}

describe('what begins the window of quiet anew', () => {
  it('a mount, and an unmount', async () => {
    const { runtime, clock, settlesAfter } = await setUp();
    await clock.advance(200);
    const { unmount } = runtime.mount(surfaceOf([{ id: 'go_on' }], [], 'other-one'));
    await clock.advance(200);
    unmount();
    unmount();
    expect(await settlesAfter(250)).toBe(true);
  });

  it('an observation that was pushed or whose source changed, equal values not', async () => {
    const { mounted, clock, settlesAfter } = await setUp();
    let tell = (): void => {};
    await clock.advance(200);
    mounted.pushObservation('open_count', [1]);
    await clock.advance(200);
    mounted.observe('open_count', { get: () => [1, 2], subscribe: (notify: () => void) => void (tell = notify) });
    await clock.advance(200);
    tell();
    mounted.pushObservation('open_count', [1, 2]);
    expect(await settlesAfter(50)).toBe(true);
  });

  it('not an observation declared realtime', async () => {
    const { mounted, clock, settlesAfter } = await setUp();
    await clock.advance(200);
    mounted.pushObservation('clock', 1);
    expect(await settlesAfter(50)).toBe(true);
  });

  it('not the status of a job', async () => {
    let call: ActionCall | undefined;
    const { host, clock } = await setUp({}, (_params, _context, given) => {
      call ??= given;
      return given === call ? new Promise(() => undefined) : undefined;
    });
    host.play(...running('r2', 'go_on', { settle: 'quiet' }));
    await clock.advance(200);
    call!.progress({ percent: 40 });
    expect(host.last('progress')?.requestId).toBe('r1');
    await clock.advance(50);
    expect(host.all('settled').map(({ requestId }) => requestId)).toEqual(['r2']);
  });
});

describe('options', () => {
  it('the window and the deadline of settling', async () => {
    const { runtime, clock, settlesAfter } = await setUp({ settle: { quietMs: 40, timeoutMs: 900 } });
    expect(await settlesAfter(40)).toBe(true);
    const held = await setUp({ settle: { quietMs: 40, timeoutMs: 900 } });
    held.runtime.hold();
    await held.clock.advance(899);
    expect(held.settled()).toEqual([]);
    await held.clock.advance(1);
    expect(held.settled()).toEqual([false]);
    runtime.dispose();
    await clock.advance(1000);
  });

  it('track: the page\'s work is listened to while an action runs', async () => {
    const before = globalThis.setTimeout;
    const tracked = await setUp({ settle: { track: true } });
    expect(globalThis.setTimeout).not.toBe(before);
    tracked.mounted.pushObservation('open_count', 1);
    await tracked.clock.advance(20);
    await tracked.clock.paint();
    await tracked.clock.paint();
    expect(tracked.settled()).toEqual([true]);
    expect(globalThis.setTimeout).toBe(before);
    await setUp();
    expect(globalThis.setTimeout).toBe(before);
  });
});
