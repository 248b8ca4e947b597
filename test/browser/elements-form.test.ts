import { expect } from 'chai';
import { valuesOf } from '../../elements/page/form-values.js';
import type { OUIActionResult } from '../../src/protocol/events.js';
import type { OUIAction } from '../../src/protocol/manifest.js';
import { manifestAdvice } from '../../src/validation/manifest-advice.js';
import { clear, find, offered, render, runtimeOf, warningsOfEachTest } from './fixtures/elements-page.js';

const ACTION = '<oui-action action-id="do_it" description="Does it" for="it" settle="none"></oui-action>';

const page = (content: string, parts = ACTION): string => (
  `<oui-runtime></oui-runtime><oui-surface surface-id="forms" name="Forms" description="Forms.">${parts}</oui-surface>`
  + content);

const form = (controls: string, attributes = ''): string => `<form id="it" ${attributes}>${controls}</form>`;

type Schema = { readonly properties: { readonly [name: string]: unknown }; readonly required?: readonly string[] };

async function schemaOf(root: ParentNode): Promise<Schema> {
  return (await offered(root)).actions[0]!.input as Schema;
}

const run = (root: ParentNode, params: unknown = {}): Promise<OUIActionResult> => (
  runtimeOf(root).execute({ surfaceId: 'forms', actionId: 'do_it', params }));

/** What a page's own listener sees when the form is submitted. It stays on the page. */
function submissions(root: HTMLElement): { readonly [name: string]: unknown }[] {
  const seen: { readonly [name: string]: unknown }[] = [];
  root.addEventListener('submit', (event) => {
    event.preventDefault();
    const data = new FormData(event.target as HTMLFormElement, (event as SubmitEvent).submitter);
    seen.push(Object.fromEntries([...new Set(data.keys())].map((name) => {
      const values = data.getAll(name);
      return [name, values.length > 1 ? values : values[0]];
    })));
  });
  return seen;
}

class StarRating extends HTMLElement {
  static readonly formAssociated = true;
  readonly #internals = this.attachInternals();
  #value = 0;

  get value(): number {
    return this.#value;
  }

  set value(value: number) {
    this.#value = value;
    this.#internals.setFormValue(String(value));
    this.#internals.setValidity(value > 5 ? { rangeOverflow: true } : {}, value > 5 ? 'Five stars at most' : '');
  }
}
customElements.define('star-rating', StarRating);

const warnings = warningsOfEachTest();

