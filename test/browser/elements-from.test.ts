import { expect } from 'chai';
import { runtimeWiring } from '../../elements/wiring.js';
import type { OUIEvent, OUIObservationUpdate } from '../../src/protocol/events.js';
import { createRuntime } from '../../src/surface/create-runtime.js';
import { createDirectTransportPair } from '../../src/transports/direct.js';
import { find, nextTask, offered, render, runtimeOf, warningsOfEachTest } from './fixtures/elements-page.js';
import { openFrame } from './fixtures/frame-page.js';

let count = 0;

/** An observation of its own for each set of attributes. */
const observing = (...attributes: string[]): string => attributes.map((each) => (
  `<oui-observation observation-id="seen_${++count}" description="What is seen" ${each}></oui-observation>`)).join('');

const surface = (observations: string): string => {
  count = 0;
  return `<oui-surface surface-id="page" name="Page" description="A page.">
    <oui-action action-id="do_it" description="Does it" effect="view"></oui-action>${observations}</oui-surface>`;
};

async function show(content: string, ...attributes: string[]): Promise<HTMLElement> {
  count = 0;
  const observations = observing(...attributes);
  const root = await render(`<oui-runtime></oui-runtime>${surface(observations)}<main>${content}</main>`);
  await offered(root);
  return root;
}

/** What is seen now, in the order of the observations. */
function seen(root: ParentNode): unknown[] {
  const values = runtimeOf(root).snapshot().observations['page'] ?? {};
  return Array.from(root.querySelectorAll('oui-observation'), ({ observationId }) => values[observationId]);
}

/** Mutations are told in a microtask. */
const told = (): Promise<void> => nextTask();

const warnings = warningsOfEachTest();

class FormChoice extends HTMLElement {
  static readonly formAssociated = true;
  value = 'chosen';
}
customElements.define('form-choice', FormChoice);
customElements.define('no-control', class extends HTMLElement {
  value = 'nothing';
});

