import { batch, computed, effect, signal } from '@preact/signals-core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { MockInstance } from 'vitest';
import { resetWarnings } from '../../../src/protocol/warn-once.js';
import { idle } from './hand-clock.js';
import { mountedBench, running, surfaceOf } from './runtime-bench.js';

let warn: MockInstance<typeof console.warn>;
beforeEach(() => {
  resetWarnings();
  warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
});
afterEach(() => warn.mockRestore());

const OBSERVATIONS = [
  { id: 'open_count' },
  { id: 'pointer_at', updateFrequency: 'realtime' },
  { id: 'disk_use', updateFrequency: 'polling' },
] as const;

async function setUp() {
  const made = await mountedBench(surfaceOf([{ id: 'go_on' }], OBSERVATIONS));
  const values = (id = 'open_count') =>
    made.host.all('observe').flatMap((input) => (input.observationId === id ? [input.value] : []));
  return { ...made, values };
}

describe('pushed values', () => {
  it('go out once per task with the last value, and the first without delay', async () => {
    const { mounted, values } = await setUp();
    mounted.pushObservation('open_count', 1);
    mounted.pushObservation('open_count', 2);
    expect(values()).toEqual([]);
    await idle();
    expect(values()).toEqual(['2']);
  });

  it('go out at most every 100 ms, and the last one always', async () => {
    const { mounted, values, clock } = await setUp();
    for (let i = 0; i < 50; i += 1) {
      mounted.pushObservation('open_count', i);
      await clock.advance(10);
    }
    await clock.advance(100);
    expect(values()).toEqual(['0', '9', '19', '29', '39', '49']);
    expect(clock.timers).toEqual([]);
  });

  it('are compared by content: a mutated array is a change, an equal one is none', async () => {
    const { mounted, values, clock } = await setUp();
    const list = ['a'];
    for (const next of [() => ['a'], () => list, () => (list.push('b'), list), () => list]) {
      mounted.pushObservation('open_count', next());
      await clock.advance(200);
    }
    expect(values()).toEqual(['["a"]', '["a","b"]']);
  });

  it('that are the same primitive again are not even looked at', async () => {
    const { mounted, clock, values } = await setUp();
    for (const value of ['a', NaN, undefined]) {
      for (let i = 0; i < 2; i += 1) {
        mounted.pushObservation('open_count', value);
        await clock.advance(500);
      }
      // A look would make the next change wait.
      mounted.pushObservation('open_count', value);
      await idle();
      mounted.pushObservation('open_count', 'next');
      await idle();
      expect(values().at(-1)).toBe('"next"');
      await clock.advance(500);
    }
  });

  it('are stringified once per change', async () => {
    const { mounted, runtime, clock } = await setUp();
    const toJSON = vi.fn(() => 'x');
    mounted.pushObservation('open_count', { toJSON });
    runtime.snapshot();
    await clock.advance(200);
    runtime.snapshot();
    expect(toJSON).toHaveBeenCalledTimes(1);
  });

  it('undefined is null; what has no JSON form is told once for each kind, naming it and its path', async () => {
    const { mounted, values, clock } = await setUp();
    const when = new Date(0);
    for (const value of [undefined, { when }, [NaN], 3, { a: { b: Infinity } }, [Promise.resolve(1)], () => 1]) {
      mounted.pushObservation('open_count', value);
      await clock.advance(200);
    }
    const sent = ['null', '{"when":"1970-01-01T00:00:00.000Z"}', '[null]', '3', '{"a":{"b":null}}', '[null]', 'null'];
    expect(values()).toEqual(sent);
    const name = '[OUI1006] Observation "open_count" of surface "todo-app"';
    expect(warn.mock.calls).toEqual([
      [`${name}: its value at /0 is NaN, which JSON cannot say; null was sent.`],
      [`${name}: its value at /0 is of type Promise, which has no JSON form; null was sent (await it first).`],
      [`${name}: the value is a function; it was left out.`],
    ]);
  });

  it('are within their limits after a plain one too: nothing beyond them is written whole', async () => {
    const { mounted, values, clock } = await setUp();
    let deep: object = {};
    for (let level = 0; level < 60; level += 1) deep = { a: deep };
    const bytes = new Uint8Array(3);
    const { stringify } = JSON;
    const whole = vi.fn();
    JSON.stringify = (value: unknown) => {
      if (value !== deep && value !== bytes) return stringify(value);
      whole();
      throw new RangeError('Too long');
    };
    try {
      for (const value of [{ a: 1 }, bytes, { a: 1 }, deep]) {
        mounted.pushObservation('open_count', value);
        await clock.advance(200);
      }
    } finally {
      JSON.stringify = stringify;
    }
    expect(whole).not.toHaveBeenCalled();
    expect(values().slice(0, 3)).toEqual(['{"a":1}', '[0,0,0]', '{"a":1}']);
    expect(values()).toHaveLength(4);
    expect(warn.mock.calls.flat().join()).toContain('is nested deeper than 56 levels');
  });

  it('are not taken for the last one when only their JSON as it comes would be the same', async () => {
    const { mounted, values, clock } = await setUp();
    for (const value of [{}, new Map([['a', 1]]), {}, new Set([1]), [{}], [new Map([['b', 2]])]]) {
      mounted.pushObservation('open_count', value);
      await clock.advance(200);
    }
    expect(values()).toEqual(['{}', '{"a":1}', '{}', '[1]', '[{}]', '[{"b":2}]']);
  });

  it('track nothing that they hold', async () => {
    const { mounted, runtime } = await setUp();
    const count = signal(1);
    mounted.pushObservation('open_count', { count });
    const runs = vi.fn(() => runtime.snapshot().observations);
    const end = effect(() => void runs());
    count.value = 2;
    expect(runs).toHaveBeenCalledTimes(1);
    expect(runs).toHaveReturnedWith({ 'todo-app': { open_count: { count: 1 } } });
    end();
  });

  it('of an undeclared observation are refused, naming the declared ones', async () => {
    const { mounted } = await setUp();
    expect(() => mounted.pushObservation('opne_count', 1)).toThrow(
      'Surface "todo-app" has no observation "opne_count"; it declares open_count, pointer_at, disk_use.',
    );
    expect(() => mounted.observe('opne_count', () => 1)).toThrow(/no observation/);
  });

  it('do nothing after unmount', async () => {
    const { mounted, values, clock } = await setUp();
    mounted.pushObservation('open_count', 1);
    mounted.unmount();
    mounted.pushObservation('open_count', 2);
    mounted.observe('open_count', signal(3))();
    await clock.advance(200);
    expect(values()).toEqual([]);
  });
});

