import { expect } from 'chai';
import { matchesLocation, watchRoute } from '../../elements/route-watch.js';
import type { RouteWindow } from '../../elements/route-watch.js';
import { clear, find, nextTask, registered, render, runtimeOf } from './fixtures/elements-page.js';

const page = (routes: string, base = ''): string => `<oui-runtime base="${base}"></oui-runtime>
  <oui-surface surface-id="todo-app" name="Todos" description="A list." routes="${routes}">
    <oui-action action-id="do_it" description="Does it"></oui-action>
  </oui-surface>`;

/** What this test uses of the Navigation API. */
interface NavigationLike {
  navigate(path: string): { readonly finished: Promise<unknown> };
  addEventListener(type: 'navigate', listener: (event: { intercept(): void }) => void, options: { once: boolean }): void;
}

/** Values in the order in which they came, each awaited. */
function createQueue<T>(): { push(value: T): void; next(): Promise<T> } {
  const values: T[] = [];
  const waiting: ((value: T) => void)[] = [];
  return {
    push(value) {
      const first = waiting.shift();
      if (first) first(value);
      else values.push(value);
    },
    next: () => values.length > 0 ? Promise.resolve(values.shift()!) : new Promise((resolve) => waiting.push(resolve)),
  };
}

describe('routes', () => {
  const start = location.href;
  afterEach(async () => {
    history.replaceState(null, '', start);
    await clear();
  });

  it('offer a surface where they match, whichever way the address changes', async () => {
    history.replaceState(null, '', '/elsewhere');
    const root = await render(page('/todos /todos/**'));
    const steps: [string, () => void, string[]][] = [
      ['start', () => {}, []],
      ['push', () => history.pushState(null, '', '/todos'), ['todo-app']],
      ['deeper', () => history.pushState(null, '', '/todos/7?x=1'), ['todo-app']],
      ['replace', () => history.replaceState(null, '', '/about'), []],
    ];
    for (const [name, step, expected] of steps) {
      step();
      await nextTask();
      expect(registered(root), name).to.deep.equal(expected);
    }
    const back = new Promise((resolve) => addEventListener('popstate', resolve, { once: true }));
    history.back();
    await back;
    await nextTask();
    expect(registered(root), 'back').to.deep.equal(['todo-app']);
  });

  it('count beside inactive: a surface is offered while both say so', async () => {
    history.replaceState(null, '', '/todos');
    const root = await render(page('/todos'));
    const surface = find(root, 'oui-surface');
    const seen: string[][] = [registered(root)];
    for (const [inactive, path] of [[true, '/todos'], [true, '/about'], [false, '/about'], [false, '/todos']] as const) {
      surface.inactive = inactive;
      history.replaceState(null, '', path);
      await nextTask();
      seen.push(registered(root));
    }
    expect(seen).to.deep.equal([['todo-app'], [], [], [], ['todo-app']]);
  });

  it('with # follow the fragment', async () => {
    history.replaceState(null, '', '/app#/about');
    const root = await render(page('#/todos #/todos/*'));
    expect(registered(root)).to.deep.equal([]);
    const changed = new Promise((resolve) => addEventListener('hashchange', resolve, { once: true }));
    location.hash = '#/todos/7?sort=due';
    await changed;
    await nextTask();
    expect(registered(root)).to.deep.equal(['todo-app']);
  });

  it('are relative to the base of the runtime', async () => {
    history.replaceState(null, '', '/app/todos');
    expect(registered(await render(page('/todos', '/app/')))).to.deep.equal(['todo-app']);
    history.replaceState(null, '', '/todos');
    await clear();
    expect(registered(await render(page('/todos', '/app/')))).to.deep.equal([]);
  });

  it('are those of the document that a surface was moved into', async () => {
    history.replaceState(null, '', '/elsewhere');
    const root = await render(`${page('/todos')}<iframe src="/test/browser/fixtures/plain-page.html"></iframe>`);
    const frame = find(root, 'iframe');
    const surface = find(root, 'oui-surface');
    surface.runtime = runtimeOf(root);
    await new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
    const inside = frame.contentWindow as Window;
    inside.document.body.append(surface);
    await nextTask();
    expect(registered(root), 'there').to.deep.equal([]);
    inside.history.pushState(null, '', '/todos');
    await nextTask();
    expect(registered(root), 'where it matches').to.deep.equal(['todo-app']);
    root.append(surface);
    await nextTask();
    expect(registered(root), 'back').to.deep.equal([]);
    history.pushState(null, '', '/todos');
    await nextTask();
    expect(registered(root), 'back, where it matches').to.deep.equal(['todo-app']);
  });

  it('follow the Navigation API, also a navigation that a router intercepts', async () => {
    const { navigation } = window as { navigation?: NavigationLike };
    // Where there is none a router has the History API, tested above and below.
    const navigate = async (path: string): Promise<void> => {
      if (!navigation) return history.pushState(null, '', path);
      navigation.addEventListener('navigate', (event) => event.intercept(), { once: true });
      await navigation.navigate(path).finished;
    };
    history.replaceState(null, '', '/elsewhere');
    const root = await render(page('/todos /todos/**', '/app'));
    const seen: string[][] = [];
    for (const path of ['/app/todos', '/todos', '/app/todos/7', '/app']) {
      await navigate(path);
      await nextTask();
      seen.push(registered(root));
    }
    expect(seen).to.deep.equal([['todo-app'], [], ['todo-app'], []]);
    await clear();
    expect([Object.hasOwn(history, 'pushState'), Object.hasOwn(history, 'replaceState')]).to.deep.equal([false, false]);
  });

  it('are matched without a page too', () => {
    const at = (pathname: string, hash = ''): { pathname: string; hash: string } => ({ pathname, hash });
    expect(matchesLocation(['/'], at('/app'), '/app')).to.equal(true);
    expect(matchesLocation(['/x'], at('/application/x'), '/app')).to.equal(false);
    expect(matchesLocation(['#/'], at('/any'), '')).to.equal(true);
    expect(matchesLocation(['#/a', '/b'], at('/b', '#/c'), '')).to.equal(true);
  });
});

