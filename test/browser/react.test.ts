import { expect } from 'chai';
import { act, Activity, createElement as h, startTransition, Suspense, use, useEffect, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import {
  SurfaceRuntimeProvider, useObservation, useSurface, useSurfaceHold, useSurfaceRuntime,
} from '../../src/entries/react.js';
import type { OuiActionElement } from '../../elements/oui-action.js';
import type { DefinedSurface } from '../../src/surface/definition/definition.js';
import type { UseSurfaceResult } from '../../src/entries/react.js';
import { connectedRuntime, surfaceOf } from './fixtures/connected-runtime.js';
import type { ConnectedRuntime } from './fixtures/connected-runtime.js';
import { collectWarnings } from './fixtures/elements-page.js';
import { reactRoot } from './fixtures/react-page.js';

const counter = surfaceOf<{ count: number }>((_params, { count }) => count);

interface CounterProps {
  readonly count: number;
  readonly surface?: DefinedSurface<{ count: number }>;
  readonly active?: boolean;
  readonly children?: ReactNode;
  expose?(surface: UseSurfaceResult): void;
}

function Counter({ count, surface = counter, active = true, expose, children }: CounterProps): ReactElement {
  const mounted = useSurface({ surface, context: { count }, active });
  useObservation(mounted, 'value', count);
  expose?.(mounted);
  return h('p', null, count, children);
}

let page: ConnectedRuntime;
let root: ReturnType<typeof reactRoot>;

beforeEach(async () => {
  page = await connectedRuntime();
  root = reactRoot(page);
});
afterEach(async () => {
  await root.end();
  page.runtime.dispose();
});

const REGISTERED = ['surface:register', 'observation:update'];

describe('useSurface and useObservation', () => {
  it('offers the surface while the component is mounted; handlers see the context of the last commit', async () => {
    await root.render(h(Counter, { count: 1 }));
    expect(page.said()).to.deep.equal(REGISTERED);
    expect((await page.call()).data).to.equal(1);
    await root.render(h(Counter, { count: 2 }));
    expect((await page.call()).data).to.equal(2);
    await page.until(() => page.values().length === 2);
    expect(page.values()).to.deep.equal([1, 2]);
    await root.render(null);
    expect(page.said()).to.deep.equal([...REGISTERED, 'observation:update', 'surface:deregister']);
  });

  it('says nothing when a component renders again with equal values, and tells of an array that was changed', async () => {
    const rows = ['a'];
    const list = surfaceOf();
    function List({ turn }: { readonly turn: number }): ReactElement {
      useObservation(useSurface({ surface: list }), 'value', rows);
      return h('p', null, turn);
    }
    await root.render(h(List, { turn: 1 }));
    await root.render(h(List, { turn: 2 }));
    expect(page.values()).to.deep.equal([['a']]);
    rows.push('b');
    await root.render(h(List, { turn: 3 }));
    await page.until(() => page.values().length === 2);
    expect(page.values()[1]).to.deep.equal(['a', 'b']);
  });

  it('gives the same object while surface and runtime are the same, and runs actions by it', async () => {
    const given: UseSurfaceResult[] = [];
    await root.render(h(Counter, { count: 1, expose: (surface) => given.push(surface) }));
    await root.render(h(Counter, { count: 2, expose: (surface) => given.push(surface) }));
    expect(new Set(given).size).to.equal(1);
    expect(given[0]!.surfaceId).to.equal('counter');
    expect(await given[0]!.execute('look_at')).to.include({ success: true, data: 2 });
  });

  it('keeps what is pushed before the surface is mounted: a child\'s effects run before its parent\'s', async () => {
    const parent = surfaceOf();
    function Child({ surface }: { readonly surface: UseSurfaceResult }): null {
      useObservation(surface, 'value', 'from the child');
      return null;
    }
    function Parent(): ReactElement {
      return h(Child, { surface: useSurface({ surface: parent }) });
    }
    await root.render(h(Parent));
    expect(page.values()).to.deep.equal(['from the child']);
  });

  it('active: false takes the surface away; with it come back the values', async () => {
    await root.render(h(Counter, { count: 1, active: false }));
    expect(page.said()).to.deep.equal([]);
    await root.render(h(Counter, { count: 1, active: true }));
    await root.render(h(Counter, { count: 1, active: false }));
    await root.render(h(Counter, { count: 1, active: true }));
    expect(page.said()).to.deep.equal([...REGISTERED, 'surface:deregister', ...REGISTERED]);
  });

  it('useSurfaceRuntime gives the provider\'s, and says what is missing where there is none', async () => {
    let given: unknown;
    const Reader = (): null => {
      given = useSurfaceRuntime();
      return null;
    };
    await root.render(h(Reader));
    expect(given).to.equal(page.runtime);
    const { createRoot } = await import('react-dom/client');
    const errors: unknown[] = [];
    const bare = createRoot(document.createElement('div'), { onUncaughtError: (error) => errors.push(error) });
    try {
      await act(async () => bare.render(h(Reader)));
    } catch (error) {
      errors.push(error);
    }
    expect(String(errors[0])).to.match(/SurfaceRuntimeProvider/);
    await act(async () => bare.unmount());
  });
});

describe('what React does on the way leaves no trace', () => {
  it('StrictMode, which runs effects twice: one registration, and one deregistration in the end', async () => {
    const strict = reactRoot(page, true);
    let effects = 0;
    function Witness(): null {
      useEffect(() => void (effects += 1), []);
      return null;
    }
    await strict.render([h(Counter, { key: 'counter', count: 1 }), h(Witness, { key: 'witness' })]);
    expect(effects).to.equal(2);
    expect(page.said()).to.deep.equal(REGISTERED);
    expect((await page.call()).data).to.equal(1);
    await strict.render(null);
    expect(page.said()).to.deep.equal([...REGISTERED, 'surface:deregister']);
    await strict.end();
  });

  it('another component with the same surface in the place of the first, in one commit', async () => {
    await root.render(h(Counter, { key: 'a', count: 1 }));
    await root.render(h(Counter, { key: 'b', count: 2 }));
    expect((await page.call()).data).to.equal(2);
    await page.until(() => page.values().length === 2);
    expect(page.said()).to.deep.equal([...REGISTERED, 'observation:update']);
    await root.render(null);
    expect(page.said().at(-1)).to.equal('surface:deregister');
  });

  it('a hot update, the old component out and the new one in: no gap, no double, and the new handler answers', async () => {
    const renewed = surfaceOf<{ count: number }>((_params, { count }) => count * 10, { description: 'In tens.' });
    await root.render(h(Counter, { key: 'old', count: 1 }));
    await root.render(h(Counter, { key: 'new', count: 1, surface: renewed }));
    expect((await page.call()).data).to.equal(10);
    expect(page.said()).to.deep.equal([...REGISTERED, 'surface:register']);
    await root.render(null);
    expect(page.runtime.snapshot().surfaces).to.deep.equal([]);
  });

  it('Suspense: a component that suspends keeps its surface, one that has not been shown yet has none', async () => {
    let arrive = (_text: string): void => {};
    const late = new Promise<string>((resolve) => (arrive = resolve));
    const Late = (): string => use(late);
    const inSuspense = (children: ReactNode): ReactElement => h(Suspense, { fallback: 'loading' }, children);
    await root.render(inSuspense(h(Counter, { count: 1 })));
    await root.render(inSuspense(h(Counter, { count: 1 }, h(Late))));
    expect(root.element.textContent).to.contain('loading');
    expect(page.said()).to.deep.equal(REGISTERED);
    expect((await page.call()).success).to.equal(true);
    await act(async () => arrive('there'));
    await page.roundTrip();
    expect(root.element.textContent).to.equal('1there');
    expect(page.said()).to.deep.equal(REGISTERED);
  });

  it('Suspense, from the start: the surface comes with the component', async () => {
    let arrive = (_text: string): void => {};
    const late = new Promise<string>((resolve) => (arrive = resolve));
    const Late = (): string => use(late);
    await root.render(h(Suspense, { fallback: 'loading' }, h(Counter, { count: 1 }, h(Late))));
    expect(page.said()).to.deep.equal([]);
    await act(async () => arrive('there'));
    await page.roundTrip();
    expect(page.said()).to.deep.equal(REGISTERED);
  });

  it('Activity: what is hidden is not offered, and comes back with its values', async () => {
    const shown = (mode: 'visible' | 'hidden'): ReactElement => h(Activity, { mode, children: h(Counter, { count: 1 }) });
    await root.render(shown('visible'));
    await root.render(shown('hidden'));
    expect(page.said()).to.deep.equal([...REGISTERED, 'surface:deregister']);
    await root.render(shown('visible'));
    expect(page.said()).to.deep.equal([...REGISTERED, 'surface:deregister', ...REGISTERED]);
  });

  it('a transition that does not commit: handlers and observations stay with what is shown', async () => {
    const never = new Promise<string>(() => {});
    let setCount = (_count: number): void => {};
    function Page(): ReactElement {
      const [count, set] = useState(1);
      setCount = set;
      return h(Counter, { count }, count > 1 && h(Waiting));
    }
    const Waiting = (): string => use(never);
    await root.render(h(Suspense, { fallback: 'loading' }, h(Page)));
    await act(async () => startTransition(() => setCount(2)));
    await page.roundTrip();
    expect(root.element.textContent).to.equal('1');
    expect((await page.call()).data).to.equal(1);
    expect(page.values()).to.deep.equal([1]);
  });
});

describe('what changes', () => {
  it('another surface under the same id takes the place of the first without leaving', async () => {
    const other = surfaceOf<{ count: number }>((_params, { count }) => count * 10, { description: 'Counts in tens.' });
    await root.render(h(Counter, { count: 1 }));
    await root.render(h(Counter, { count: 1, surface: other }));
    expect(page.said()).to.deep.equal([...REGISTERED, 'surface:register']);
    expect(page.frames('surface:register').at(-1)).to.have.nested.property('surface.description', 'Counts in tens.');
    expect((await page.call()).data).to.equal(10);
  });

  it('another surface under another id: the first goes, the other comes', async () => {
    const other = surfaceOf<{ count: number }>(undefined, { id: 'second-counter' });
    await root.render(h(Counter, { count: 1 }));
    await root.render(h(Counter, { count: 1, surface: other }));
    expect(page.frames('surface:deregister')).to.have.lengthOf(1);
    expect(page.runtime.snapshot()).to.have.nested.property('observations.second-counter.value', 1);
    expect(page.runtime.snapshot().surfaces?.map(({ id }) => id)).to.deep.equal(['second-counter']);
  });

  it('another runtime: the surface goes there, with its values', async () => {
    const next = await connectedRuntime();
    await root.render(h(Counter, { count: 1 }));
    await root.render(h(Counter, { count: 1 }), next);
    await page.roundTrip();
    expect(page.said().at(-1)).to.equal('surface:deregister');
    expect(next.said()).to.deep.equal(REGISTERED);
    expect((await next.call()).data).to.equal(1);
    next.runtime.dispose();
  });
});

describe('useSurfaceHold', () => {
  it('keeps results waiting while it is true', async () => {
    const busySurface = surfaceOf();
    function Busy({ busy }: { readonly busy: boolean }): null {
      useSurface({ surface: busySurface });
      useSurfaceHold(busy);
      return null;
    }
    const release: string[] = [];
    const { hold } = page.runtime;
    page.runtime.hold = () => {
      const free = hold.call(page.runtime);
      release.push('held');
      return () => {
        release.push('released');
        free();
      };
    };
    await root.render(h(Busy, { busy: true }));
    expect(release).to.deep.equal(['held']);
    await root.render(h(Busy, { busy: true }));
    expect(release).to.deep.equal(['held']);
    await root.render(h(Busy, { busy: false }));
    expect(release).to.deep.equal(['held', 'released']);
    await root.render(h(Busy, { busy: true }));
    await root.render(null);
    expect(release).to.deep.equal(['held', 'released', 'held', 'released']);
  });
});

describe('on a server', () => {
  it('nothing is offered; its markup, with elements, comes alive without a warning', async () => {
    const { renderToString } = await import('react-dom/server');
    const { hydrateRoot } = await import('react-dom/client');
    const handler = (): string => 'answered';
    const answering = (action: Element | null): void => {
      if (action) (action as OuiActionElement).handler = handler;
    };
    function Page(): ReactElement {
      useObservation(useSurface({ surface: counter, context: { count: 1 } }), 'value', 1);
      useSurfaceHold(false);
      return h('main', null,
        h('oui-surface', { 'surface-id': 'made-there', 'name': 'Made there', 'description': 'Of a server.' },
          h('oui-action', { 'action-id': 'go_on', 'description': 'Goes on', 'ref': answering }),
          h('oui-observation', { 'observation-id': 'seen', 'description': 'Seen', 'type': 'integer', 'value': 3 })),
        h('p', null, 'text'));
    }
    const provided = h(SurfaceRuntimeProvider, { runtime: page.runtime }, h(Page));
    const warnings = collectWarnings();
    const errors: unknown[] = [];
    const { error } = console;
    console.error = (...said) => errors.push(said);
    const place = document.createElement('div');
    place.innerHTML = renderToString(provided);
    document.body.append(place);
    await page.roundTrip();
    expect(page.said()).to.deep.equal([]);
    const rendered = place.querySelector('p');
    let hydrated!: ReturnType<typeof hydrateRoot>;
    await act(async () => {
      hydrated = hydrateRoot(place, provided, { onRecoverableError: (error) => errors.push(error) });
    });
    await page.roundTrip();
    warnings.stop();
    console.error = error;
    expect(place.querySelector('p')).to.equal(rendered);
    expect(place.querySelector('oui-surface')).to.have.property('surfaceId', 'made-there');
    // React sets neither properties nor listeners when it hydrates: there a ref does.
    expect(place.querySelector('oui-action')).to.have.property('handler', handler);
    expect(page.said()).to.deep.equal(REGISTERED);
    expect([...errors, ...warnings.texts]).to.deep.equal([]);
    await act(async () => hydrated.unmount());
    place.remove();
  });
});