describe('realtime', () => {
  it('goes out once per frame, and every 100 ms in a hidden page', async () => {
    const { mounted, values, clock } = await setUp();
    mounted.pushObservation('pointer_at', 1);
    mounted.pushObservation('pointer_at', 2);
    await idle();
    expect(values('pointer_at')).toEqual([]);
    await clock.paint();
    expect(values('pointer_at')).toEqual(['2']);
    clock.visible = false;
    mounted.pushObservation('pointer_at', 3);
    await clock.advance(99);
    expect(values('pointer_at')).toHaveLength(1);
    await clock.advance(1);
    expect(values('pointer_at')).toEqual(['2', '3']);
  });

  it('does not hang on a frame that never comes', async () => {
    const { mounted, values, clock } = await setUp();
    mounted.pushObservation('pointer_at', 1);
    await clock.advance(100);
    expect(values('pointer_at')).toEqual(['1']);
  });
});

describe('sources', () => {
  it('a signal: now and whenever it changes; no work when it does not', async () => {
    const { mounted, values, clock } = await setUp();
    const count = signal(1);
    const release = mounted.observe('open_count', count);
    await clock.advance(200);
    batch(() => {
      count.value = 5;
      count.value = 1;
    });
    expect(clock.timers).toEqual([]);
    count.value = 2;
    await clock.advance(200);
    release();
    release();
    count.value = 3;
    await clock.advance(200);
    expect(values()).toEqual(['1', '2']);
  });

  it('a computed signal, and a getter that reads signals', async () => {
    const { mounted, values, clock } = await setUp();
    const count = signal(1);
    mounted.observe('open_count', computed(() => ({ open: count.value })));
    await clock.advance(200);
    count.value = 2;
    await clock.advance(200);
    mounted.observe('open_count', () => [count.value]);
    await clock.advance(200);
    count.value = 3;
    await clock.advance(200);
    expect(values()).toEqual(['{"open":1}', '{"open":2}', '[2]', '[3]']);
  });

  it('a store that delivers: Svelte\'s function or RxJS\'s subscription', async () => {
    const { mounted, values, clock } = await setUp();
    for (const ends of ['function', 'subscription']) {
      const ended = vi.fn();
      let deliver: (value: unknown) => void = () => {};
      const store = {
        subscribe(listener: (value: unknown) => void) {
          deliver = listener;
          listener(`${ends} 1`);
          return ends === 'function' ? ended : { unsubscribe: ended };
        },
      };
      const release = mounted.observe('open_count', store);
      await clock.advance(200);
      deliver(`${ends} 2`);
      await clock.advance(200);
      release();
      release();
      deliver('after');
      await clock.advance(200);
      expect(ended).toHaveBeenCalledTimes(1);
    }
    expect(values()).toEqual(['"function 1"', '"function 2"', '"subscription 1"', '"subscription 2"']);
  });

  it('get and subscribe: read only when it is published', async () => {
    const { mounted, values, clock } = await setUp();
    let notify = (): void => {};
    mounted.pushObservation('open_count', 0);
    await clock.advance(200);
    let value = 1;
    const get = vi.fn(() => value);
    const subscribe = (listener: () => void) => void (notify = listener);
    const release = mounted.observe('open_count', { get, subscribe });
    await clock.advance(200);
    for (value = 2; value < 9; value += 1) notify();
    await clock.advance(200);
    expect(get).toHaveBeenCalledTimes(2);
    release();
    notify();
    await clock.advance(200);
    mounted.pushObservation('open_count', 0);
    await clock.advance(200);
    expect(values()).toEqual(['0', '1', '9', '0']);
  });

  it('a lazy one is read when an agent connects, and by its own text where it has one', async () => {
    const { mounted, values, clock, host, runtime } = await setUp();
    let value = 1;
    let notify = (): void => {};
    const json = vi.fn(() => ` ${value}`);
    const get = vi.fn();
    const subscribe = (listener: () => void) => void (notify = listener);
    mounted.observe('open_count', { get, json, subscribe, lazy: true });
    value = 2;
    notify();
    await clock.advance(200);
    expect([values(), json.mock.calls.length]).toEqual([[], 0]);
    expect(runtime.snapshot().observations).toEqual({ 'todo-app': { open_count: 2 } });
    value = 3;
    notify();
    host.play({ kind: 'connection', state: 'connected' });
    expect(values()).toEqual([' 3']);
    value = 4;
    notify();
    await clock.advance(200);
    expect(values()).toEqual([' 3', ' 4']);
    host.play({ kind: 'connection', state: 'disconnected' });
    value = 5;
    notify();
    await clock.advance(200);
    expect(values()).toEqual([' 3', ' 4']);
    expect(get).not.toHaveBeenCalled();
  });

  it('its own text is within the rules of any value; one that may not be is read as a value instead', async () => {
    const { mounted, values, clock } = await setUp();
    let text = '';
    let notify = (): void => {};
    const nested = (levels: number, leaf = '1') => `${'['.repeat(levels)}${leaf}${']'.repeat(levels)}`;
    const get = vi.fn((): unknown => JSON.parse(text));
    mounted.observe('open_count', { get, json: () => text, subscribe: (listener: () => void) => void (notify = listener) });
    const played = async (next: string): Promise<string | undefined> => {
      text = next;
      notify();
      await clock.advance(200);
      return values().at(-1);
    };
    const quoted = `"${'['.repeat(99)}\\\\\\"${'{'.repeat(99)}\\\\"`;
    for (const fine of [nested(56), `[${'[1],'.repeat(99)}${quoted}]`, `{${quoted}:${quoted}}`, '"[[', '"\\']) {
      expect(await played(fine)).toBe(fine);
    }
    expect(get).not.toHaveBeenCalled();
    const note = '"[nested deeper than 56 levels]"';
    expect(await played(`[${quoted},${nested(57)}]`)).toBe(`[${quoted},${nested(55, note)}]`);
    expect(await played('[{"__proto__":{"a":1},"b":2}]')).toBe('[{"b":2}]');
    expect(await played('[{"\\u005f_proto_\\u005F":{"a":1},"b":3}]')).toBe('[{"b":3}]');
    expect(await played('["__proto__"]')).toBe('["__proto__"]');
    const name = '[OUI1006] Observation "open_count" of surface "todo-app"';
    expect(warn.mock.calls).toEqual([
      [`${name}: its value at /1${'/0'.repeat(55)} is nested deeper than 56 levels; a note was sent.`],
      [`${name}: its value at /0 has a key "__proto__"; it was left out.`],
    ]);
  });

  it('one that throws is null, with one warning', async () => {
    const { mounted, values, clock } = await setUp();
    const broken = signal(true);
    mounted.observe('open_count', () => {
      if (broken.value) throw new Error('not loaded');
      return 1;
    });
    await clock.advance(200);
    broken.value = false;
    await clock.advance(200);
    expect(values()).toEqual(['null', '1']);
    expect(warn.mock.calls[0]![0]).toMatch(/"open_count" of surface "todo-app".*not loaded/);
  });

  it('what is no source is refused', async () => {
    const { mounted } = await setUp();
    for (const source of [7, {}]) expect(() => mounted.observe('open_count', source as never)).toThrow(TypeError);
  });

  it('a newer source ends the one before, a pushed value too', async () => {
    const { mounted, values, clock } = await setUp();
    const [first, second] = [signal('a'), signal('b')];
    const releaseFirst = mounted.observe('open_count', first);
    mounted.observe('open_count', second);
    first.value = 'c';
    releaseFirst();
    await clock.advance(200);
    second.value = 'd';
    await clock.advance(200);
    mounted.pushObservation('open_count', 'e');
    second.value = 'f';
    await clock.advance(200);
    expect(values()).toEqual(['"b"', '"d"', '"e"']);
  });

  it('delivering during subscribe what it was released for goes nowhere', async () => {
    const { mounted, values, clock } = await setUp();
    const ended = vi.fn();
    mounted.observe('open_count', {
      subscribe(listener: (value: unknown) => void) {
        mounted.pushObservation('open_count', 'pushed');
        listener('late');
        return ended;
      },
    });
    await clock.advance(200);
    expect(ended).toHaveBeenCalledTimes(1);
    expect(values()).toEqual(['"pushed"']);
  });
});