describe('watching the address without the Navigation API', () => {
  /** A window of a browser that has none. The iframe's history is real. */
  async function olderWindow(): Promise<{ window: RouteWindow; remove(): void }> {
    const frame = document.createElement('iframe');
    frame.src = '/test/browser/fixtures/plain-page.html';
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
    document.body.append(frame);
    await loaded;
    const { contentWindow } = frame;
    const { history, location } = contentWindow!;
    const window = Object.assign(new EventTarget(), { history, location, document: frame.contentDocument! });
    return { window, remove: () => frame.remove() };
  }

  it('hears pushState and replaceState, and puts them back', async () => {
    const { window, remove } = await olderWindow();
    const original = window.history.pushState;
    let first = 0;
    let second = 0;
    const release = watchRoute(() => (first += 1), window);
    const releaseSecond = watchRoute(() => (second += 1), window);
    window.history.replaceState(null, '', '#/a');
    window.history.pushState(null, '', '#/b');
    expect([first, second]).to.deep.equal([2, 2]);
    release();
    release();
    window.history.pushState(null, '', '#/c');
    expect([first, second]).to.deep.equal([2, 3]);
    releaseSecond();
    expect(window.history.pushState).to.equal(original);
    expect(Object.hasOwn(window.history, 'pushState')).to.equal(false);
    remove();
  });

  it('notices a router that took the methods before, or the prototype\'s, by what it shows', async () => {
    const { window, remove } = await olderWindow();
    const page = window.document!;
    const early = window.history.pushState.bind(window.history);
    const heard: string[] = [];
    const changes = createQueue<string>();
    const release = watchRoute(() => {
      heard.push(window.location.hash);
      changes.push(window.location.hash);
    }, window);
    const steps: [string, () => void][] = [
      ['#/bound', () => page.body.append('More')],
      ['#/prototype', () => page.body.toggleAttribute('hidden')],
    ];
    early(null, '', '#/bound');
    for (const [hash, show] of steps) {
      if (hash === '#/prototype') Object.getPrototypeOf(window.history).pushState.call(window.history, null, '', hash);
      show();
      expect(await changes.next()).to.equal(hash);
    }
    // What changes without the address is nothing.
    page.body.append('Still more');
    window.history.pushState(null, '', '#/told');
    expect(await changes.next()).to.equal('#/told');
    release();
    early(null, '', '#/after');
    page.body.append('Enough');
    await nextTask();
    expect(heard).to.deep.equal(['#/bound', '#/prototype', '#/told']);
    expect(Object.hasOwn(window.history, 'pushState')).to.equal(false);
    remove();
  });

  it('leaves a router its wrapper', async () => {
    const { window, remove } = await olderWindow();
    let heard = 0;
    let routed = 0;
    const release = watchRoute(() => (heard += 1), window);
    const ours = window.history.pushState;
    const theirs = function (this: History, ...args: Parameters<History['pushState']>): void {
      routed += 1;
      ours.apply(this, args);
    };
    window.history.pushState = theirs;
    window.history.pushState(null, '', '#/a');
    release();
    expect(window.history.pushState).to.equal(theirs);
    window.history.pushState(null, '', '#/b');
    expect([heard, routed]).to.deep.equal([1, 2]);
    remove();
  });
});
