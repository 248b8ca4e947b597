import { expect } from 'chai';
import '../../elements/oui-approval.define.js';
import { listedSurfaces } from '../../elements/inspector/page-surfaces.js';
import type { OuiRuntimeElement } from '../../elements/oui-runtime.js';
import type { OuiSurfaceElement } from '../../elements/oui-surface.js';
import { fillField } from '../../elements/page/fill-field.js';
import { whyOutOfReach } from '../../elements/page/press.js';
import type { InspectedSurface } from '../../src/surface/inspection.js';
import { find, nextFrame, nextTask, registered, render, runtimeOf, warningsOfEachTest } from './fixtures/elements-page.js';
import { addScript, importIn, openFrame } from './fixtures/frame-page.js';
import type { FramePage } from './fixtures/frame-page.js';
import { inspectorIn } from './fixtures/inspector-page.js';

const ACTION = '<oui-action action-id="do_it" description="Does it" effect="view"></oui-action>';
const SURFACE = `<oui-surface surface-id="todo-app" name="Todos" description="A list.">${ACTION}</oui-surface>`;
const RUNTIME = '<oui-runtime worker-src="none"></oui-runtime>';

/** The ids that a page's first runtime offers. */
function offeredIn({ document }: FramePage): string[] {
  const { runtime } = document.querySelector('oui-runtime') as OuiRuntimeElement;
  return runtime!.snapshot().surfaces!.map(({ id }) => id);
}

/** What a page was warned of. Advice is for authors: these pages are terse. */
const mistakes = ({ warnings: texts }: FramePage): string[] => texts.filter((text) => !text.includes('OUI1305'));

const warnings = warningsOfEachTest();

describe('a page and its script', () => {
  it('that comes after the markup was parsed', async () => {
    const page = openFrame(RUNTIME + SURFACE);
    await addScript(page, '/oui.iife.js');
    await nextTask();
    expect(offeredIn(page)).to.deep.equal(['todo-app']);
    expect(mistakes(page)).to.deep.equal([]);
  });

  it('that the server sends piece by piece: what comes late is there, and registers once', async () => {
    const frame = document.createElement('iframe');
    frame.dataset['test'] = '';
    const channel = `life-${Math.random().toString(36).slice(2)}`;
    const heard = (word: string) => new Promise<void>((resolve) => {
      const listen = ({ data, source }: MessageEvent): void => {
        if (data !== word || source !== frame.contentWindow) return;
        removeEventListener('message', listen);
        resolve();
      };
      addEventListener('message', listen);
    });
    const say = (word: string) => `<script>parent.postMessage('${word}', '*')</script>`;
    const send = (html = '') => fetch(`/__chunk__/${channel}/${encodeURIComponent(html)}`);
    const opened = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
    frame.src = `/__streamed__/${channel}`;
    document.body.append(frame);
    const first = heard('first');
    await untilAsked(frame);
    await send(`<script src="/oui.iife.js"></script>${RUNTIME}${SURFACE.replace('</oui-surface>', '')}${say('first')}`);
    await first;
    await nextTask();
    const page = frame.contentDocument!;
    expect(page.readyState).to.equal('loading');
    const { runtime } = page.querySelector('oui-runtime') as OuiRuntimeElement;
    let changes = 0;
    runtime!.subscribe(({ type }) => (changes += Number(type === 'surfaces')));

    const second = heard('second');
    await send(`<p>More</p>${ACTION.replace('do_it', 'do_more')}${say('second')}`);
    await second;
    await nextTask();
    expect([page.querySelectorAll('oui-action').length, changes]).to.deep.equal([2, 0]);

    await send(`${ACTION.replace('do_it', 'do_last')}</oui-surface>`);
    await send();
    await opened;
    await nextTask();
    const [surface] = runtime!.snapshot().surfaces!;
    expect(surface!.actions.map(({ id }) => id)).to.deep.equal(['do_it', 'do_more', 'do_last']);
    expect(changes).to.equal(1);
  });
});

