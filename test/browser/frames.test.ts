import { expect } from 'chai';
import type { OuiFrameElement } from '../../elements/oui-frame.js';
import { mountFrame } from '../../src/bridges/mount-frame.js';
import type { OUIActionResult } from '../../src/protocol/events.js';
import type { SurfaceRuntime } from '../../src/surface/runtime.js';
import { find, nextTask, registered, render, runtimeOf, warningsOfEachTest } from './fixtures/elements-page.js';

/** The same server under another name: another origin. */
const OTHER = location.origin.replace(location.hostname, location.hostname === 'localhost' ? '127.0.0.1' : 'localhost');

const at = (origin: string, page: string, more = ''): string =>
  `${origin}/test/browser/fixtures/frames/${page}.html?host=${encodeURIComponent(location.origin)}${more}`;
const counter = (attributes = `src="${at(OTHER, 'counter')}" allow-origin="${OTHER}"`): string =>
  `<oui-frame name="City counter" surface-prefix="city" ${attributes}></oui-frame>`;
const plain = (ids: string, attributes = 'surface-prefix="plain"'): string =>
  `<oui-frame name="Plain" src="${at(OTHER, 'plain', `&ids=${ids}`)}" allow-origin="${OTHER}" ${attributes}></oui-frame>`;
const HOST = `<oui-runtime></oui-runtime>
  <oui-surface surface-id="todo-app" name="Todos" description="A list.">
    <oui-action action-id="do_it" description="Does it" effect="view"></oui-action></oui-surface>`;