describe('<oui-observation from>', () => {
  it('reads what a person would: unknown progress, controls alone in items, no lines between them, custom controls', async () => {
    const root = await show(`
      <progress id="unknown"></progress><progress id="half" value="0.5"></progress>
      <ul id="items"><li><input value="a"></li><li><input type="number" value="2"></li><li><input type="checkbox"></li>
        <li><label><input type="checkbox" checked> Milk</label></li><li><input type="password" value="p"></li><li></li></ul>
      <div id="roles" role="list"><p>one</p><hr><p>two</p><i role="separator">…</i></div>
      <div id="part"><input name="a" value="1"><form-choice name="b"></form-choice><no-control name="c"></no-control></div>`,
    'from="#unknown" type="number"', 'from="#half" type="number"', 'from="#items" type="list"', 'from="#roles" type="list"',
    'from="#part" type="form"');
    expect(seen(root)).to.deep.equal([
      null, 0.5, ['a', 2, false, 'Milk', '', ''], ['one', 'two'], { a: '1', b: 'chosen' },
    ]);
  });

  it('reads texts, numbers, states and JSON', async () => {
    const root = await show(`
      <p id="text">One <b>two</b><script type="text/plain">no</script><i hidden>no</i><span data-oui-private>no</span></p>
      <div id="blocks"><p>a</p><p>b</p></div>
      <p id="us">Total: $1,234.50</p><p id="german" lang="de">1.234,50 €</p><p id="minus">−3 °C</p><p id="open">Room-3 open</p>
      <data id="data" value="42">forty-two</data><meter id="meter" value="0.5"></meter>
      <input id="field" value="7"><input type="checkbox" id="box" checked>
      <button id="pressed" aria-pressed="false">B</button><p id="yes">Yes</p><p id="error">Broken</p>
      <script type="application/json" id="json">{"a":[1]}</script>`,
    'from="#text"', 'from="#blocks"', 'from="#us" type="number"', 'from="#german" type="number"',
    'from="#minus" type="number"', 'from="#open" type="integer"', 'from="#data" type="number"',
    'from="#meter" type="number"', 'from="#field"', 'from="#box" type="boolean"', 'from="#pressed" type="boolean"',
    'from="#yes" type="boolean"', 'from="#error" type="boolean"', 'from=".not-there" type="boolean"',
    'from="#json" type="json"');
    expect(seen(root)).to.deep.equal([
      'One two', 'a b', 1234.5, 1234.5, -3, 3, 42, 0.5, '7', true, false, true, true, false, { a: [1] },
    ]);
    const { observations } = await offered(root);
    expect(observations!.map(({ schema }) => (schema as { type?: string }).type).slice(0, 3))
      .to.deep.equal(['string', 'string', 'number']);
    expect(warnings.texts).to.deep.equal([]);
  });

  it('leaves out of JSON and of tables what no value may have: a key __proto__, and levels without end', async () => {
    const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    const root = await show(`
      <script type="application/json" id="json">{"__proto__":{"a":1},"b":2}</script>
      <script type="application/json" id="deep">${nested(60)}</script>
      <script type="application/json" id="bottomless">${nested(50_000)}</script>
      <table id="table"><thead><tr><th>__proto__</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>`,
    'from="#json" type="json"', 'from="#deep" type="json"', 'from="#bottomless" type="json"', 'from="#table" type="table"');
    const [json, deep, bottomless, table] = seen(root);
    expect([JSON.stringify(json), JSON.stringify(table)]).to.deep.equal(['{"b":2}', '[{"b":"2"}]']);
    const cut = `${'['.repeat(56)}"[nested deeper than 56 levels]"${']'.repeat(56)}`;
    expect([JSON.stringify(deep), JSON.stringify(bottomless)]).to.deep.equal([cut, cut]);
    expect(warnings.texts.filter((text) => text.includes('OUI1006'))).to.have.length(4);
  });

  it('reads lists: of all that match, of items, of items with parts', async () => {
    const root = await show(`<i class="tag">a</i><i class="tag">b</i>
      <ul id="items"><li>One</li><li hidden>Hidden</li><li>Two</li></ul>
      <ol id="people"><li><b itemprop="name">Ada</b> <time itemprop="born" datetime="1815-12-10">long ago</time></li></ol>`,
    'from=".tag" list', 'from=".tag" type="list"', 'from="#items" type="list"', 'from="#people" type="list"',
    'from=".none" list');
    expect(seen(root)).to.deep.equal([
      ['a', 'b'], ['a', 'b'], ['One', 'Two'], [{ name: 'Ada', born: '1815-12-10' }], [],
    ]);
    expect((await offered(root)).observations![0]!.schema).to.deep.equal({ type: 'array', items: { type: 'string' } });
  });

  it('reads tables as rows by their headers', async () => {
    const root = await show(`
      <table id="plain"><thead><tr><th>Name<th>Done<th></tr></thead>
        <tbody><tr><td>Milk<td><input type="checkbox" name="x" checked><td>late</tr>
        <tr><td rowspan="2">Bread<td>no<td></tr><tr><td>yes<td>soon</tr><tr hidden><td>Hidden</tr></tbody>
        <tfoot><tr><td>Sum</tr></tfoot></table>
      <table id="side"><tr><th>A<th>B</tr><tr><th>1<td>2</tr></table>
      <table id="bare"><tr><td>1<td>2</tr></table>
      <div role="grid" id="grid"><div role="row"><b role="columnheader">Key</b></div>
        <div role="row"><b role="gridcell">k</b></div></div>`,
    'from="#plain" type="table"', 'from="#side" type="table"', 'from="#bare" type="table"', 'from="#grid" type="table"');
    expect(seen(root)).to.deep.equal([
      [
        { Name: 'Milk', Done: true, column_3: 'late' },
        { Name: 'Bread', Done: 'no', column_3: '' },
        { Name: 'Bread', Done: 'yes', column_3: 'soon' },
      ],
      [{ A: '1', B: '2' }],
      [['1', '2']],
      [{ Key: 'k' }],
    ]);
  });

  it('takes the names of columns from several rows, and leaves hidden cells and groups out', async () => {
    const root = await show(`
      <table id="years"><thead><tr><th rowspan="2">Town<th colspan="2">People<th rowspan="2"></tr><tr><th>2024<th>2025</tr></thead>
        <tbody><tr><th scope="row">Ulm<td>126<td>129<td>ok</tr></tbody></table>
      <table id="hidden"><thead><tr><th>A<th hidden>B<th>C</tr></thead><tbody hidden><tr><td>no<td>no<td>no</tr></tbody>
        <tbody><tr><td>1<td hidden>no<td>3</tr></tbody></table>`,
    'from="#years" type="table"', 'from="#hidden" type="table"');
    expect(seen(root)).to.deep.equal([
      [{ Town: 'Ulm', 2024: '126', 2025: '129', column_4: 'ok' }], [{ A: '1', C: '3' }],
    ]);
  });

  it('leaves private rows, groups and headers of a table out, also when they become private', async () => {
    const root = await show(`
      <table id="table"><thead><tr><th>Card<th data-oui-private>4111</tr></thead>
        <tbody><tr data-oui-private><td>4111</tr><tr id="row"><td>0000</tr></tbody>
        <tbody id="group"><tr><td>1111</tr></tbody><tbody data-oui-private><tr><td>4111</tr></tbody></table>
      <div role="grid" id="grid"><div role="row"><b role="columnheader">Card</b></div>
        <div role="rowgroup" data-oui-private><div role="row"><b role="gridcell">4111</b></div></div></div>
      <section><p id="text">2222</p><ul id="list"><li>3333</ul><b id="number">1.234</b></section>`,
    'from="#table" type="table"', 'from="#grid" type="table"', 'from="#text"', 'from="#list" type="list"',
    'from="#number" type="number"');
    expect(seen(root)).to.deep.equal([[{ Card: '0000' }, { Card: '1111' }], [], '2222', ['3333'], 1.234]);
    expect((await offered(root)).observations).to.have.length(5);
    root.querySelector('section')!.lang = 'de';
    await told();
    expect(seen(root)[4]).to.equal(1234);
    for (const id of ['#row', '#group', 'section']) root.querySelector<HTMLElement>(id)!.dataset['ouiPrivate'] = '';
    await told();
    expect(seen(root)).to.deep.equal([[], [], null, [null], null]);
  });

  it('reads the values of a form, and never a password or what is private', async () => {
    const root = await show(`<form id="form"><input name="title" value="Milk"><input type="number" name="count" value="2">
      <input type="number" name="none"><input type="checkbox" name="done" checked>
      <input type="radio" name="size" value="s"><input type="radio" name="size" value="m" checked>
      <select name="sort"><option value="">Any</option></select>
      <select name="many" multiple><option selected>1</option><option selected>2</option></select>
      <input type="email" name="mails" multiple value="a@b.example,c@d.example"><input type="email" name="copies" multiple>
      <input name="fixed" value="x" readonly><output name="sum">5</output><textarea name="notes">n</textarea>
      <input type="password" id="secret" name="secret" value="hunter2"><input type="hidden" name="token" value="t0ken">
      <p data-oui-private><input name="card" value="4111"></p></form>
      <p id="private" data-oui-private>4111</p>
      <table id="table"><tr><th>Who<th>Card</tr><tr><td>Ada <i data-oui-private>4111</i><td data-oui-private>4111</tr></table>
      <ul id="list"><li data-oui-private>4111<li><b itemprop="card" data-oui-private>4111</b></ul>`,
    'from="#form" type="form"', 'from="#secret"', 'from="#private"', 'from="#table" type="table"',
    'from="#list" type="list"', 'from="[name=token]" type="number"', 'from="#private" type="boolean"');
    expect(seen(root)).to.deep.equal([
      {
        title: 'Milk', count: 2, none: null, done: true, size: 'm', sort: 'Any', many: ['1', '2'],
        mails: ['a@b.example', 'c@d.example'], copies: [], fixed: 'x', sum: '5', notes: 'n',
      },
      null, null, [{ Who: 'Ada', Card: '' }], [null, { card: null }], null, null,
    ]);
    expect(JSON.stringify(runtimeOf(root).snapshot())).not.to.match(/hunter2|t0ken|4111/);
    expect(warnings.texts.filter((text) => /is private: passwords/.test(text))).to.have.length(4);
  });

  it('takes a password for one when the page shows it as text, and where autocomplete says so', async () => {
    const root = await show(`<form id="form"><input name="title" value="Milk">
      <input type="password" name="shown" value="hunter2">
      <input name="known" value="hunter2" autocomplete="section-a current-password"></form>`,
    'from="#form" type="form"', 'from="#form [name=shown]"');
    root.querySelector<HTMLInputElement>('[name=shown]')!.type = 'text';
    root.querySelector<HTMLInputElement>('[name=title]')!.value = 'Bread';
    root.querySelector('[name=title]')!.dispatchEvent(new Event('input', { bubbles: true }));
    await told();
    expect(seen(root)).to.deep.equal([{ title: 'Bread' }, null]);
  });

  it('follows the page: texts, elements that come, go and are replaced, edits, resets', async () => {
    const root = await show('<p id="a">1</p><form id="form"><input name="x" value="old"></form>',
      'from="#a" type="integer"', 'from=".late.on"', 'from="#form" type="form"');
    const main = find(root, 'main');
    expect(seen(root)).to.deep.equal([1, null, { x: 'old' }]);
    root.querySelector('#a')!.firstChild!.nodeValue = '2';
    main.insertAdjacentHTML('beforeend', '<div class="late">Late</div>');
    await told();
    expect(seen(root)).to.deep.equal([2, null, { x: 'old' }]);
    root.querySelector('.late')!.classList.add('on');
    root.querySelector('#a')!.outerHTML = '<b id="a">3</b>';
    const input = root.querySelector('input')!;
    input.value = 'typed';
    input.dispatchEvent(new Event('input', { bubbles: true }));
    await told();
    expect(seen(root)).to.deep.equal([3, 'Late', { x: 'typed' }]);
    root.querySelector('.late')!.remove();
    find(root, 'form').reset();
    await new Promise((resolve) => setTimeout(resolve));
    expect(seen(root)).to.deep.equal([3, null, { x: 'old' }]);
    find(root, 'oui-observation').from = 'main b';
    await nextTask();
    expect(seen(root)[0]).to.equal(3);
  });

  it('keeps to its own shadow root', async () => {
    const root = await render('<oui-runtime></oui-runtime><p class="x">outside</p><div></div>');
    const inside = find(root, 'div').attachShadow({ mode: 'open' });
    find(root, 'div').lang = 'de';
    inside.innerHTML = `${surface(observing('from=".x"', 'from="b" type="number"'))}<p class="x">inside</p><b>1.234,5</b>`;
    await nextTask();
    expect(runtimeOf(root).snapshot().observations['page']?.['seen_2'], 'in its host\'s language').to.equal(1234.5);
    const value = (): unknown => runtimeOf(root).snapshot().observations['page']?.['seen_1'];
    expect(value()).to.equal('inside');
    inside.querySelector('p')!.textContent = 'changed';
    await told();
    expect(value()).to.equal('changed');
    find(root, 'div').dataset['ouiPrivate'] = '';
    inside.querySelector('p')!.textContent = 'secret';
    await told();
    expect(value()).to.equal(null);
  });

  it('reads nothing while nobody listens, and sends changes while an agent does', async () => {
    const root = await show('<p id="a">1</p><p id="other">0</p>', 'from="#a" type="integer"');
    let reads = 0;
    const text = Object.getOwnPropertyDescriptor(Node.prototype, 'textContent')!;
    const target = root.querySelector('#a')!;
    Object.defineProperty(target, 'textContent', {
      get: () => {
        reads += 1;
        return text.get!.call(target) as unknown;
      },
    });
    target.firstChild!.nodeValue = '2';
    // Longer than the pause between two updates.
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(reads, 'not connected').to.equal(0);
    expect(seen(root)).to.deep.equal([2]);
    const { page, agent } = createDirectTransportPair();
    const runtime = createRuntime({ transport: page }, runtimeWiring());
    const updates: unknown[] = [];
    let heard = (): void => {};
    agent.onEvent((message) => {
      const { type, payload } = message as OUIEvent;
      if (type !== 'observation:update') return;
      updates.push((payload as OUIObservationUpdate).value);
      heard();
    });
    const next = (): Promise<void> => new Promise((resolve) => (heard = resolve));
    target.firstChild!.nodeValue = '3';
    find(root, 'oui-runtime').runtime = runtime;
    const first = next();
    await agent.connect();
    await first;
    expect(updates).to.deep.equal([3]);
    reads = 0;
    const second = next();
    root.querySelector('#other')!.textContent = '1';
    await told();
    expect(reads, 'nothing of it changed').to.equal(0);
    target.firstChild!.nodeValue = '4';
    await second;
    expect(updates).to.deep.equal([3, 4]);
    expect(reads).to.equal(1);
    runtime.dispose();
  });

  it('reads of a large table what changed, and no more', async () => {
    const rows = Array.from({ length: 500 }, (_, row) => `<tr><td>${row}<td>old</tr>`).join('');
    const root = await show(`<table id="table"><thead><tr><th>N<th>S</tr></thead>${rows}</table>`,
      'from="#table" type="table"');
    expect(seen(root)[0]).to.have.length(500);
    const cells = root.querySelectorAll('td');
    let reads = 0;
    const text = Object.getOwnPropertyDescriptor(Node.prototype, 'textContent')!;
    for (const cell of cells) {
      Object.defineProperty(cell, 'textContent', {
        get: () => {
          reads += 1;
          return text.get!.call(cell) as unknown;
        },
      });
    }
    cells[7]!.firstChild!.nodeValue = 'new';
    await told();
    expect((seen(root)[0] as unknown[]).slice(2, 4)).to.deep.equal([{ N: '2', S: 'old' }, { N: '3', S: 'new' }]);
    expect(reads).to.equal(2);
  });

  it('says what is wrong with it, once', async () => {
    const root = await show('<p class="two">x</p><p class="two">y</p><p id="text">no number</p><p id="half">1.5</p>',
      'from="p["', 'from="#nowhere"', 'from=".two"', 'from="#text" type="number"', 'from="#half" type="integer"',
      'from="#text" type="json"', 'from="#text" type="numbr"', 'from="#text" updatefrequency="polling"',
      'from="#text" type="table"');
    expect(seen(root).slice(1)).to.deep.equal([null, 'x', null, null, null, 'no number', 'no number', []]);
    await warnings.next(/from="#nowhere", which matches nothing yet/);
    for (const element of root.querySelectorAll('oui-observation')) element.requestUpdate();
    root.querySelector('#text')!.append('!');
    await told();
    expect(seen(root)[2]).to.equal('x');
    const expected = [
      /from="p\[", which is no CSS selector/, /matches nothing yet/, /"\.two", which matches 2 elements.*attribute list/,
      /no number to read: #text says "no number"/, /type="integer", and #half says 1.5/, /broken JSON from #text/,
      /type="table", and #text is a <p> without rows/, /type="numbr".*text, number, integer/, /attribute updatefrequency.*Did you mean update-frequency\?/,
    ];
    for (const pattern of expected) {
      expect(warnings.texts.filter((each) => pattern.test(each)), String(pattern)).to.have.length.at.least(1);
    }
    for (const each of warnings.texts) expect(each).to.match(/OUI2001.*<oui-observation observation-id="seen_\d">/);
  });
});

describe('parts of the page that another document made', () => {
  it('are read as they come and as they change', async () => {
    const root = await show('<table><thead><tr><th>A</th></tr></thead><tbody id="rows"></tbody></table><div id="late"></div>',
      'from="table" type="table"', 'from=".late"');
    const release = runtimeOf(root).subscribe(() => {});
    const page = openFrame();
    const row = page.document.createElement('tr');
    row.innerHTML = '<td>1</td>';
    root.querySelector('#rows')!.append(row);
    const late = page.document.createElement('p');
    late.className = 'late';
    late.textContent = 'there';
    root.querySelector('#late')!.append(late);
    await told();
    expect(seen(root)).to.deep.equal([[{ A: '1' }], 'there']);
    row.cells[0]!.firstChild!.nodeValue = '2';
    await told();
    expect(seen(root)).to.deep.equal([[{ A: '2' }], 'there']);
    release();
  });
});
