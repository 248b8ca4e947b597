import { expect } from 'chai';
import { clear, find, manifestOf, nextTask, offered, render, warningsOfEachTest } from './fixtures/elements-page.js';

const surface = (parts: string, attributes = ''): string => (
  `<oui-runtime></oui-runtime><oui-surface surface-id="todo-app" name="Todos" description="A list." ${attributes}>${parts}
  </oui-surface>`);

const action = (content: string, attributes = ''): string => (
  `<oui-action action-id="do_it" description="Does it" ${attributes}>${content}</oui-action>`);

const schema = (type: string): string => (
  `<script type="${type}">{"type":"object","properties":{"n":{"type":"integer"}}}</script>`);

const warnings = warningsOfEachTest();

/** What the first action of some markup takes, and what was warned about. */
async function inputOf(parts: string): Promise<{ readonly input: unknown; readonly told: readonly string[] }> {
  const root = await render(surface(parts));
  const { input } = (await offered(root)).actions[0]!;
  return { input, told: warnings.texts };
}

describe('a mistake in markup', () => {
  it('in an attribute that is a property, or an event of no browser, is told with the way out', async () => {
    const root = await render(surface(`
      <oui-action action-id="by_handler" description="x" handler="run()"></oui-action>
      <oui-action action-id="by_event" description="x" onaction="run()" onclick="run()"></oui-action>
      <oui-action action-id="hydrated" description="x" handler="…"></oui-action>
      <oui-observation observation-id="count" description="x" value="5"></oui-observation>
      <oui-observation observation-id="empty" description="x" value="5"></oui-observation>`));
    expect(warnings.texts).to.have.length(1);
    expect(warnings.texts[0]).to.match(/<oui-action action-id="by_event"> has an attribute onaction.*addEventListener\("oui-action"/);
    // What a framework sets later than a server wrote it.
    root.querySelectorAll('oui-action')[2]!.handler = () => 1;
    root.querySelectorAll('oui-observation')[1]!.value = 0;
    await warnings.next(/<oui-observation observation-id="count"> has an attribute value.*\.value is a property alone.*\(element\.value = …\)/);
    await warnings.next(/<oui-action action-id="by_handler"> has an attribute handler.*\(element\.handler = …\)/);
    root.insertAdjacentHTML('beforeend', '<oui-approval texts="x"></oui-approval><oui-hold while="#a" context="x"></oui-hold>'
      + '<oui-frame name="Map" allow-origin="https://plugin.example"></oui-frame>');
    // Whatever was to be said of the first ones has been said by now.
    await warnings.next(/<oui-frame name="Map"> has neither a src nor an <iframe> inside/);
    expect(warnings.texts.join()).not.to.match(/hydrated|empty|onclick/);
  });

  it('in the type of a script that was meant as a schema, or in one that does not count, is told', async () => {
    const none = await inputOf(action(schema('application/json')));
    expect(none.input).to.deep.equal({ type: 'object', properties: {} });
    expect(none.told[0]).to.match(/<oui-action action-id="do_it"> has a <script type="application\/json"> inside, which is ignored/);
    expect(none.told[0]).to.contain('Write <script type="application/schema+json">');
    await clear();
    const own = await inputOf(action(schema('application/schema+json'), 'input=\'{"type":"object"}\''));
    expect(own.told.at(-1)).to.match(/has input and a <script type="application\/schema\+json">, which is ignored/);
    await clear();
    const params = await inputOf(action(`<oui-param name="a"></oui-param>${schema('application/schema+json')}`));
    expect(params.input).to.have.nested.property('properties.a');
    expect(params.told.at(-1)).to.match(/has <oui-param> children and a <script type="application\/schema\+json">/);
    await clear();
    const before = warnings.texts.length;
    await inputOf(action(schema('Application/Schema+JSON'), 'output=\'{"type":"object"}\''));
    expect(warnings.texts.slice(before)).to.deep.equal([]);
  });

  it('in parameters is told, and the rest of them stands', async () => {
    const { input, told } = await inputOf(action(`
      <oui-param name="a" description="first"></oui-param>
      <oui-param name="a" description="second"></oui-param>
      <oui-param name="n" type="number" min="5" max="1"></oui-param>
      <oui-param name="s" min="-1" max="2.5"></oui-param>
      <oui-param name="t" type="number" min="-1.5" max="-1"></oui-param>`, 'tags="write, read-only bulk"'));
    expect(input).to.deep.equal({
      type: 'object',
      properties: {
        a: { type: 'string', description: 'first' },
        n: { type: 'number' },
        s: { type: 'string' },
        t: { type: 'number', minimum: -1.5, maximum: -1 },
      },
    });
    expect(told).to.have.length(4);
    expect(told[0]).to.match(/<oui-param name="a"> of <oui-action action-id="do_it"> is there twice; the first counts/);
    expect(told[1]).to.match(/<oui-param name="n"> has min="5" above max="1": no value is both/);
    expect(told[2]).to.match(/<oui-param name="s"> has min="-1", which is ignored: it is no length/);
    expect(told[3]).to.match(/<oui-param name="s"> has max="2.5", which is ignored: it is no length/);
    expect(manifestOf(document).actions[0]!.tags).to.deep.equal(['write', 'read-only', 'bulk']);
  });

  it('in one id leaves that one out, and not the surface', async () => {
    const root = await render(surface(`${action('')}
      <oui-action action-id="Add-Todo" description="x"></oui-action>
      <oui-observation observation-id="2nd" description="x"></oui-observation>
      <oui-observation observation-id="open_count" description="x"></oui-observation>`));
    const { actions, observations } = manifestOf(root);
    expect([actions.map(({ id }) => id), observations!.map(({ id }) => id)]).to.deep.equal([['do_it'], ['open_count']]);
    expect(warnings.texts).to.have.length(2);
    expect(warnings.texts[0]).to.match(/<oui-action action-id="Add-Todo"> is left out of its surface.*such as "add_todo"/);
    expect(warnings.texts[1]).to.match(/<oui-observation observation-id="2nd"> is left out of its surface.*such as "nd"/);
    root.querySelectorAll('oui-action')[1]!.actionId = 'add_todo';
    await nextTask();
    expect(manifestOf(root).actions.map(({ id }) => id)).to.deep.equal(['do_it', 'add_todo']);
  });

  it('in routes and in the origin of a frame is told', async () => {
    const root = await render(`${surface(action(''), 'routes="/todos, /"')}
      <oui-frame name="Map" allow-origin="opaque"><iframe srcdoc="x"></iframe></oui-frame>
      <oui-frame name="Safe" allow-origin="opaque"><iframe sandbox="allow-scripts" srcdoc="x"></iframe></oui-frame>`);
    find(root, 'oui-surface');
    await warnings.next(/<oui-surface surface-id="todo-app"> has a route "\/todos," with a comma at its end/);
    await warnings.next(/<oui-frame name="Map"> has allow-origin="opaque", and its <iframe> has an origin.*sandbox="allow-scripts"/);
    expect(warnings.texts.join()).not.to.contain('Safe');
  });

  it('in a form\'s names, or in where from points, is told', async () => {
    const { input, told } = await inputOf(`${action('', 'for="it"')}
      <oui-observation observation-id="values" description="x" from="#bare" type="form"></oui-observation>
      <form id="it"><input name="имя"><input name="名前"><input type="radio" name="kind" value="a"><input type="checkbox"
        name="kind" value="b"></form><p id="bare">Nothing</p>`);
    expect(Object.keys((input as { properties: object }).properties)).to.deep.equal(['field', 'field_2', 'kind']);
    expect(told.join('\n')).to.match(/<input name="имя"> of <form id="it"> is called "field" by agents/);
    expect(told.join('\n')).to.match(/<input name="名前"> of <form id="it"> is called "field_2" by agents.*A to Z/);
    expect(told.join('\n')).to.match(/<input name="kind"> of <form id="it"> shares its name with radio buttons and other controls/);
    await warnings.next(/<oui-observation observation-id="values"> has type="form", and #bare holds no controls.*it is a <p>/);
  });
});