describe('<oui-frame>', function () {
  // Frames load the library anew: a machine that does something else as well must not turn one red.
  this.timeout(60_000);
  const warnings = warningsOfEachTest();

  async function open(frames: string): Promise<HTMLElement> {
    const root = await render(HOST + frames);
    find(root, 'oui-action').handler = () => 'the page';
    return root;
  }

  /** Resolves once the page's runtime is as wanted. */
  function until(runtime: SurfaceRuntime, wanted: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!wanted()) return;
        queueMicrotask(release);
        resolve();
      };
      const release = runtime.subscribe(look);
      look();
    });
  }
  const has = (root: HTMLElement, ...ids: string[]): Promise<void> =>
    until(runtimeOf(root), () => ids.every((id) => registered(root).includes(id)));
  const hasNot = (root: HTMLElement, id: string): Promise<void> =>
    until(runtimeOf(root), () => !registered(root).includes(id));
  const call = (root: HTMLElement, surfaceId: string, actionId: string, params: object = {}): Promise<OUIActionResult> =>
    runtimeOf(root).execute({ surfaceId, actionId, params });
  const works = async (root: HTMLElement): Promise<void> => {
    expect((await call(root, 'todo-app', 'do_it')).data).to.equal('the page');
  };
  const innerOf = (frame: OuiFrameElement): HTMLIFrameElement => frame.shadowRoot!.querySelector('iframe')!;
  const windowOf = (frame: OuiFrameElement): Window => innerOf(frame).contentWindow!;
  const tell = (frame: OuiFrameElement, what: object): void => windowOf(frame).postMessage(what, '*');
  const event = (frame: OuiFrameElement, type: string): Promise<Event> =>
    new Promise((resolve) => frame.addEventListener(type, resolve, { once: true }));

  it('takes the surfaces of a page of another origin in, and asks it for what they do', async () => {
    const root = await open(counter());
    const frame = find(root, 'oui-frame');
    const connected = event(frame, 'oui-frame-connected');
    await has(root, 'city--counter-app');
    expect(await connected).to.include({ connected: true, bubbles: false });
    expect(frame.connected).to.equal(true);
    expect(frame.surfaceIds).to.deep.equal(['city--counter-app']);
    expect(innerOf(frame).title).to.equal('City counter');
    const seen = runtimeOf(root).snapshot().surfaces!.find(({ id }) => id === 'city--counter-app')!;
    expect(seen.name).to.equal('City counter: Counter');
    const result = await call(root, 'city--counter-app', 'increment', { by: 2 });
    expect(result.data).to.deep.equal({ origin: OTHER });
    expect(runtimeOf(root).snapshot().observations['city--counter-app']).to.deep.include({ count: 2 });
    const refused = await call(root, 'city--counter-app', 'increment', { by: 'two' });
    expect(refused.error?.code).to.equal('VALIDATION_ERROR');
    expect(warnings.texts).to.deep.equal([]);
  });

  it('has its user asked by this page, with the exact values', async () => {
    const root = await open(counter());
    const asked: unknown[] = [];
    find(root, 'oui-runtime').approve = ({ surfaceName, params }) => {
      asked.push([surfaceName, params]);
      return asked.length === 2;
    };
    await has(root, 'city--counter-app');
    const denied = await call(root, 'city--counter-app', 'pay_fare', { sum: 3 });
    const paid = await call(root, 'city--counter-app', 'pay_fare', { sum: 4 });
    expect([denied.error?.code, paid.data]).to.deep.equal(['ACTION_DENIED', { paid: 4 }]);
    expect(asked).to.deep.equal([['City counter: Counter', { sum: 3 }], ['City counter: Counter', { sum: 4 }]]);
  });

  it('follows a job of its plugin\'s to the end', async () => {
    const root = await open(counter());
    await has(root, 'city--counter-app');
    const status = (): unknown => runtimeOf(root).snapshot().observations['city--counter-app']?.['city--counter-app:count_slowly:status'];
    const job = call(root, 'city--counter-app', 'count_slowly');
    await until(runtimeOf(root), () => (status() as { at?: number } | undefined)?.at === 1);
    await call(root, 'city--counter-app', 'go_on');
    expect((await job).data).to.deep.equal({ counted: true });
  });

  it('speaks with a sandboxed page, which has no origin, when it is told to', async () => {
    const root = await open(counter(`src="${at(location.origin, 'counter')}" allow-origin="opaque"`));
    await has(root, 'city--counter-app');
    expect(innerOf(find(root, 'oui-frame')).getAttribute('sandbox')).to.equal('allow-scripts');
    expect((await call(root, 'city--counter-app', 'increment', { by: 1 })).data).to.deep.equal({ origin: 'null' });
  });

  it('takes an iframe of the author\'s own, with srcdoc too', async () => {
    const html = await (await fetch(at(location.origin, 'plain'))).text();
    const root = await open(`<oui-frame allow-origin="${location.origin}"></oui-frame>`);
    const iframe = document.createElement('iframe');
    iframe.title = 'My plugin';
    const script = html.replace('location.search', JSON.stringify(`?ids=note-pad&host=${encodeURIComponent(location.origin)}`));
    iframe.srcdoc = script.replace(/<script type="module"[^]*?<\/script>/g, '');
    find(root, 'oui-frame').append(iframe);
    await has(root, 'my-plugin--note-pad');
    expect((await call(root, 'my-plugin--note-pad', 'do_it')).data).to.deep.equal({ did: 'note-pad' });
    iframe.remove();
    await hasNot(root, 'my-plugin--note-pad');
  });

  it('ignores frames of other origins without a word, and says so when its own src is of another', async () => {
    // A redirect would do the same: the address is the allowed one, and the page is not.
    const root = await open(plain('good-one') + '<oui-frame name="Away" allow-origin="https://plugin.example"><iframe></iframe></oui-frame>');
    const [, away] = root.querySelectorAll('oui-frame');
    away!.querySelector('iframe')!.srcdoc = '<script>parent.postMessage({__oui__: true, handshake: "oui-v1"}, "*");'
      + 'parent.postMessage({told: true}, "*")</script>';
    await new Promise<void>((resolve) => {
      const hear = ({ data }: MessageEvent<{ told?: boolean }>): void => {
        if (!data.told) return;
        removeEventListener('message', hear);
        resolve();
      };
      addEventListener('message', hear);
    });
    await has(root, 'plain--good-one');
    expect(away!.connected).to.equal(false);
    expect(warnings.texts).to.deep.equal([]);
    const wrong = await open(counter(`src="${at(OTHER, 'counter')}" allow-origin="${location.origin}"`));
    await warnings.next(/<oui-frame name="City counter"> takes no part in the page\. The frame's src is of http.+ and what is allowed is/);
    expect(find(wrong, 'oui-frame').surfaceIds).to.deep.equal([]);
  });

  it('warns of what is missing', async () => {
    await open(`<oui-frame name="No origin" src="${at(OTHER, 'empty')}"></oui-frame>`
      + `<oui-frame allow-origin="${OTHER}" src="${at(OTHER, 'empty')}"></oui-frame>`
      + `<oui-frame name="Any" allow-origin="*" src="${at(OTHER, 'empty')}"></oui-frame>`
      + `<oui-frame name="Boxed" allow-origin="${OTHER}" src="${at(OTHER, 'empty')}" sandbox="allow-scripts"></oui-frame>`);
    await warnings.next(/<oui-frame name="No origin"> needs allow-origin, the exact origin of its plugin/);
    await warnings.next(/<oui-frame> needs a name/);
    await warnings.next(/<oui-frame name="Any"> takes no part in the page\./);
    await warnings.next(/<oui-frame name="Boxed"> takes no part in the page\. The frame's sandbox is without allow-same-origin/);
  });

  it('keeps several apart, two of one plugin too', async () => {
    const root = await open(counter() + counter() + plain('counter-app,todo-app,oui'));
    await has(root, 'city--counter-app', 'city-2--counter-app', 'plain--todo-app', 'plain--counter-app');
    await call(root, 'city-2--counter-app', 'increment', { by: 5 });
    const { observations } = runtimeOf(root).snapshot();
    expect([observations['city--counter-app'], observations['city-2--counter-app']]).to.deep.equal([{ count: 0 }, { count: 5 }]);
    expect((await call(root, 'plain--todo-app', 'do_it')).data).to.deep.equal({ did: 'todo-app' });
    expect(registered(root)).to.not.include.members(['oui', 'plain--oui']);
    await works(root);
  });

  it('answers the open call of a plugin that loads anew, and runs it once', async () => {
    const root = await open(counter());
    const frame = find(root, 'oui-frame');
    await has(root, 'city--counter-app');
    const gone = event(frame, 'oui-frame-disconnected');
    const answered = call(root, 'city--counter-app', 'load_anew', { answer: true });
    await gone;
    expect(await answered).to.deep.include({ success: true, data: { left: true } });
    await has(root, 'city--counter-app');
    const lost = await call(root, 'city--counter-app', 'load_anew', { answer: false });
    expect([lost.error?.code, (lost.error?.details as { ran?: unknown }).ran]).to.deep.equal(['SURFACE_UNAVAILABLE', 'unknown']);
    await has(root, 'city--counter-app');
    expect((await call(root, 'city--counter-app', 'starts')).data).to.equal(2);
  });

  it('lets the surfaces go of a page that is left for another, whatever it speaks', async () => {
    const root = await open(counter() + plain('note-pad'));
    const [first, second] = root.querySelectorAll('oui-frame');
    const nextLoad = (): Promise<Event> =>
      new Promise((resolve) => innerOf(second!).addEventListener('load', resolve, { once: true }));
    await Promise.all([nextLoad(), has(root, 'city--counter-app', 'plain--note-pad')]);
    windowOf(first!).location.href = at(OTHER, 'empty');
    await hasNot(root, 'city--counter-app');
    // It says nothing when it goes. Where it connected only after its own load, it is asked for a sign of life first.
    const settleLoad = (): boolean => innerOf(second!).dispatchEvent(new Event('load'));
    settleLoad();
    tell(second!, { go: at(OTHER, 'empty') });
    await Promise.all([nextLoad(), hasNot(root, 'plain--note-pad')]);
    windowOf(second!).location.href = at(OTHER, 'plain', '&ids=other-pad');
    await Promise.all([nextLoad(), has(root, 'plain--other-pad')]);
    // The allowed origin is left as well: nothing is heard of what comes then.
    settleLoad();
    windowOf(second!).location.href = at(location.origin, 'plain', '&ids=evil-pad');
    await Promise.all([nextLoad(), hasNot(root, 'plain--other-pad')]);
    await works(root);
  });

  it('stands and falls with its element', async () => {
    const root = await open(counter('') + '<section></section>');
    const frame = find(root, 'oui-frame');
    Object.assign(frame, { src: at(OTHER, 'counter'), allowOrigin: OTHER });
    await has(root, 'city--counter-app');
    // Moved: it loads anew, as every iframe does, and is the same plugin.
    find(root, 'section').append(frame);
    await hasNot(root, 'city--counter-app');
    await has(root, 'city--counter-app');
    frame.surfacePrefix = 'town';
    await has(root, 'town--counter-app');
    frame.allowOrigin = 'https://plugin.example';
    await hasNot(root, 'town--counter-app');
    frame.allowOrigin = OTHER;
    await has(root, 'town--counter-app');
    frame.src = at(OTHER, 'plain', '&ids=note-pad');
    await has(root, 'town--note-pad');
    expect(registered(root)).to.not.include('town--counter-app');
    frame.remove();
    await hasNot(root, 'town--note-pad');
    expect(frame.connected).to.equal(false);
  });

  it('is gone when its iframe is taken out by a script that tells nobody, and comes back with it', async () => {
    const root = await open('<section></section>');
    const section = find(root, 'section');
    const shadow = section.attachShadow({ mode: 'open' });
    const frame = document.createElement('iframe');
    frame.src = at(OTHER, 'counter');
    shadow.append(frame);
    const told: (string | undefined)[] = [];
    const mounted = mountFrame(runtimeOf(root), frame, {
      allowOrigin: OTHER, prefix: 'city', onConnection: (connected, reason) => told.push(connected ? 'there' : reason),
    });
    await has(root, 'city--counter-app');
    frame.remove();
    await hasNot(root, 'city--counter-app');
    expect([mounted.connected, told]).to.deep.equal([false, ['there', 'its frame was taken out of the document']]);
    await works(root);
    shadow.append(frame);
    await has(root, 'city--counter-app');
    // With what is around it, too, whatever tree that stands in; and moved in one go it loads anew.
    section.remove();
    await hasNot(root, 'city--counter-app');
    root.append(section);
    await has(root, 'city--counter-app');
    root.append(frame);
    await hasNot(root, 'city--counter-app');
    await has(root, 'city--counter-app');
    // The tree around it stays its own when its host goes into another's.
    shadow.append(frame);
    await has(root, 'city--counter-app');
    const outer = root.appendChild(document.createElement('div'));
    outer.attachShadow({ mode: 'closed' }).append(section);
    await hasNot(root, 'city--counter-app');
    await has(root, 'city--counter-app');
    section.remove();
    await hasNot(root, 'city--counter-app');
    expect(told.at(-1)).to.equal('its frame was taken out of the document');
    mounted.unmount();
    expect(registered(root)).to.not.include('city--counter-app');
  });

  it('waits for a runtime that comes late, and goes to the next when that one goes', async () => {
    const root = await render(counter());
    const runtime = document.createElement('oui-runtime');
    root.prepend(runtime);
    await nextTask();
    await has(root, 'city--counter-app');
    runtime.remove();
    await nextTask();
    root.append(document.createElement('oui-runtime'));
    await nextTask();
    await has(root, 'city--counter-app');
  });

  it('passes on what an iframe has, and loads it anew when its sandbox changes', async () => {
    const root = await open(counter(`src="${at(OTHER, 'empty')}" allow-origin="${OTHER}" allow="clipboard-write" sandbox="allow-scripts allow-same-origin"`));
    const frame = find(root, 'oui-frame');
    const inner = () => innerOf(frame);
    expect([inner().allow, inner().getAttribute('sandbox'), inner().getAttribute('style')]).to.deep.equal([
      'clipboard-write', 'allow-scripts allow-same-origin', null,
    ]);
    const before = inner();
    frame.setAttribute('sandbox', '');
    await nextTask();
    expect(inner() === before, 'the iframe of before').to.equal(false);
    expect(inner().getAttribute('sandbox')).to.equal('');
  });

  it('cuts off a plugin that floods the page, which goes on', async () => {
    const root = await open(plain('note-pad') + counter());
    const [frame] = root.querySelectorAll('oui-frame');
    await has(root, 'plain--note-pad', 'city--counter-app');
    const gone = event(frame!, 'oui-frame-disconnected');
    tell(frame!, { flood: true });
    expect(await gone).to.include({ reason: 'it sent more than a page can bear' });
    expect(registered(root)).to.deep.equal(['todo-app', 'city--counter-app']);
    await works(root);
    expect((await call(root, 'city--counter-app', 'increment', { by: 1 })).success).to.equal(true);
    expect(warnings.texts.filter((text) => text.includes('OUI21'))).to.have.length(1);
  });

  it('takes what a plugin says of another for its own', async () => {
    const root = await open(plain('note-pad') + plain('bad-pad', 'surface-prefix="evil"'));
    const [, evil] = root.querySelectorAll('oui-frame');
    await has(root, 'plain--note-pad', 'evil--bad-pad');
    tell(evil!, { say: ['surface:deregister', { surfaceId: 'plain--note-pad', timestamp: Date.now() }] });
    tell(evil!, { say: ['surface:deregister', { surfaceId: 'note-pad', timestamp: Date.now() }] });
    tell(evil!, { say: ['surface:deregister', { surfaceId: 'bad-pad', timestamp: Date.now() }] });
    await hasNot(root, 'evil--bad-pad');
    expect((await call(root, 'plain--note-pad', 'do_it')).data).to.deep.equal({ did: 'note-pad' });
  });
});

describe('a page under a strict policy', function () {
  // Frames load the library anew: a machine that does something else as well must not turn one red.
  this.timeout(60_000);

  it('has a plugin, from the bundles, without one violation', async () => {
    const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; "
      + "worker-src 'self'; require-trusted-types-for 'script'; trusted-types oui";
    const frame = document.createElement('iframe');
    const headers = encodeURIComponent(JSON.stringify({ 'Content-Security-Policy': policy }));
    const told: unknown[] = [];
    const done = new Promise<void>((resolve) => {
      const hear = ({ data }: MessageEvent<{ strict?: unknown }>): void => {
        if (data.strict === undefined) return;
        told.push(data.strict);
        if (typeof data.strict !== 'object') return;
        removeEventListener('message', hear);
        resolve();
      };
      addEventListener('message', hear);
    });
    frame.src = `/__headers__/${headers}/test/browser/fixtures/frames/strict-host.html`;
    document.body.append(frame);
    await done;
    frame.remove();
    expect(told).to.deep.equal([{ origin: location.origin }]);
  });
});
