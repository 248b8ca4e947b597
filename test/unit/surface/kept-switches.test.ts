import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { MockInstance } from 'vitest';
import * as LIMITS from '../../../src/protocol/limits.js';
import { resetWarnings } from '../../../src/protocol/warn-once.js';
import type { PageEnvironment } from '../../../src/surface/document/page-environment.js';
import { createRuntime } from '../../../src/surface/create-runtime.js';
import { FakeStorage } from './fake-tab.js';
import { HandClock } from './hand-clock.js';
import { surfaceOf } from './runtime-bench.js';
import { scriptedFactory } from './scripted-host.js';

const surface = surfaceOf([{ id: 'go_on' }, { id: 'stop_it' }]);

let warn: MockInstance<typeof console.warn>;
beforeEach(() => {
  resetWarnings();
  warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
});
afterEach(() => warn.mockRestore());

/** Documents of one origin. */
class Origin {
  readonly storage = new FakeStorage();
  readonly #listeners = new Set<{ readonly owner: object; readonly listener: (key: string | null) => void }>();

  open(session?: string) {
    const owner = {};
    const { storage } = this;
    const tell = (key: string): void => {
      for (const each of this.#listeners) if (each.owner !== owner) each.listener(key);
    };
    const page: PageEnvironment = {
      lasting: {
        getItem: (key) => storage.getItem(key),
        setItem: (key, value) => {
          storage.setItem(key, value);
          tell(key);
        },
        removeItem: (key) => {
          storage.removeItem(key);
          tell(key);
        },
      },
      onLastingChange: (listener) => {
        const entry = { owner, listener };
        this.#listeners.add(entry);
        return () => void this.#listeners.delete(entry);
      },
      frame: '', places: new Set(), wall: () => 0, onLeave: () => () => {}, onReturn: () => () => {},
    };
    const clock = new HandClock();
    const hosts = () => [scriptedFactory(clock, 'worker')];
    const runtime = createRuntime({ ...(session !== undefined && { session }) }, { hosts, clock, page });
    runtime.mount(surface);
    return runtime;
  }

  get listeners(): number {
    return this.#listeners.size;
  }
}

const offered = (runtime: ReturnType<Origin['open']>): string[] => runtime.snapshot().surfaces!.map(({ id }) => id);

describe('the user\'s switches', () => {
  it('hold in the next document, from its first snapshot on', () => {
    const origin = new Origin();
    const first = origin.open();
    first.consent.set('todo-app', null, false);
    first.consent.set('other-one', 'go_on', false);
    first.dispose();
    const next = origin.open();
    expect(offered(next)).toEqual([]);
    expect(next.consent.allowed('other-one', 'go_on')).toBe(false);
    next.consent.set('todo-app', null, true);
    expect(offered(origin.open())).toEqual(['todo-app']);
    next.consent.set('other-one', 'go_on', true);
    expect(origin.storage.kept.size).toBe(0);
  });

  it('hold in the other tabs at once, and nobody listens after the end', () => {
    const origin = new Origin();
    const [here, there] = [origin.open(), origin.open()];
    const heard: string[] = [];
    there.subscribe(({ type }) => heard.push(type));
    here.consent.set('todo-app', null, false);
    expect([offered(there), heard]).toEqual([[], ['surfaces']]);
    there.consent.set('todo-app', 'stop_it', false);
    here.consent.set('todo-app', null, true);
    expect(offered(there)).toEqual(['todo-app']);
    expect(there.consent.allowed('todo-app', 'stop_it')).toBe(false);
    here.dispose();
    there.dispose();
    expect(origin.listeners).toBe(0);
  });

  it('are those of one session', () => {
    const origin = new Origin();
    origin.open('ada').consent.set('todo-app', null, false);
    expect(offered(origin.open('bob'))).toEqual(['todo-app']);
    expect(offered(origin.open('ada'))).toEqual([]);
  });

  it('stay when the user signs out: what was forbidden is not allowed by that', async () => {
    const origin = new Origin();
    const runtime = origin.open();
    runtime.consent.set('todo-app', null, false);
    void runtime.forget();
    expect(offered(origin.open())).toEqual([]);
  });

  it('hold in this document where they cannot be kept, with one warning', () => {
    const origin = new Origin();
    const runtime = origin.open();
    origin.storage.full = true;
    runtime.consent.set('todo-app', null, false);
    expect(offered(runtime)).toEqual([]);
    expect(warn.mock.calls.flat().join()).toContain('OUI2202');
    origin.storage.forbidden = true;
    expect(offered(origin.open())).toEqual(['todo-app']);
  });

  it('take nothing from the storage that is no switch, and not endlessly much', () => {
    const origin = new Origin();
    origin.storage.setItem('oui:switches', JSON.stringify(['todo-app', 7, 'a b c', '', null, 'x'.repeat(1_000)]));
    const runtime = origin.open();
    expect(offered(runtime)).toEqual([]);
    origin.storage.setItem('oui:switches', '{"todo-app"');
    expect(offered(origin.open())).toEqual(['todo-app']);
    origin.storage.setItem('oui:switches', JSON.stringify(Array.from({ length: 5_000 }, (_, index) => `s${index}`)));
    origin.open().consent.set('todo-app', null, false);
    const kept = JSON.parse(origin.storage.getItem('oui:switches')!) as string[];
    expect([kept.length, kept.at(-1)]).toEqual([LIMITS.keptSwitches, 'todo-app']);
  });
});
