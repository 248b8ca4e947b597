import { expect } from 'chai';
import { pageWork } from '../../src/surface/settle/track/page-work.js';
import type { ActionWork } from '../../src/surface/settle/track/action-work.js';
import { setHostTimer } from '../../src/protocol/timer.js';

/** The real functions of a page, while an action runs. */
describe('tracking the page\'s work', () => {
  let action: ActionWork;
  let whenRested: Promise<void>;
  let before: PropertyDescriptor[];

  const watched = (): PropertyDescriptor[] => [
    ...['fetch', 'setTimeout', 'clearTimeout', 'clearInterval'].map((name) => descriptor(window, name)),
    ...['json', 'text', 'blob', 'arrayBuffer', 'formData'].map((name) => descriptor(Response.prototype, name)),
    descriptor(XMLHttpRequest.prototype, 'send'),
    ...('startViewTransition' in document ? [descriptor(Document.prototype, 'startViewTransition')] : []),
  ];

  beforeEach(() => {
    before = watched();
    whenRested = new Promise((resolve) => {
      action = pageWork(true).begin({ now: () => performance.now(), rested: resolve });
    });
  });

  afterEach(() => {
    action.end();
    expect(watched()).to.deep.equal(before);
    expect(watched().every(({ value }, index) => value === before[index]!.value)).to.equal(true);
  });

  it('listens to functions that look as before', () => {
    for (const [index, { value, ...attributes }] of watched().entries()) {
      const { value: found, ...wanted } = before[index]!;
      const [ours, theirs] = [value, found] as [() => void, () => void];
      expect(ours === theirs, theirs.name).to.equal(false);
      expect(attributes).to.deep.equal(wanted);
      expect([ours.name, ours.length]).to.deep.equal([theirs.name, theirs.length]);
      expect(String(ours)).to.contain('[native code]');
    }
  });

  it('follows a request to the end of its body', async () => {
    const response = await fetch('/__slow__/20/body');
    expect(response).to.be.instanceOf(Response);
    expect(action.busy).to.equal(false);
    const text = response.text();
    expect(action.busy).to.equal(true);
    expect(JSON.parse(await text)).to.deep.equal({ after: 20 });
    expect(action.busy).to.equal(false);
  });

  it('leaves errors as they are', async () => {
    const failure = (call: () => unknown): unknown => {
      try {
        call();
      } catch (error) {
        return error;
      }
      return undefined;
    };
    expect(failure(() => (XMLHttpRequest.prototype.send as () => void).call({}))).to.be.instanceOf(TypeError);
    expect(failure(() => new XMLHttpRequest().send())).to.be.instanceOf(DOMException);
    const used = new Response('text');
    await used.text();
    expect(await used.text().then(() => undefined, (error: unknown) => error)).to.be.instanceOf(TypeError);
    const aborted = fetch('/__slow__/9000', { signal: AbortSignal.abort() });
    expect(await aborted.then(() => undefined, (error: unknown) => error)).to.have.property('name', 'AbortError');
    expect(action.busy).to.equal(false);
  });

  for (const [what, end] of [
    ['its answer', () => undefined],
    ['an abort', (request: XMLHttpRequest) => request.abort()],
  ] as const) {
    it(`follows an XMLHttpRequest to ${what}`, async () => {
      const request = new XMLHttpRequest();
      request.open('GET', '/__slow__/20');
      request.send();
      expect(action.busy).to.equal(true);
      end(request);
      await whenRested;
      expect(action.busy).to.equal(false);
    });
  }

  it('counts no synchronous XMLHttpRequest, which is done, and none that was aborted while it was sent', () => {
    const request = new XMLHttpRequest();
    request.open('GET', '/__slow__/1', false);
    request.send();
    const aborted = new XMLHttpRequest();
    aborted.open('GET', '/__slow__/9000');
    aborted.onloadstart = () => aborted.abort();
    aborted.send();
    expect(action.busy).to.equal(false);
  });

  it('follows timers, cleared ones and those of clearInterval too, but not its own', async () => {
    const release = setHostTimer(500, () => undefined);
    const ids = [setTimeout(() => undefined, 500), setTimeout(() => undefined, 500)];
    const given = new Promise((resolve) => setTimeout(resolve, 1, 'given'));
    clearTimeout(ids[0]);
    clearInterval(ids[1]);
    expect(action.busy).to.equal(true);
    expect(await given).to.equal('given');
    await whenRested;
    release();
  });

  it('follows a view transition, where there are any', async () => {
    if (!('startViewTransition' in document)) return;
    const transition = document.startViewTransition(() => undefined);
    expect(transition.finished).to.be.instanceOf(Promise);
    expect(action.busy).to.equal(true);
    await whenRested;
    const failed = document.startViewTransition(() => Promise.reject(new Error('no update')));
    expect(await failed.updateCallbackDone.then(() => '', (error: Error) => error.message)).to.equal('no update');
    await Promise.allSettled([failed.ready, failed.finished]);
    expect(action.busy).to.equal(false);
  });

  it('is at rest after a fragment, a pushState and a navigation that the page refuses', async () => {
    const { navigation } = window as { navigation?: Navigation };
    history.pushState(null, '', '#pushed');
    history.back();
    await new Promise((resolve) => addEventListener('popstate', resolve, { once: true }));
    location.hash = '';
    if (navigation) {
      const refuse = (event: Event): void => event.preventDefault();
      navigation.addEventListener('navigate', refuse);
      const { committed, finished } = navigation.navigate('?elsewhere');
      navigation.removeEventListener('navigate', refuse);
      await Promise.allSettled([committed, finished]);
    }
    history.replaceState(null, '', location.pathname + location.search);
    await new Promise((resolve) => setTimeout(resolve));
    expect(action.busy).to.equal(false);
  });
});

function descriptor(owner: object, name: string): PropertyDescriptor {
  const found = Object.getOwnPropertyDescriptor(owner, name);
  if (!found) throw new Error(`No ${name} here.`);
  return found;
}
