import { expect } from 'chai';
import type { OUIActionResult } from '../../src/protocol/events.js';
import { clear, find, nextTask, offered, render, runtimeOf } from './fixtures/elements-page.js';

const page = (controls: string): string => `<oui-runtime></oui-runtime>
  <oui-surface surface-id="forms" name="Forms" description="Forms.">
    <oui-action action-id="send" description="Sends" for="it" settle="none"></oui-action>
  </oui-surface>
  <form id="it">${controls}<button>Go</button></form>`;

const run = (root: ParentNode, params: unknown): Promise<OUIActionResult> => (
  runtimeOf(root).execute({ surfaceId: 'forms', actionId: 'send', params }));

/** Answers an agent with what the form would send. */
function answers(root: HTMLElement): void {
  root.addEventListener('submit', (event) => {
    event.preventDefault();
    const data = new FormData(event.target as HTMLFormElement);
    const sent = [...data].map(async ([name, value]) => (
      [name, typeof value === 'string' ? value : `${value.name} ${value.type} ${await value.text()}`]));
    event.respondWith!(Promise.all(sent));
  });
}

describe('files for a form', () => {
  afterEach(clear);

  it('come as attachments, one or several, and are sent as a person\'s would be', async () => {
    const root = await render(page(`<input type="file" name="cv" accept="text/plain" required>
      <input type="file" name="photos" accept="image/*" multiple>`));
    const asked: string[] = [];
    find(root, 'oui-runtime').attachments = {
      resolve(id) {
        asked.push(id);
        const type = id.startsWith('photo') ? 'image/png' : 'text/plain';
        return new File([`bytes of ${id}`], `${id}.file`, { type });
      },
    };
    await nextTask();
    answers(root);
    const changes: string[] = [];
    root.addEventListener('change', ({ target }) => changes.push((target as HTMLInputElement).name));
    await offered(root);
    const { data } = await run(root, { cv: 'cv-00001', photos: ['photo-01', 'photo-02'] });
    expect(data).to.deep.equal([
      ['cv', 'cv-00001.file text/plain bytes of cv-00001'],
      ['photos', 'photo-01.file image/png bytes of photo-01'],
      ['photos', 'photo-02.file image/png bytes of photo-02'],
    ]);
    expect([asked, changes]).to.deep.equal([['cv-00001', 'photo-01', 'photo-02'], ['cv', 'photos']]);
    expect([...find(root, 'input').files!].map(({ name }) => name)).to.deep.equal(['cv-00001.file']);

    // One of a wrong kind stops everything, and the form keeps what it has.
    const refused = await run(root, { cv: 'photo-03' });
    expect(refused.error!.code).to.equal('ATTACHMENT_UNAVAILABLE');
    expect(refused.error!.message).to.contain('cv: photo-03.file is image/png, and text/plain is taken');
    expect(find(root, 'input').files![0]!.name).to.equal('cv-00001.file');
    const fewer = await run(root, { cv: 'cv-00002', photos: [] });
    expect((fewer.data as string[][])[0]).to.deep.equal(['cv', 'cv-00002.file text/plain bytes of cv-00002']);
    expect(root.querySelector<HTMLInputElement>('[name=photos]')!.files!.length).to.equal(0);
  });
});

describe('emptying what is optional', () => {
  afterEach(clear);

  it('is a list of names, of fields whose own schema takes no empty value', async () => {
    const root = await render(page(`<input name="title" value="Tea"><input type="date" name="due" value="2026-01-02">
      <input type="number" name="count" value="3"><input type="email" name="mail" value="a@b.example" required>
      <input type="url" name="site" value="https://a.example"><input name="code" minlength="3" value="abc">`));
    answers(root);
    const { actions } = await offered(root);
    const { properties } = actions[0]!.input as { properties: { clear: { items: unknown } } };
    expect(properties.clear.items).to.deep.equal({ type: 'string', enum: ['due', 'count', 'site', 'code'] });
    const seen: string[] = [];
    root.addEventListener('input', ({ target }) => seen.push((target as HTMLInputElement).name));
    const { data, error } = await run(root, { title: '', clear: ['due', 'count', 'site', 'code'], count: 7 });
    expect(error?.message).to.equal(undefined);
    expect(Object.fromEntries(data as [string, string][])).to.deep.equal({
      title: '', due: '', count: '7', mail: 'a@b.example', site: '', code: '',
    });
    expect(seen.sort()).to.deep.equal(['code', 'count', 'due', 'site', 'title']);
    expect((await run(root, { clear: ['mail'] })).error).to.include({ code: 'VALIDATION_ERROR' });
  });

  it('leaves a field called "clear" to the form, takes a file out again, and is not there for nothing', async () => {
    const root = await render(page(`<input name="clear" value="x"><input type="file" name="cv">`));
    find(root, 'oui-runtime').attachments = { resolve: () => new File(['x'], 'a.txt') };
    await nextTask();
    answers(root);
    const { actions } = await offered(root);
    expect(Object.keys((actions[0]!.input as { properties: object }).properties)).to.deep.equal(['clear', 'cv', 'clear_fields']);
    await run(root, { cv: 'cv-00001' });
    const input = root.querySelector<HTMLInputElement>('input[type=file]')!;
    expect(input.files!.length).to.equal(1);
    expect((await run(root, { clear: 'y', clear_fields: ['cv'] })).data).to.deep.include(['clear', 'y']);
    expect(input.files!.length).to.equal(0);
    find(root, 'form').innerHTML = '<input name="title"><button>Go</button>';
    const later = await offered(root, (surface) => JSON.stringify(surface.actions[0]!.input).includes('title'));
    expect((later.actions[0]!.input as { properties: object }).properties).to.deep.equal({ title: { type: 'string' } });
  });
});