describe('two copies of the library', () => {
  it('as two script tags, of two versions: one warning, and everything works', async () => {
    const page = openFrame(RUNTIME + SURFACE);
    await addScript(page, '/oui.iife.js');
    const other = await (await fetch('/oui.iife.js')).text();
    const blob = new Blob([other.replaceAll('oui-elements/0.1.0', 'oui-elements/9.9.9')], { type: 'text/javascript' });
    await addScript(page, URL.createObjectURL(blob));
    await nextTask();
    const twice = mistakes(page);
    expect(twice.length, twice.join('\n')).to.equal(1);
    expect(twice[0]).to.match(/OUI2002.*already defined by oui-elements\/0\.1\.0.*this is oui-elements\/9\.9\.9/);
    page.document.body.insertAdjacentHTML('beforeend', SURFACE.replace('todo-app', 'shop'));
    await nextTask();
    expect(offeredIn(page)).to.deep.equal(['todo-app', 'shop']);
  });

  it('as a script tag and a module: surfaces and runtimes of each work with the other\'s elements', async () => {
    const page = openFrame(`${RUNTIME}${SURFACE}<oui-surface></oui-surface>`);
    await addScript(page, '/oui.iife.js');
    const { defineSurface, createSurfaceRuntime } = await importIn(page, '/oui.js') as typeof import('../../src/entries/oui.js');
    expect(page.warnings.filter((text) => text.includes('OUI2002'))).to.have.length(1);
    const [, plain] = page.document.querySelectorAll('oui-surface') as NodeListOf<OuiSurfaceElement>;
    plain!.surface = defineSurface({
      id: 'shop', name: 'Shop', description: 'Sells.', actions: [{ id: 'buy', description: 'Buys', input: {}, handler: () => 1 }],
    });
    await nextTask();
    expect(offeredIn(page)).to.deep.equal(['todo-app', 'shop']);
    const runtime = createSurfaceRuntime({ worker: false });
    (page.document.querySelector('oui-runtime') as OuiRuntimeElement).runtime = runtime;
    await nextTask();
    expect(runtime.snapshot().surfaces!.map(({ id }) => id)).to.deep.equal(['todo-app', 'shop']);
    runtime.dispose();
  });

  it('with elements of both: parts find their surface, and surfaces their runtime', async () => {
    const form = '<form id="f"><input name="title"><button>Go</button></form>';
    const page = openFrame(`${RUNTIME}${SURFACE.replace('effect="view"', 'for="f"')}${form}`);
    const { customElements } = page.window;
    const { define } = customElements;
    customElements.define = function (tag, ...rest) {
      if (tag === 'oui-surface') define.call(this, tag, ...rest);
    };
    await addScript(page, '/oui.iife.js');
    customElements.define = define;
    await importIn(page, '/oui.js');
    const runtime = (page.document.querySelector('oui-runtime') as OuiRuntimeElement).runtime!;
    const [surface] = await new Promise<ReturnType<typeof runtime.snapshot>['surfaces'] & object>((resolve) => {
      const look = (): void => {
        const { surfaces } = runtime.snapshot();
        if (surfaces!.length > 0) resolve(surfaces!);
      };
      runtime.subscribe(look);
      look();
    });
    expect(surface!.actions[0]!.input).to.have.nested.property('properties.title');
    page.document.querySelector('oui-action')!.remove();
    await nextTask();
    expect(offeredIn(page)).to.deep.equal([]);
  });
});