describe('the schema of <oui-action for> a form', () => {
  it('has each kind of control with its constraints', async () => {
    const root = await render(page(form(`
      <input name="title" required minlength="2" maxlength="9" pattern="[a-z]+">
      <input name="code" pattern="[A-Z]{2}">
      <input type="search" name="query">
      <input type="tel" name="phone">
      <input type="url" name="site">
      <input type="email" name="mail">
      <input type="email" name="mails" multiple>
      <input type="number" name="count" min="0" max="10" step="5">
      <input type="number" name="price" step="0.01">
      <input type="number" name="ratio" step="any" min="-1">
      <input type="range" name="level">
      <input type="date" name="day" min="2026-01-01">
      <input type="time" name="at" required>
      <input type="color" name="shade" required>
      <textarea name="notes" maxlength="500"></textarea>
      <input type="checkbox" name="urgent">
      <input type="checkbox" name="terms" required>
      <input type="checkbox" name="tags" value="a"><input type="checkbox" name="tags" value="b">
      <input type="radio" name="size" value="s" required><input type="radio" name="size" value="m">
      <select name="kind" required><option value="">Choose</option><option value="x">x</option><option disabled>y</option>
      </select>
      <select name="sort"><option value="">Any</option><option>new</option></select>
      <select name="many" multiple required><option>1</option><option>2</option></select>
      <input name="fruit" list="fruits"><datalist id="fruits"><option value="apple"><option value="pear"></datalist>
      <input name="link[]"><input name="link[]">
      <input name="address[street]">
      <input type="file" name="cv" accept="application/pdf">
      <input type="file" name="photos" accept="image/*,.heic" multiple>
      <star-rating name="stars"></star-rating>`)));
    const { properties, required } = await schemaOf(root);
    expect(properties).to.deep.equal({
      title: { type: 'string', minLength: 2, maxLength: 9, pattern: '^(?:[a-z]+)$' },
      code: { type: 'string', pattern: '^(?:(?:[A-Z]{2}))?$' },
      query: { type: 'string' },
      phone: { type: 'string' },
      site: { type: 'string', format: 'uri' },
      mail: { type: 'string', format: 'email' },
      mails: { type: 'array', items: { type: 'string', format: 'email' } },
      count: { type: 'integer', minimum: 0, maximum: 10, multipleOf: 5 },
      price: { type: 'number', description: 'In steps of 0.01.' },
      ratio: { type: 'number', minimum: -1 },
      level: { type: 'integer', minimum: 0, maximum: 100 },
      day: { type: 'string', format: 'date', description: 'Not before 2026-01-01.' },
      at: {
        type: 'string',
        maxLength: 12,
        pattern: '^(?:([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(\\.\\d{1,3})?)?)$',
        description: 'Time of day, such as 14:30.',
      },
      shade: { type: 'string', maxLength: 7, pattern: '^(?:#[0-9a-fA-F]{6})$', description: 'Colour, such as #3366ff.' },
      notes: { type: 'string', maxLength: 500 },
      urgent: { type: 'boolean' },
      terms: { type: 'boolean', const: true },
      tags: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, maxItems: 2 },
      size: { type: 'string', enum: ['s', 'm'] },
      kind: { type: 'string', enum: ['x'] },
      sort: { type: 'string', enum: ['Any', 'new'] },
      many: { type: 'array', items: { type: 'string', enum: ['1', '2'] }, maxItems: 2, minItems: 1 },
      fruit: { type: 'string', examples: ['apple', 'pear'] },
      link: { type: 'array', items: { type: 'string' }, maxItems: 2 },
      address_street: { type: 'string' },
      cv: {
        type: 'string', format: 'oui-attachment', 'x-oui-attachment': { as: 'file', mediaTypes: ['application/pdf'] },
      },
      photos: {
        type: 'array',
        items: { type: 'string', format: 'oui-attachment', 'x-oui-attachment': { as: 'file' } },
        maxItems: 20,
        description: 'Files of these kinds: image/*, .heic.',
      },
      stars: { type: 'number' },
      clear: {
        type: 'array',
        items: { type: 'string', enum: ['site', 'mail', 'count', 'price', 'ratio', 'day', 'cv'] },
        maxItems: 7,
        description: 'Fields to empty. Fields that are not named, here or by themselves, keep their value.',
      },
    });
    expect(required).to.deep.equal(['title', 'at', 'shade', 'terms', 'size', 'kind', 'many']);
    expect(warnings.texts).to.deep.equal([]);
  });

  it('takes a custom element that is a password for one, waits for one that is defined late, and bears one that throws', async () => {
    class Field extends HTMLElement {
      static readonly formAssociated = true;
      readonly internals = this.attachInternals();
      value: unknown = 'hunter2';
    }
    class Broken extends HTMLElement {
      static readonly formAssociated = true;
      readonly internals = this.attachInternals();
      get value(): string {
        throw new Error('Not rendered yet');
      }
    }
    const suffix = Math.random().toString(36).slice(2);
    customElements.define(`some-field-${suffix}`, class extends Field {});
    customElements.define(`broken-field-${suffix}`, Broken);
    const field = (tag: string, attributes: string): string => `<${tag}-${suffix} ${attributes}></${tag}-${suffix}>`;
    const root = await render(page(form(`${field('some-field', 'name="who"')}${field('some-field', 'name="secret" type="password"')}
      ${field('broken-field', 'name="broken"')}${field('late-field', 'name="late"')}`),
    `${ACTION}<oui-observation observation-id="all_of_it" description="The form" from="#it" type="form"></oui-observation>`));
    expect(Object.keys((await schemaOf(root)).properties)).to.deep.equal(['who', 'broken']);
    expect(runtimeOf(root).snapshot().observations['forms']).to.deep.equal({ all_of_it: { who: 'hunter2', broken: null } });
    customElements.define(`late-field-${suffix}`, class extends Field {});
    await offered(root, ({ actions }) => 'late' in (actions[0]!.input as Schema).properties);
  });

  it('is told to be impossible when an element of the page throws while it is looked at', async () => {
    const tag = `throwing-field-${Math.random().toString(36).slice(2)}`;
    customElements.define(tag, class extends HTMLElement {
      static readonly formAssociated = true;
      readonly internals = this.attachInternals();
      get type(): string {
        throw new Error('Not rendered yet');
      }
    });
    const root = await render(page(form(`<${tag} name="a"></${tag}>`)));
    await warnings.next(/<oui-surface surface-id="forms"> could not be offered: Not rendered yet/);
    root.querySelector(tag)!.remove();
    find(root, 'oui-surface').name = 'Again';
    await offered(root, ({ name }) => name === 'Again');
  });

  it('says what choices mean by the groups that they stand in', async () => {
    const root = await render(page(form(`<select name="size"><optgroup label="Fruit"><option>S</option><option value="l">Large
      </option></optgroup><option>any</option><optgroup label="Bread"><option value="">None</option></optgroup></select>`)));
    expect((await schemaOf(root)).properties['size']).to.deep.equal({
      type: 'string',
      enum: ['S', 'l', 'any', 'None'],
      description: 'S = Fruit: S, l = Fruit: Large, None = Bread: None.',
    });
  });

  it('says which steps count where JSON Schema cannot, and knows several selects of one name', async () => {
    const root = await render(page(form(`<input type="number" name="odd" step="2" min="1"><input type="range" name="level" step="0.5">
      <input type="date" name="week" min="2026-01-05" step="7"><input type="time" name="at" step="900"><input type="time" name="any">
      <select name="guest[]"><option>adult</option><option>child</option></select>
      <select name="guest[]"><option>adult</option><option>child</option></select>`)));
    const { properties } = await schemaOf(root);
    const words = ['odd', 'level', 'week', 'at', 'any'].map((name) => (properties[name] as { description?: string }).description);
    expect(words).to.deep.equal([
      'In steps of 2 from 1.', 'In steps of 0.5.', 'Not before 2026-01-05. In steps of 7 days from 2026-01-05.',
      'Time of day, such as 14:30. In steps of 900 seconds.', 'Time of day, such as 14:30.',
    ]);
    expect(properties['guest']).to.deep.equal({
      type: 'array', items: { type: 'string', enum: ['adult', 'child'] }, maxItems: 2,
    });
    const seen = submissions(root);
    const rounded = await run(root, { level: 0.7 });
    expect(rounded.error!.details).to.deep.equal({
      errors: [{ path: '/level', keyword: 'multipleOf', message: 'takes no 0.7; the nearest that it takes is 0.5' }],
    });
    expect((await run(root, { level: 1.5, guest: ['child'] })).error).to.equal(undefined);
    expect(seen).to.deep.equal([{ odd: '', level: '1.5', week: '', at: '', any: '', 'guest[]': ['child', 'adult'] }]);
  });

  it('draws no advice that its author can do nothing about', async () => {
    const control = (markup: string): string => `<label>Some words ${markup}</label>`;
    const root = await render(page(form([
      '<input name="title" maxlength="9">', '<input type="url" name="site">', '<input type="email" name="mail">',
      '<input type="email" name="mails" multiple maxlength="80">', '<input type="number" name="count">',
      ...['date', 'time', 'month', 'week', 'datetime-local', 'color'].map((type) => `<input type="${type}" name="${type}" maxlength="25">`),
      '<input type="checkbox" name="tags" value="a">', '<input type="checkbox" name="tags" value="b">',
      '<select name="many" multiple><option>1</option><option>2</option></select>', '<input name="links[]" maxlength="9">',
      '<input name="links[]" maxlength="9">', '<input type="file" name="photos" multiple>',
    ].map(control).join('')), ACTION.replace('Does it', 'Does it with all of these')).replace('"Forms."', '"Forms of all kinds."'));
    const surface = await offered(root);
    expect(Object.keys(surface.actions[0]!.input as object)).to.contain('properties');
    expect(manifestAdvice(surface)).to.deep.equal([]);
  });

  it('has fields of names that every object has', async () => {
    const names = ['constructor', 'toString', 'hasOwnProperty', 'valueOf', '__proto__', 'id', 'name', 'children', 'elements'];
    const root = await render(page(form(`${names.map((name) => `<input name="${name}" required>`).join('')}<button>Go</button>`)));
    const keys = names.map((name) => (name === '__proto__' ? 'proto' : name));
    const { properties, required } = await schemaOf(root);
    expect([Object.keys(properties), required]).to.deep.equal([keys, keys]);
    const sent = submissions(root);
    const missing = (await run(root)).error!;
    expect([missing.code, (missing.details as { errors: object[] }).errors.length]).to.deep.equal(['VALIDATION_ERROR', names.length]);
    expect((await run(root, Object.fromEntries(keys.map((key) => [key, `the ${key}`])))).success).to.equal(true);
    expect(sent).to.deep.equal([Object.fromEntries(names.map((name, at) => [name, `the ${keys[at]}`]))]);
    expect(valuesOf(find(root, 'form'))).to.deep.equal(Object.fromEntries(keys.map((key) => [key, `the ${key}`])));
    const strange = JSON.parse('{"__proto__": "x"}') as object;
    expect((await run(root, strange)).error!.code).to.equal('VALIDATION_ERROR');
    expect(({} as { x?: unknown }).x).to.equal(undefined);
    expect(warnings.texts).to.deep.equal([]);
  });

  it('leaves out what a person could not fill in, and what is private', async () => {
    const root = await render(page(`${form(`
      <input name="shown">
      <input name="kept" required value="There">
      <input type="password" name="secret"><input type="hidden" name="token">
      <label data-oui-private>Card <input name="card"></label>
      <input name="fixed" readonly><input name="off" disabled>
      <select name="never_fixed" readonly><option>a</option></select>
      <fieldset disabled><legend><input name="in_legend"></legend><input name="in_fieldset"></fieldset>
      <div hidden><input name="later"></div><div aria-hidden="true"><input name="trap"></div>
      <div inert><input name="inert"></div>
      <button name="act" value="1">Go</button><input type="submit" name="go"><output name="sum"></output>`)}
      <input name="outside" form="it"><input name="stranger">`));
    const { properties, required } = await schemaOf(root);
    expect(Object.keys(properties)).to.deep.equal(['shown', 'kept', 'never_fixed', 'in_legend', 'outside']);
    expect(required).to.equal(undefined);
  });

  it('has its words: labels of every kind, descriptions, fieldsets, choices', async () => {
    const root = await render(page(`<p id="hint">We call before that day.</p><b id="named">Named outside</b>${form(`
      <label>Wrapped <input name="wrapped" aria-describedby="hint"></label>
      <label for="by-for">By for:</label><input name="for" id="by-for" aria-description="Said more" title="And more">
      <input name="aria" aria-label="By aria">
      <input name="labelled" aria-labelledby="named">
      <input name="holder" placeholder="Placeholder">
      <fieldset><legend>Shipping</legend><label>Street <input name="street"></label>
        <fieldset><legend>Speed</legend>
          <label><input type="radio" name="speed" value="1d"> One day</label>
          <label><input type="radio" name="speed" value="slow"> Slow</label></fieldset></fieldset>
      <label>Country <select name="country"><option value="de">Germany</option><option value="fr">France</option></select>
      </label>
      <label>Ignored <input name="tool" toolparamdescription="For agents" toolparamtitle="Tool"></label>
      <label>Stars <star-rating name="stars"></star-rating></label>`)}`));
    const { properties } = await schemaOf(root);
    const words = Object.fromEntries(Object.entries(properties).map(([name, each]) => (
      [name, (each as { description?: string }).description])));
    expect(words).to.deep.equal({
      wrapped: 'Wrapped. We call before that day.',
      for: 'By for: Said more And more',
      aria: 'By aria',
      labelled: 'Named outside',
      holder: 'Placeholder',
      street: 'Shipping: Street',
      speed: 'Shipping: Speed. 1d = One day.',
      country: 'Country. de = Germany, fr = France.',
      tool: 'For agents',
      stars: 'Stars',
    });
    expect((properties['tool'] as { title?: string }).title).to.equal('Tool');
  });

  it('follows the form: its controls, their words outside, another form in its place', async () => {
    const root = await render(page(`<p id="hint">Old.</p>${form('<input name="a" aria-describedby="hint">')}<div></div>`));
    const properties = ({ actions }: { actions: readonly OUIAction[] }): string => (
      JSON.stringify((actions[0]!.input as Schema).properties));
    const becomes = (pattern: RegExp): Promise<unknown> => offered(root, (surface) => pattern.test(properties(surface)));
    await offered(root);
    const updates: string[] = [];
    runtimeOf(root).subscribe(({ type }) => updates.push(type));
    find(root, 'form').insertAdjacentHTML('beforeend', '<input name="b"><input name="c">');
    root.querySelector('input')!.setAttribute('maxlength', '7');
    await becomes(/"a":.*"maxLength":7.*"b":.*"c":/);
    expect(updates.filter((type) => type === 'surfaces'), 'one update').to.have.length(1);
    root.querySelector('#hint')!.textContent = 'New.';
    await becomes(/New\./);
    root.querySelector('div')!.innerHTML = '<input name="outside" form="it">';
    await becomes(/outside/);
    root.querySelector('input')!.disabled = true;
    await becomes(/^(?!.*"a":)/);
    find(root, 'form').remove();
    await offered(root, ({ actions }) => actions[0]!.enabled === false);
    root.insertAdjacentHTML('beforeend', form('<input name="another">'));
    await becomes(/another/);
    updates.length = 0;
    root.querySelector('div')!.insertAdjacentHTML('beforeend', '<p class="x">Nothing of it</p>');
    find(root, 'form').className = 'busy';
    await new Promise((resolve) => requestAnimationFrame(resolve));
    expect(updates.filter((type) => type === 'surfaces')).to.deep.equal([]);
    expect(warnings.texts).to.deep.equal([]);
  });
});