describe('polling', () => {
  it('is read only when it is asked for, and answered even when it is the same', async () => {
    const { mounted, host, clock, runtime } = await setUp();
    const get = vi.fn(() => ({ used: 7 }));
    mounted.observe('disk_use', get);
    await clock.advance(500);
    expect(get).not.toHaveBeenCalled();
    expect(runtime.snapshot().observations).toEqual({});
    for (let i = 0; i < 2; i += 1) host.play({ kind: 'read', mountId: 1, observationId: 'disk_use' });
    expect(get).toHaveBeenCalledTimes(2);
    expect(host.all('observed').map(({ value }) => value)).toEqual(['{"used":7}', '{"used":7}']);
    expect(host.all('observe')).toEqual([]);
    expect(runtime.snapshot().observations).toEqual({ 'todo-app': { disk_use: { used: 7 } } });
  });

  it('answers with the pushed value, and with null when there is none', async () => {
    const { mounted, host, clock } = await setUp();
    mounted.pushObservation('disk_use', 3);
    const release = mounted.observe('disk_use', signal(5));
    host.play({ kind: 'read', mountId: 1, observationId: 'disk_use' });
    release();
    host.play({ kind: 'read', mountId: 1, observationId: 'disk_use' });
    mounted.pushObservation('disk_use', 9);
    host.play({ kind: 'read', mountId: 1, observationId: 'disk_use' });
    await clock.advance(500);
    expect(host.all('observed').map(({ value }) => value)).toEqual(['5', '5', '9']);
    expect(host.all('observe')).toEqual([]);
  });

  it('follows a manifest that makes it pushed, and back', async () => {
    const { mounted, host, clock, values } = await setUp();
    const used = signal(1);
    const as = (updateFrequency: 'polling' | 'on-change') =>
      mounted.update(surfaceOf([{ id: 'go_on' }], [{ id: 'disk_use', updateFrequency }]));
    const release = mounted.observe('disk_use', used);
    as('on-change');
    await clock.advance(200);
    used.value = 2;
    await clock.advance(200);
    as('polling');
    used.value = 3;
    await clock.advance(200);
    expect(values('disk_use')).toEqual(['1', '2']);
    host.play({ kind: 'read', mountId: 1, observationId: 'disk_use' });
    release();
    used.value = 4;
    host.play({ kind: 'read', mountId: 1, observationId: 'disk_use' });
    expect(host.all('observed').map(({ value }) => value)).toEqual(['3', '3']);
  });

  it('does not keep results waiting', async () => {
    const { mounted, host, clock } = await setUp();
    let n = 0;
    mounted.observe('disk_use', () => (n += 1));
    host.play(...running('r1', 'go_on', { settle: 'quiet' }));
    await clock.advance(200);
    host.play({ kind: 'read', mountId: 1, observationId: 'disk_use' });
    await clock.advance(50);
    expect(host.last('settled')?.settled).toBe(true);
  });

  it('is answered null by a reader that throws, and for an observation that nothing has set', async () => {
    const { mounted, host } = await setUp();
    host.play({ kind: 'read', mountId: 1, observationId: 'disk_use' });
    mounted.observe('disk_use', () => {
      throw new Error('unplugged');
    });
    host.play({ kind: 'read', mountId: 1, observationId: 'disk_use' });
    expect(host.all('observed').map(({ value }) => value)).toEqual(['null', 'null']);
  });

  it('waits for a getter that promises its value, and reads anew each time', async () => {
    const { mounted, host, clock } = await setUp();
    let release = (_value: unknown): void => {};
    mounted.observe('disk_use', () => new Promise((resolve) => (release = resolve)));
    host.play({ kind: 'read', mountId: 1, observationId: 'disk_use', requestId: 'q1' });
    await clock.advance(3_000);
    expect(host.all('observed')).toEqual([]);
    release({ used: new Set([7]) });
    await idle();
    expect(host.all('observed')).toEqual([
      { kind: 'observed', mountId: 1, observationId: 'disk_use', value: '{"used":[7]}', requestId: 'q1' },
    ]);
    expect(clock.timers).toEqual([]);
    expect(warn).not.toHaveBeenCalled();
  });

  it('is null when the promise is rejected, or kept too late', async () => {
    const { mounted, host, clock } = await setUp();
    mounted.observe('disk_use', () => Promise.reject(new Error('unplugged')));
    host.play({ kind: 'read', mountId: 1, observationId: 'disk_use' });
    await idle();
    let release = (_value: unknown): void => {};
    mounted.observe('disk_use', () => new Promise((resolve) => (release = resolve)));
    resetWarnings();
    host.play({ kind: 'read', mountId: 1, observationId: 'disk_use' });
    await clock.advance(4_000);
    release(9);
    await idle();
    expect(host.all('observed').map(({ value }) => value)).toEqual(['null', 'null']);
    expect(warn.mock.calls).toEqual([
      ['[OUI1602] Observation "disk_use" of surface "todo-app" could not be read (unplugged); null was sent instead.'],
      ['[OUI1602] Observation "disk_use" of surface "todo-app" had no value 4 s after an agent asked for it; null was sent instead.'],
    ]);
  });

  it('that was promised to an engine that is gone, or by a surface that left, goes nowhere', async () => {
    const { mounted, worker, clock } = await setUp();
    let release = (_value: unknown): void => {};
    mounted.observe('disk_use', () => new Promise((resolve) => (release = resolve)));
    const first = worker.host;
    first.play({ kind: 'read', mountId: 1, observationId: 'disk_use' });
    first.lose();
    await clock.advance(100);
    release(5);
    await clock.advance(100);
    expect(worker.host).not.toBe(first);
    expect([...first.all('observed'), ...worker.host.all('observed')]).toEqual([]);
  });
});