describe('another document', () => {
  it('can be where an element is first put: it works there, and looks as it should', async () => {
    const root = await render('<oui-runtime></oui-runtime>');
    const page = openFrame();
    const made = document.createElement('div');
    made.innerHTML = SURFACE;
    const surface = find(made, 'oui-surface');
    surface.runtime = runtimeOf(root);
    page.document.body.append(surface);
    await nextTask();
    expect(registered(root)).to.deep.equal(['todo-app']);
    expect(page.window.getComputedStyle(surface).display).to.equal('contents');
    expect(page.window.getComputedStyle(surface.querySelector('oui-action')!).display).to.equal('none');
  });

  it('gives an element away: it belongs to the runtime of the document that it has come into', async () => {
    const root = await render('<oui-runtime></oui-runtime>');
    const page = openFrame(RUNTIME + SURFACE);
    await addScript(page, '/oui.iife.js');
    await nextTask();
    const surface = page.document.querySelector('oui-surface') as OuiSurfaceElement;
    expect([offeredIn(page), registered(root)]).to.deep.equal([['todo-app'], []]);
    root.append(surface);
    await nextTask();
    expect([offeredIn(page), registered(root)]).to.deep.equal([[], ['todo-app']]);
    expect(getComputedStyle(surface).display).to.equal('contents');
    page.document.body.append(surface);
    await nextTask();
    expect([offeredIn(page), registered(root)]).to.deep.equal([['todo-app'], []]);
    expect(page.window.getComputedStyle(surface).display).to.equal('contents');
  });

  it('takes elements that draw as they are: they look there as they did', async () => {
    const root = await render(`<oui-runtime></oui-runtime>${SURFACE}<oui-approval></oui-approval><oui-presence></oui-presence>
      <oui-inspector open></oui-inspector>`);
    root.addEventListener('oui-action', (event) => event.respondWith(1));
    void runtimeOf(root).execute({ surfaceId: 'todo-app', actionId: 'do_it' });
    const drawn = (['oui-approval', 'oui-presence', 'oui-inspector'] as const).map((tag) => find(root, tag));
    const looks = () => drawn.map(({ shadowRoot }) => (
      [...shadowRoot!.adoptedStyleSheets].flatMap(({ cssRules }) => Array.from(cssRules, ({ cssText }) => cssText))));
    await inspectorIn(root);
    await until(() => looks().every((rules) => rules.length > 3));
    const before = looks();
    const page = openFrame();
    page.document.body.append(...drawn);
    await nextTask();
    expect(looks()).to.deep.equal(before);
    const panel = drawn[2]!.shadowRoot!.querySelector('.panel')!;
    expect(page.window.getComputedStyle(panel).position).to.equal('fixed');
    // It goes on drawing there: with the frames of that window.
    panel.querySelector<HTMLElement>('#tab-calls')!.click();
    await until(() => panel.querySelector('#tab-calls[aria-selected=true]') !== null);
    root.append(...drawn);
    await nextTask();
    expect(looks()).to.deep.equal(before);
  });

  it('gives nodes away that are still known for what they are', async () => {
    const root = await render('<div></div>');
    const page = openFrame();
    const later = page.document.createElement('oui-not-defined-yet');
    later.innerHTML = ACTION;
    root.append(later);
    await nextTask();
    // The element around it may turn out to be its surface.
    expect(warnings.texts).to.deep.equal([]);
    const surface = page.document.createElement('oui-surface');
    expect(listedSurfaces([inspectedSurface(surface)], document)[0]!.element === surface).to.equal(true);
    const host = page.document.createElement('div');
    host.attachShadow({ mode: 'open' }).innerHTML = '<button>Go</button>';
    host.inert = true;
    root.append(host);
    expect(whyOutOfReach(host.shadowRoot!.querySelector('button')!, [])).to.contain('out of reach');
    const input = document.createElement('input');
    input.type = 'file';
    const file = new page.window.File(['text'], 'note.txt', { type: 'text/plain' });
    expect(fillField({ key: 'file', kind: 'file', controls: [input as never] }, file)).to.equal(undefined);
    expect(input.files![0]!.name).to.equal('note.txt');
  });

  it('without a window holds nothing but markup', async () => {
    const root = await render('<oui-runtime></oui-runtime>');
    const parsed = new DOMParser().parseFromString(SURFACE, 'text/html');
    await nextTask();
    expect(registered(root)).to.deep.equal([]);
    root.append(document.adoptNode(parsed.body.firstElementChild!));
    await nextTask();
    expect(registered(root)).to.deep.equal(['todo-app']);
    expect(warnings.texts).to.deep.equal([]);
  });

  it('gives a runtime away: it serves the document that it has come into', async () => {
    const root = await render(`<oui-runtime></oui-runtime>${SURFACE}`);
    const page = openFrame(SURFACE.replace('todo-app', 'shop'));
    await addScript(page, '/oui.iife.js');
    const element = find(root, 'oui-runtime');
    const { runtime } = element;
    page.document.body.append(element);
    await nextTask();
    expect(element.runtime === runtime, 'still the same runtime').to.equal(true);
    expect(offeredIn(page)).to.deep.equal(['shop']);
  });
});

function inspectedSurface(target: EventTarget): InspectedSurface {
  return { manifest: { id: 'a', name: 'A', description: 'A', actions: [] }, mounts: 1, target, values: new Map() };
}

async function until(wanted: () => boolean): Promise<void> {
  while (!wanted()) await nextFrame();
}

/** Resolves when the frame's page has begun to arrive. */
function untilAsked(frame: HTMLIFrameElement): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (frame.contentDocument?.querySelector('meta')) resolve();
      else requestAnimationFrame(look);
    };
    look();
  });
}