describe('<oui-action for> a form', () => {
  it('fills in every kind of control, leaves the rest as it is, and submits with the first submit button', async () => {
    const root = await render(page(form(`
      <input name="title"><input name="kept" value="as it was"><textarea name="notes"></textarea>
      <input type="email" name="mails" multiple><input type="number" name="count">
      <input type="date" name="day"><input type="datetime-local" name="when"><input type="color" name="shade">
      <input type="checkbox" name="urgent"><input type="checkbox" name="off" checked>
      <input type="checkbox" name="tags" value="a" checked><input type="checkbox" name="tags" value="b">
      <input type="radio" name="size" value="s" checked><input type="radio" name="size" value="m">
      <select name="sort"><option value="">Any</option><option selected>new</option></select>
      <select name="many" multiple><option selected>1</option><option>2</option><option>3</option></select>
      <input name="link[]" value="old"><input name="link[]" value="old">
      <star-rating name="stars"></star-rating>
      <button name="act" value="save">Save</button><button name="act" value="drop">Drop</button>`)));
    const seen = submissions(root);
    await offered(root);
    const { success, error } = await run(root, {
      title: 'Milk', notes: 'a\nb', mails: ['a@b.example', 'c@d.example'], count: 2.5 * 2, day: '2026-03-01',
      when: '2026-03-01T14:30', shade: '#3366ff', urgent: true, off: false, tags: ['b'], size: 'm', sort: 'Any',
      many: ['2', '3'], link: ['one'], stars: 4,
    });
    expect(error).to.equal(undefined);
    expect(success).to.equal(true);
    expect(seen).to.deep.equal([{
      title: 'Milk', kept: 'as it was', notes: 'a\nb', mails: 'a@b.example,c@d.example', count: '5', day: '2026-03-01',
      when: '2026-03-01T14:30', shade: '#3366ff', urgent: 'on', tags: 'b', size: 'm', sort: '', many: ['2', '3'],
      'link[]': ['one', ''], stars: '4', act: 'save',
    }]);
  });

  it('fires what a person would, and only where something changes', async () => {
    const root = await render(page(form(`<input name="title"><input name="same" value="x">
      <input type="checkbox" name="box"><select name="pick"><option>1</option><option>2</option></select><button></button>`)));
    submissions(root);
    await offered(root);
    const seen: string[] = [];
    const before = document.activeElement;
    for (const type of ['focusin', 'input', 'change', 'focusout', 'mousedown', 'click', 'submit']) {
      find(root, 'form').addEventListener(type, (event) => {
        const { name, localName } = event.target as HTMLInputElement;
        seen.push(`${name || localName} ${type}${event.composed && type === 'input' ? ' composed' : ''}`);
      });
    }
    await run(root, { title: 'Milk', same: 'x', box: true, pick: '2' });
    expect(seen).to.deep.equal([
      'title focusin', 'title input composed', 'title change', 'title focusout',
      'box focusin', 'box click', 'box input composed', 'box change', 'box focusout',
      'pick focusin', 'pick input composed', 'pick change', 'pick focusout',
      'button mousedown', 'button click', 'form submit',
    ]);
    expect(document.activeElement).to.equal(before);
  });

  it('names every control that the browser does not accept, and submits nothing', async () => {
    const root = await render(page(form(`<input name="title" required value="x" minlength="3">
      <input type="number" name="count" step="0.25"><input name="own"><input type="password" name="secret" required>
      <star-rating name="stars"></star-rating><input name="emoji" maxlength="4"><button>Go</button>`)));
    const seen = submissions(root);
    root.querySelector<HTMLInputElement>('[name=own]')!.setCustomValidity('Not on Sundays');
    await offered(root);
    const { error } = await run(root, { count: 0.3, stars: 9 });
    expect(error!.code).to.equal('VALIDATION_ERROR');
    const { errors } = error!.details as { errors: { path: string; keyword: string; message: string }[] };
    expect(errors.map(({ path, keyword }) => [path, keyword])).to.deep.equal([
      ['/count', 'multipleOf'], ['/own', 'custom'], ['/secret', 'required'], ['/stars', 'custom'],
    ]);
    expect(errors[1]!.message).to.equal('Not on Sundays');
    expect(errors[2]!.message).to.equal('is for the user to fill in');
    expect(error!.message).to.contain('own: Not on Sundays');
    const tooLong = await run(root, { emoji: '😀😀😀' });
    expect(tooLong.error!.details).to.deep.equal({
      errors: [{ path: '/emoji', keyword: 'maxLength', message: 'has 6 characters; at most 4 are allowed' }],
    });
    expect(seen).to.deep.equal([]);
    find(root, 'form').noValidate = true;
    expect((await run(root)).success, 'novalidate leaves it to the page').to.equal(true);
    expect(seen).to.have.length(1);
  });

  it('gives the page its turn between fields: choices that depend on others are there', async () => {
    const root = await render(page(form(`<select name="country"><option>de</option><option>fr</option></select>
      <input name="late"><button>Go</button>`)));
    const seen = submissions(root);
    await offered(root);
    root.querySelector('select')!.addEventListener('change', () => void Promise.resolve().then(() => {
      // As frameworks do: another element in the same place.
      find(root, 'form').outerHTML = form(`<select name="country"><option>de</option><option selected>fr</option></select>
        <input name="late"><button>Go</button>`);
    }));
    expect((await run(root, { country: 'fr', late: 'x' })).error).to.equal(undefined);
    expect(seen).to.deep.equal([{ country: 'fr', late: 'x' }]);
  });

  it('answers with what the page responds, its failure too', async () => {
    const root = await render(page(form('<input name="title"><button>Go</button>')));
    const answers = [() => ({ id: 7 }), () => Promise.resolve('soon'), () => Promise.reject(new Error('It broke'))];
    let invoked: unknown;
    root.addEventListener('submit', (event) => {
      invoked = event.agentInvoked;
      event.preventDefault();
      event.respondWith!(answers.shift()!());
    });
    await offered(root);
    expect((await run(root)).data).to.deep.equal({ id: 7 });
    expect(invoked).to.equal(true);
    expect((await run(root)).data).to.equal('soon');
    expect((await run(root)).error).to.deep.include({ code: 'EXECUTION_ERROR', message: 'It broke' });
  });

  it('refuses an answer that would be lost with the page', async () => {
    const root = await render(page(form('<button>Go</button>', 'target="nowhere-frame"')
      + '<iframe name="nowhere-frame"></iframe>'));
    let refusal: unknown;
    root.addEventListener('submit', (event) => {
      try {
        event.respondWith!(1);
      } catch (error) {
        refusal = error;
      }
    });
    await offered(root);
    const left = new Promise((resolve) => find(root, 'iframe').addEventListener('load', resolve, { once: true }));
    expect((await run(root)).data).to.equal(undefined);
    expect(String(refusal)).to.match(/preventDefault\(\) before event\.respondWith/);
    await left;
  });

  it('works without a button, with names that hide the form\'s own members, and in a dialog', async () => {
    const root = await render(page(form(`<input name="submit"><input name="elements"><input name="requestSubmit">
      <input name="checkValidity">`)));
    const seen = submissions(root);
    await offered(root);
    await run(root, { submit: '1', elements: '2', requestSubmit: '3', checkValidity: '4' });
    expect(seen).to.deep.equal([{ submit: '1', elements: '2', requestSubmit: '3', checkValidity: '4' }]);
    await clear();
    const dialog = await render(page(`<dialog><form id="it" method="dialog"><input name="why"><button value="yes">Yes</button>
      </form></dialog>`));
    await offered(dialog, ({ actions }) => actions[0]!.enabled === false);
    find(dialog, 'dialog').showModal();
    await offered(dialog, ({ actions }) => actions[0]!.enabled !== false);
    expect((await run(dialog, { why: 'x' })).success).to.equal(true);
    expect(find(dialog, 'dialog').open).to.equal(false);
    expect(find(dialog, 'dialog').returnValue).to.equal('yes');
  });

  it('puts a file in, and says so when none came', async () => {
    const root = await render(page(form('<input type="file" name="cv" accept=".txt"><button>Go</button>'),
      ACTION.replace('></oui-action>', ' input=\'{"type":"object"}\'></oui-action>')));
    await offered(root);
    const { error } = await run(root, { cv: 'abcdefgh' });
    expect(error!.message).to.contain('cv: takes a file; no file came for it');
    // Attachments come as files: the runtime opens them before the handler runs.
    const { fillField } = await import('../../elements/page/fill-field.js');
    const input = root.querySelector('input')!;
    const field = { key: 'cv', kind: 'file', controls: [input] } as const;
    expect(fillField(field, new File(['x'], 'cv.pdf'))?.keyword).to.equal('accept');
    expect(fillField(field, new File(['x'], 'cv.TXT'))).to.equal(undefined);
    expect(input.files![0]!.name).to.equal('cv.TXT');
  });

  it('is not available while its form is missing, hidden or inert, and its button disabled stops it', async () => {
    const root = await render(page(''));
    await offered(root);
    const reason = async (): Promise<string> => {
      const { error } = await run(root);
      return `${error!.code}: ${error!.message}`;
    };
    expect(await reason()).to.match(/^PRECONDITION_FAILED: .*no element of the page has the id "it"/);
    root.insertAdjacentHTML('beforeend', `<section>${form('<input name="a"><button title="Sign in first">Go</button>')}</section>`);
    submissions(root);
    await offered(root, ({ actions }) => actions[0]!.enabled !== false);
    const section = root.querySelector('section')!;
    const becomes = (pattern: RegExp): Promise<unknown> => (
      offered(root, ({ actions }) => pattern.test(actions[0]!.disabledReason ?? 'available')));
    section.hidden = true;
    await becomes(/not to be seen now/);
    expect(await reason()).to.match(/PRECONDITION_FAILED.*not to be seen now/);
    section.hidden = false;
    section.inert = true;
    await becomes(/out of reach now/);
    section.inert = false;
    await becomes(/^available/);
    find(root, 'button').disabled = true;
    expect(await reason()).to.match(/PRECONDITION_FAILED.*not submitted: the button "Go" is disabled. Sign in first/);
  });
});

