import { describe, expect, it } from 'vitest';
import type { InspectionEvent } from '../../../src/surface/inspection.js';
import { idle } from './hand-clock.js';
import { bench, mountedBench, surfaceOf } from './runtime-bench.js';

const surface = surfaceOf([{ id: 'go_on', enabled: false, disabledReason: 'not yet' }], [{ id: 'open_count' }]);
const frame = { direction: 'in', type: 'x-a', bytes: 9, payload: '{}', at: 1 } as const;

describe('a look into a runtime', () => {
  it('asks the engine for frames once, for as many as look, and not any more when the last has gone', async () => {
    const { runtime, host } = await mountedBench(surface);
    const watched = (): boolean[] =>
      host.inputs.flatMap((input) => (input.kind === 'watch-frames' ? [input.on] : []));
    const seen: InspectionEvent[] = [];
    const [first, second] = [runtime.inspect((event) => seen.push(event)), runtime.inspect(() => {})];
    await idle();
    expect(watched()).toEqual([true]);
    host.play({ kind: 'frame', frame });
    expect(seen).toEqual([{ type: 'frame', frame }]);
    first.release();
    first.release();
    host.play({ kind: 'frame', frame });
    expect(seen).toHaveLength(1);
    await idle();
    expect(watched()).toEqual([true]);
    second.release();
    await idle();
    expect(watched()).toEqual([true, false]);
  });

  it('is told to an engine that takes over', async () => {
    const made = bench();
    made.runtime.mount(surface);
    made.runtime.inspect(() => {});
    await idle();
    const before = made.worker.host;
    expect(before.inputs.filter(({ kind }) => kind === 'watch-frames')).toEqual([{ kind: 'watch-frames', on: true }]);
    before.lose('gone');
    await idle();
    expect(made.worker.host).not.toBe(before);
    expect(made.worker.host.inputs.filter(({ kind }) => kind === 'watch-frames')).toEqual([{ kind: 'watch-frames', on: true }]);
  });

  it('shows what is mounted, switched off or not, with whole values and the newest mount', async () => {
    const target = new EventTarget();
    const { runtime, mounted } = await mountedBench(surface, {}, undefined, target);
    mounted.pushObservation('open_count', { long: 'x'.repeat(600_000) } as never);
    // Values are told as they are published, not sooner.
    runtime.snapshot();
    const inspection = runtime.inspect(() => {});
    runtime.consent.set('todo-app', null, false);
    const [seen] = inspection.surfaces();
    expect(runtime.snapshot().surfaces).toEqual([]);
    expect(seen!.manifest.actions[0]).toMatchObject({ enabled: false, disabledReason: 'not yet' });
    expect([seen!.mounts, seen!.target]).toEqual([1, target]);
    expect(seen!.values.get('open_count')).toHaveLength(600_011);
    runtime.mount(surface);
    expect(inspection.surfaces()).toMatchObject([{ mounts: 2, target: undefined }]);
  });

  it('shows the peer, the pause, and the settings without what may be secret', async () => {
    const { runtime, host } = await mountedBench(surface, {
      url: 'wss://user:secret@agent.example/oui/v1?token=secret', settle: { quietMs: 100, track: true },
    });
    const inspection = runtime.inspect(() => {});
    expect(inspection.settings).toMatchObject({
      address: 'wss://agent.example/oui/v1', quietMs: 100, settleTimeoutMs: 5_000, tracked: true, confirmBy: 'page',
      resultBytes: 480 * 1024, snapshotBytes: 256 * 1024,
    });
    expect(JSON.stringify(inspection.settings)).not.toContain('secret');
    expect([inspection.peer, inspection.paused]).toEqual([null, false]);
    host.play({ kind: 'connection', state: 'connected' }, { kind: 'peer', software: null, features: [] });
    runtime.stop();
    expect([inspection.peer, inspection.paused]).toEqual([{ software: null, features: [] }, true]);
    runtime.resume();
    host.play({ kind: 'connection', state: 'disconnected' });
    expect([inspection.peer, inspection.paused]).toEqual([null, false]);
  });

  it('is told to look again whenever there is something else to see', async () => {
    let ready = false;
    const asking = surfaceOf([{ id: 'go_on', enabled: () => ready }], [{ id: 'open_count', schema: { type: 'integer' } }]);
    const { runtime, mounted, host } = await mountedBench(asking, { observationSchemas: 'enforce' });
    const inspection = runtime.inspect(() => {});
    const seen: string[] = [];
    runtime.subscribe((event) => seen.push(event.type));
    const told = async (act: () => unknown): Promise<string[]> => {
      act();
      await idle();
      return seen.splice(0);
    };
    const value = (): unknown => inspection.surfaces()[0]?.values.get('open_count');
    const second = surfaceOf([{ id: 'go_on' }], [], 'other-one');
    let other = runtime.mount(second);
    seen.length = 0;
    expect(await told(() => other.unmount())).toEqual(['surfaces']);
    expect(await told(() => (other = runtime.mount(second)))).toEqual(['surfaces']);
    expect(await told(() => other.update(surfaceOf([{ id: 'go_back' }], [], 'other-one')))).toEqual(['surfaces']);
    expect(await told(() => ((ready = true), mounted.refresh()))).toEqual(['surfaces']);
    expect(await told(() => runtime.consent.set('todo-app', 'go_on', false))).toEqual(['surfaces']);
    expect(await told(() => runtime.consent.set('todo-app', 'go_on', false))).toEqual([]);
    expect(await told(() => runtime.pause())).toEqual(['paused']);
    expect(await told(() => runtime.resume())).toEqual(['paused']);
    // A value that must fit is shown when the engine has said that it does.
    expect(await told(() => mounted.pushObservation('open_count', 1 as never))).toEqual(['observation']);
    expect(value()).toBe('null');
    const find = (fits: boolean): void => {
      host.play({ kind: 'checked', mountId: 1, observationId: 'open_count', version: 1, fits });
    };
    expect(await told(() => find(true))).toEqual(['observation']);
    expect(value()).toBe('1');
    expect(await told(() => find(true))).toEqual([]);
    expect(await told(() => runtime.dispose())).toEqual(['surfaces']);
    expect(inspection.surfaces()).toEqual([]);
  });

  it('ends with the runtime', async () => {
    const { runtime } = await mountedBench(surface);
    runtime.inspect(() => {});
    runtime.dispose();
    expect(() => runtime.inspect(() => {})).toThrow(/disposed/);
  });
});
