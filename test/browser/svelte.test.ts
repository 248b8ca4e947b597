import { expect } from 'chai';
import { flushSync, mount, unmount } from 'svelte';
import { writable } from 'svelte/store';
import { getSurfaceRuntime } from '../../src/entries/svelte.js';
import type { SurfaceHandle } from '../../src/entries/svelte.js';
import { connectedRuntime, surfaceOf } from './fixtures/connected-runtime.js';
import type { ConnectedRuntime } from './fixtures/connected-runtime.js';
import SvelteCounter from './fixtures/SvelteCounter.svelte';

interface Exposed {
  readonly handle: SurfaceHandle;
  readonly rows: { text: string }[];
  setCount(value: number): void;
  setActive(value: boolean): void;
  setBusy(value: boolean): void;
}

const REGISTERED = ['surface:register', 'observation:update'];
const counter = surfaceOf<{ count: number }>((_params, { count }) => count);

let page: ConnectedRuntime;
let end: (() => Promise<void>) | undefined;

beforeEach(async () => {
  page = await connectedRuntime();
});
afterEach(async () => {
  await end?.();
  page.runtime.dispose();
});

async function show(more: Record<string, unknown> = {}): Promise<Exposed> {
  let exposed: Exposed | undefined;
  const props = { runtime: page.runtime, surface: counter, expose: (given: Exposed) => (exposed = given), ...more };
  const component = mount(SvelteCounter, { target: document.body, props });
  end = async () => {
    end = undefined;
    await unmount(component);
    await page.roundTrip();
  };
  await settled();
  return exposed!;
}

async function settled(): Promise<void> {
  flushSync();
  await page.roundTrip();
}

describe('functions for Svelte', () => {
  it('offer a surface while the component is mounted; handlers and observations follow runes', async () => {
    const { handle, setCount } = await show();
    expect(page.said()).to.deep.equal(REGISTERED);
    setCount(2);
    await settled();
    expect((await page.call()).data).to.equal(2);
    expect(await handle.execute('look_at')).to.include({ success: true, data: 2 });
    await page.until(() => page.values().length === 2);
    expect(page.values()).to.deep.equal([1, 2]);
    await end!();
    expect(page.said().at(-1)).to.equal('surface:deregister');
  });

  it('tell of what changes deep in $state', async () => {
    const { setCount, rows } = await show();
    setCount(0);
    await settled();
    await page.until(() => page.values().length === 2);
    rows[0]!.text = 'b';
    flushSync();
    await page.until(() => page.values().length === 3);
    expect(page.values().slice(1)).to.deep.equal([[{ text: 'a' }], [{ text: 'b' }]]);
  });

  it('take stores too, and let go of them', async () => {
    let followers = 0;
    const store = writable('a', () => {
      followers += 1;
      return () => (followers -= 1);
    });
    await show({ store });
    store.set('b');
    await page.until(() => page.values().length === 2);
    expect(page.values()).to.deep.equal(['a', 'b']);
    await end!();
    expect(followers).to.equal(0);
  });

  it('active: what is not offered comes back with its values', async () => {
    const { setActive } = await show();
    setActive(false);
    await settled();
    expect(page.said()).to.deep.equal([...REGISTERED, 'surface:deregister']);
    setActive(true);
    await settled();
    expect(page.said()).to.deep.equal([...REGISTERED, 'surface:deregister', ...REGISTERED]);
  });

  it('follow what enabled reads of the context', async () => {
    const action = { id: 'look_at', description: 'Looks.', effect: 'view', input: {}, handler: () => 1 } as const;
    const surface = surfaceOf<{ count: number }>(undefined, {
      actions: [{ ...action, enabled: ({ count }) => count > 1 || 'nothing to see' }],
    });
    const { setCount } = await show({ surface });
    expect((await page.call()).error?.message).to.contain('nothing to see');
    setCount(2);
    await settled();
    expect(page.frames('surface:register').at(-1)).not.to.have.nested.property('surface.actions[0].enabled', false);
    expect((await page.call()).success).to.equal(true);
  });

  it('hold results while busy, and no longer than the component lives', async () => {
    const held: string[] = [];
    const hold = page.runtime.hold.bind(page.runtime);
    page.runtime.hold = () => {
      const free = hold();
      held.push('held');
      return () => {
        held.push('released');
        free();
      };
    };
    const { setBusy } = await show();
    setBusy(true);
    await settled();
    setBusy(false);
    await settled();
    setBusy(true);
    await settled();
    await end!();
    expect(held).to.deep.equal(['held', 'released', 'held', 'released']);
  });

  it('a hot update, the old component out and the new one in: no gap, no double, and the new handler answers', async () => {
    await show();
    const renewed = surfaceOf<{ count: number }>((_params, { count }) => count * 10, { description: 'In tens.' });
    const old = end!();
    await show({ surface: renewed });
    await old;
    expect((await page.call()).data).to.equal(10);
    expect(page.said()).to.deep.equal([...REGISTERED, 'surface:register']);
    await end!();
    expect(page.runtime.snapshot().surfaces).to.deep.equal([]);
  });

  it('say what is missing where no runtime was set', () => {
    expect(() => getSurfaceRuntime()).to.throw();
  });
});