describe('<oui-action for> a button or link', () => {
  it('presses it, when a person could, and answers with what the page responds', async () => {
    const root = await render(page('<button id="it" type="button" aria-description="Nothing is selected">Go</button>'));
    const button = find(root, 'button');
    const seen: string[] = [];
    for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click']) {
      button.addEventListener(type, () => seen.push(type));
    }
    expect(await schemaOf(root)).to.deep.equal({ type: 'object', properties: {} });
    expect((await run(root)).success).to.equal(true);
    expect(seen).to.deep.equal(['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click']);
    button.addEventListener('click', (event) => event.respondWith!({ pressed: true }));
    expect((await run(root)).data).to.deep.equal({ pressed: true });
    button.disabled = true;
    const { actions } = await offered(root, (surface) => surface.actions[0]!.enabled === false);
    expect(actions[0]!.disabledReason).to.equal('the button "Go" is disabled. Nothing is selected');
    expect((await run(root)).error!.code).to.equal('PRECONDITION_FAILED');
    button.outerHTML = '<form><input name="title" required><button id="it">Send</button></form>';
    const sent = submissions(root);
    await offered(root, (surface) => surface.actions[0]!.enabled !== false);
    expect((await run(root)).error!.details).to.nested.include({ 'errors[0].path': '/title' });
    find(root, 'input').value = 'x';
    expect((await run(root)).success).to.equal(true);
    expect(sent).to.deep.equal([{ title: 'x' }]);
    find(root, 'form').outerHTML = '<a id="it" href="#pressed">Go on</a>';
    const gone = new Promise((resolve) => addEventListener('hashchange', resolve, { once: true }));
    await run(root);
    await gone;
    expect(location.hash).to.equal('#pressed');
    history.replaceState(null, '', location.pathname + location.search);
    root.querySelector('a')!.style.display = 'none';
    expect((await run(root)).error!.message).to.contain('the link "Go on" is not to be seen now');
  });
});
