import { expect } from 'chai';
import { signal } from '@preact/signals-core';
import { encodeValue } from '../../src/rules/encode-value.js';
import { valueOf, valueRows } from '../unit/rules/value-table.js';
import { clear, collectWarnings, find, nextTask, render, runtimeOf } from './fixtures/elements-page.js';
import type { CollectedWarnings } from './fixtures/elements-page.js';

const VUE = '/node_modules/vue/dist/vue.runtime.esm-browser.prod.js';
const SECRET = 'correct horse battery';

const text = (value: unknown): string | undefined => encodeValue(value).text;

/** A document of its own. What it makes are objects of another realm. */
async function frame(attributes = ''): Promise<Window & typeof globalThis> {
  const root = await render(`<iframe ${attributes}></iframe>`);
  return root.querySelector('iframe')!.contentWindow as Window & typeof globalThis;
}

describe('values of a page', () => {
  let Vue: typeof import('vue');
  let rows: ReturnType<typeof valueRows>;
  before(async () => {
    Vue = (await import(VUE)) as typeof import('vue');
    rows = valueRows(await (await fetch('/README.md')).text());
  });
  afterEach(clear);

  it('become what the table in the README says', () => {
    expect(rows.length).to.be.greaterThan(30);
    for (const row of rows) {
      const { text: json, problems } = encodeValue(valueOf(row, { signal, Vue }));
      expect([row.code, json, problems.length > 0]).to.deep.equal([row.code, row.json, row.isReported]);
    }
  });

  it('that are part of the document are not looked into, whatever libraries have put on them', async () => {
    const root = await render(`<form><label>Name <input name="nodeType"></label>
      <input type="password" name="pin" value="${SECRET}"><p data-oui-private>${SECRET}</p></form>`);
    const form = root.querySelector('form')!;
    const password = root.querySelector<HTMLInputElement>('[type=password]')!;
    // As React and others keep what they know of an element.
    Object.assign(password, { __reactProps$x1: { value: SECRET }, __secret: [SECRET] });
    Object.assign(form, { __data: { pin: password } });
    const event = new InputEvent('input', { data: SECRET });
    password.dispatchEvent(event);
    sessionStorage.setItem('values-test', SECRET);
    const parts = {
      password, form, event, data: new FormData(form), children: form.children, nodes: form.childNodes, elements: form.elements,
      text: password.firstChild ?? root.firstChild, attributes: password.attributes, document, window, storage: sessionStorage,
      hidden: root.querySelector('[data-oui-private]'), style: form.style, selection: getSelection(), validity: password.validity,
    };
    const json = text(parts)!;
    expect(json).not.to.contain(SECRET);
    expect(JSON.parse(json)).to.deep.equal(Object.fromEntries(Object.keys(parts).map((key) => [key, null])));
    expect(text(form)).to.equal('null');
    expect(text(new Map([[password, 1]]))).to.equal('[[null,1]]');
    expect(text(Vue.reactive({ element: Vue.markRaw(password), list: [Vue.shallowRef(password)] }))).to.equal(
      '{"element":null,"list":[null]}',
    );
    sessionStorage.removeItem('values-test');
  });

  it('of another realm are what they are in their own', async () => {
    const other = await frame();
    const make = (code: string): unknown => (other as unknown as { eval(code: string): unknown }).eval(`(${code})`);
    const json = (code: string): string | undefined => text(make(code));
    expect(make('[]')).not.to.be.instanceOf(Array);
    expect(json('{ a: [1, { b: 2 }], c: Object.create(null) }')).to.equal('{"a":[1,{"b":2}],"c":{}}');
    expect(json('new Map([["a", new Set([1])]])')).to.equal('{"a":[1]}');
    expect(json('[new Date(0), /a/g, new Uint8Array([1]), new URL("https://a.example/")]')).to.equal(
      '["1970-01-01T00:00:00.000Z","/a/g",[1],"https://a.example/"]',
    );
    expect(json('new TypeError("no")')).to.equal('{"name":"TypeError","message":"no"}');
    expect(json('new (class { x = 1 })()')).to.equal('{"x":1}');
    expect(json('document.body')).to.equal('null');
    expect(encodeValue(make('{ a: [1, { b: 2 }] }')).problems).to.deep.equal([]);
  });

  it('of another origin are none', async () => {
    const other = await frame('sandbox');
    expect(() => other.document.title).to.throw();
    const json = text({ other, after: 1 })!;
    expect(JSON.parse(json)).to.have.property('after', 1);
    expect(json).to.match(/^\{"other":(null|\{\}),"after":1\}$/);
  });

  it('that are files say what they are and not what is in them', () => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([SECRET], 'a.txt', { type: 'text/plain', lastModified: 5 }));
    const file = { name: 'a.txt', type: 'text/plain', size: SECRET.length, lastModified: 5 };
    expect(JSON.parse(text({ files: transfer.files, one: transfer.files[0] })!)).to.deep.equal({ files: [file], one: file });
    expect(text(transfer)).to.equal('null');
  });

  it('that know their JSON have it', () => {
    expect(JSON.parse(text({ box: new DOMRect(1, 2, 3, 4) })!)).to.deep.include({
      box: { x: 1, y: 2, width: 3, height: 4, top: 2, right: 4, bottom: 6, left: 1 },
    });
  });

  it('of Vue have their data, and nothing of Vue', () => {
    const count = Vue.ref(1);
    const state = Vue.reactive({
      count, twice: Vue.computed(() => count.value * 2), when: new Date(0), tags: new Set(['a']), rows: [{ id: 1 }],
    });
    const json = '{"count":1,"twice":2,"when":"1970-01-01T00:00:00.000Z","tags":["a"],"rows":[{"id":1}]}';
    expect(text(state)).to.equal(json);
    expect(text(Vue.ref(state))).to.equal(json);
    expect(text(Vue.readonly(state))).to.equal(json);
    expect(text({ refs: Vue.toRefs(state) })).to.equal(`{"refs":${json}}`);
    expect(encodeValue(Vue.reactive({ a: [1, { b: 2 }] })).problems).to.deep.equal([]);
  });

  describe('in an observation', () => {
    let warnings: CollectedWarnings;
    beforeEach(() => (warnings = collectWarnings()));
    afterEach(() => {
      warnings.stop();
    });

    it('never take a password along, and the author is told where', async () => {
      const root = await render(`<oui-runtime></oui-runtime>
        <oui-surface surface-id="sign-in" name="Sign in" description="Signs in.">
          <oui-action action-id="do_it" description="Does it"></oui-action>
          <oui-observation observation-id="form_now" description="The form"></oui-observation>
        </oui-surface>
        <form><input type="password" name="pin" value="${SECRET}"></form>`);
      const form = root.querySelector('form')!;
      find(root, 'oui-observation').value = { form, fields: [...form.elements], entries: new FormData(form) };
      await nextTask();
      expect(runtimeOf(root).snapshot().observations).to.deep.equal({
        'sign-in': { form_now: { form: null, fields: [null], entries: null } },
      });
      const name = '[OUI1006] Observation "form_now" of surface "sign-in": its value at ';
      expect(warnings.texts).to.deep.equal([
        `${name}/form is of type HTMLFormElement, which has no JSON form; null was sent.`,
        `${name}/fields/0 is of type HTMLInputElement, which has no JSON form; null was sent.`,
        `${name}/entries is of type FormData, which has no JSON form; null was sent.`,
      ]);
    });

    it('stay while the surface is inactive', async () => {
      const root = await render(`<oui-runtime></oui-runtime>
        <oui-surface surface-id="todo-app" name="Todos" description="A list.">
          <oui-action action-id="do_it" description="Does it"></oui-action>
          <oui-observation observation-id="by_value" description="Set"></oui-observation>
          <oui-observation observation-id="by_signal" description="Followed"></oui-observation>
        </oui-surface>`);
      const surface = find(root, 'oui-surface');
      const [byValue, bySignal] = root.querySelectorAll('oui-observation');
      const count = signal(1);
      byValue!.value = { list: [1] };
      bySignal!.signal = count;
      const shown = (): unknown => runtimeOf(root).snapshot().observations['todo-app'];
      await nextTask();
      expect(shown()).to.deep.equal({ by_value: { list: [1] }, by_signal: 1 });
      surface.inactive = true;
      await nextTask();
      expect(shown()).to.equal(undefined);
      count.value = 2;
      surface.inactive = false;
      await nextTask();
      expect(shown()).to.deep.equal({ by_value: { list: [1] }, by_signal: 2 });
      expect(warnings.texts).to.deep.equal([]);
    });
  });
});
