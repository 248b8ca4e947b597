import { expect } from 'chai';
import { find, nextTask, offered, render, runtimeOf, warningsOfEachTest } from './fixtures/elements-page.js';

const tool = (attributes: string): string => `<form ${attributes}><label>Make <input name="make" required></label>
  <button>Search</button></form>`;
const surface = (inside: string): string => (
  `<oui-surface surface-id="cars" name="Cars" description="Cars.">${inside}</oui-surface>`);

const warnings = warningsOfEachTest();

describe('a form with WebMCP\'s attributes', () => {
  const TOOL = 'toolname="searchCars" tooldescription="Search cars" toolautosubmit';

  it('is an action of the surface around it, and comes and goes', async () => {
    const root = await render(`<oui-runtime></oui-runtime>${surface(`<div>${tool(TOOL)}</div>`)}
      ${tool('toolname="outside" tooldescription="x"')}`);
    root.addEventListener('submit', (event) => {
      event.preventDefault();
      event.respondWith!({ agent: event.agentInvoked, make: new FormData(event.target as HTMLFormElement).get('make') });
    });
    const { actions } = await offered(root);
    expect(actions).to.deep.equal([{
      id: 'search_cars',
      description: 'Search cars',
      input: {
        type: 'object',
        properties: { make: { type: 'string', description: 'Make' } },
        required: ['make'],
        additionalProperties: false,
      },
    }]);
    const runtime = runtimeOf(root);
    const { data } = await runtime.execute({ surfaceId: 'cars', actionId: 'search_cars', params: { make: 'VW' } });
    expect(data).to.deep.equal({ agent: true, make: 'VW' });
    find(root, 'form').setAttribute('tooldescription', 'Finds cars');
    find(root, 'oui-surface').insertAdjacentHTML('beforeend', tool('toolname="Sell one!" tooldescription="Sell"'));
    await offered(root, ({ actions: now }) => (
      now.map(({ id, description }) => `${id}: ${description}`).join() === 'search_cars: Finds cars,sell_one: Sell'));
    find(root, 'form').removeAttribute('toolname');
    await offered(root, ({ actions: now }) => now.length === 1);
    expect(warnings.texts).to.deep.equal([]);
  });

  it('without toolautosubmit is filled in, and left to the person', async () => {
    const root = await render(`<oui-runtime></oui-runtime>${surface(tool(TOOL.replace(' toolautosubmit', '')))}`);
    let submitted = 0;
    root.addEventListener('submit', (event) => {
      event.preventDefault();
      submitted += 1;
    });
    await offered(root);
    const { data } = await runtimeOf(root)
      .execute({ surfaceId: 'cars', actionId: 'search_cars', params: { make: 'VW' } });
    expect(data).to.deep.equal({
      submitted: false, message: 'The form is filled in. It is for the user to check and to submit it.',
    });
    expect([submitted, find(root, 'input').value]).to.deep.equal([0, 'VW']);
    expect(document.activeElement).to.equal(find(root, 'button'));
  });

  it('is offered once where an <oui-action> speaks for it', async () => {
    const root = await render(`<oui-runtime></oui-runtime>${surface(`${tool(`id="it" ${TOOL}`)}
      <oui-action action-id="find_cars" description="Find" for="it"></oui-action>`)}`);
    expect((await offered(root)).actions.map(({ id }) => id)).to.deep.equal(['find_cars']);
  });
});

describe('a mistake in markup', () => {
  it('is told with the element, the attribute and the way out', async () => {
    const root = await render(`<oui-runtime></oui-runtime>${surface(`
      <oui-action actionid="x" action-id="ok_one" description="x" for="#fine"></oui-action>
      <oui-action action-id="no_button" description="x" for="plain"></oui-action>
      <oui-action action-id="nowhere" description="x" for="nowhere"></oui-action>
      <oui-action action-id="twice" description="x" for="twice" desc="y"></oui-action>
      <form toolname="no_words"></form><form toolname="!!" tooldescription="x"></form>
      <form toolname="x" tooldescription="x"></form>`)}
      <form id="fine"><input><input name="broken" pattern="[(]"></form><p id="plain"></p>
      <button id="twice">1</button><button id="twice">2</button>`);
    find(root, 'oui-action').handler = () => 1;
    await offered(root, ({ actions }) => actions.length === 4);
    await warnings.next(/action-id="nowhere"> cannot be used: no element of the page has the id "nowhere"/);
    await nextTask();
    const expected = [
      /<oui-action action-id="ok_one"> has an attribute actionid.*Did you mean action-id\?/,
      /<oui-action action-id="twice"> has an attribute desc.*Did you mean description\?/,
      /<oui-action action-id="ok_one"> has for="#fine".*Write for="fine"/,
      /<oui-action action-id="ok_one"> has for="#fine" and a \.handler, which is not called/,
      /<oui-action action-id="no_button"> is for <p id="plain">, which is neither a form/,
      /<oui-action action-id="twice"> has for="twice", an id that 2 elements have/,
      /<oui-action action-id="nowhere"> cannot be used/,
      /<form toolname="no_words"> has a toolname and no tooldescription/,
      /<form toolname="!!"> has a toolname without letters/,
      /<form toolname="x"> has a toolname without letters, or with only one/,
      /<input> of <form id="fine"> has no name and no id/,
      /<input name="broken"> has a pattern that browsers ignore/,
    ];
    for (const pattern of expected) {
      expect(warnings.texts.filter((each) => pattern.test(each)), String(pattern)).to.have.length(1);
    }
    expect(warnings.texts).to.have.length(expected.length);
  });
});
