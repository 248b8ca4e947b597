import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OUIAction, OUISurface } from '../../../src/protocol/manifest.js';
import { indexDescription } from '../../../src/rules/index-description.js';
import { indexEntry, surfaceIndex } from '../../../src/rules/index-entry.js';
import { definitionHash, surfacesHash } from '../../../src/rules/surfaces-hash.js';

describe('indexDescription', () => {
  it.each<[string, string, string | undefined, string]>([
    ['collapses white space', '  Adds\n\t a   todo ', undefined, 'Adds a todo'],
    ['keeps the first sentence', 'Adds a todo. Use it often.', undefined, 'Adds a todo.'],
    ['ends a sentence at a question', 'Done? Then tick it.', undefined, 'Done?'],
    ['ends a sentence at an exclamation', 'Stop! (At once.)', undefined, 'Stop!'],
    ['ends a sentence before a digit', 'Takes one. 2 are too many.', undefined, 'Takes one.'],
    ['ends a sentence before a quote', 'Takes one. "Two" is wrong.', undefined, 'Takes one.'],
    ["ends a sentence before a single quote", "Takes one. 'Two' is wrong.", undefined, 'Takes one.'],
    ['ends a sentence before a bracket', 'Takes one. [See below]', undefined, 'Takes one.'],
    ['goes on before a small letter', 'Takes e.g. a name. It is kept.', undefined, 'Takes e.g. a name.'],
    ['goes on without a space', 'Reads v1.2 of Example.Com. Then ends.', undefined, 'Reads v1.2 of Example.Com.'],
    ['goes on before other letters', 'Ein Satz. Über alles.', undefined, 'Ein Satz. Über alles.'],
    ['ends after white space that was collapsed', 'First.\n\nSecond.', undefined, 'First.'],
    ['drops the title', 'Add todo: adds a todo to the list.', 'Add todo', 'adds a todo to the list.'],
    ['drops the title once', 'Add: Add: adds.', 'Add', 'Add: adds.'],
    ['keeps a title without a colon', 'Add todo to the list.', 'Add todo', 'Add todo to the list.'],
    ['keeps a title in other letters', 'add todo: adds.', 'Add todo', 'add todo: adds.'],
    ['drops an opening with the quoted title', 'The action "Add todo": adds a todo.', 'Add todo', 'adds a todo.'],
    ['drops a quoted title at the start', '"Add": adds.', 'Add', 'adds.'],
    ['keeps an opening of its own sentence', 'Beware. "Add": adds.', 'Add', 'Beware.'],
    ['keeps an opening with a colon', 'Note: "Add": adds.', 'Add', 'Note: "Add": adds.'],
    ['keeps an opening with a question', 'Sure? "Add": adds', 'Add', 'Sure?'],
    ['keeps an opening with a quote', 'A "b" c "Add": adds.', 'Add', 'A "b" c "Add": adds.'],
    ['drops what starts at the 32nd unit', `${'x'.repeat(31)}"Add": adds.`, 'Add', 'adds.'],
    ['keeps what starts later', `${'x'.repeat(32)}"Add": adds.`, 'Add', `${'x'.repeat(32)}"Add": adds.`],
    ['keeps the title when nothing else is there', 'Add: ', 'Add', 'Add:'],
    ['keeps the quoted title when nothing else is there', 'The "Add": ', 'Add', 'The "Add":'],
    ['takes an empty title for none', ': adds.', '', ': adds.'],
    ['takes a title with white space', 'Add todo: adds.', ' Add\n todo ', 'adds.'],
    ['takes a title with special characters', 'A+ (b): adds.', 'A+ (b)', 'adds.'],
    ['has nothing of nothing', '', 'Add', ''],
  ])('%s', (_name, description, title, expected) => {
    expect(indexDescription(description, title)).toBe(expected);
  });

  it('clips to 160 units, without a space or half a pair before the sign', () => {
    expect(indexDescription('x'.repeat(160))).toBe('x'.repeat(160));
    expect(indexDescription('x'.repeat(161))).toBe(`${'x'.repeat(159)}…`);
    expect(indexDescription(`${'x'.repeat(158)} ${'y'.repeat(9)}`)).toBe(`${'x'.repeat(158)}…`);
    expect(indexDescription(`${'x'.repeat(158)}😀yy`)).toBe(`${'x'.repeat(158)}…`);
    expect(indexDescription(`${'x'.repeat(157)}😀yy`)).toBe(`${'x'.repeat(157)}😀…`);
    expect(indexDescription(`${'x'.repeat(158)}😀`)).toBe(`${'x'.repeat(158)}😀`);
  });

  it('is short and never empty for a description that says something', () => {
    const unit = fc.constantFrom('a', 'B', ' ', '.', '!', ':', '"', '\n', '1', '😀', 'é');
    const text = fc.oneof(fc.string({ unit, maxLength: 40 }), fc.string({ unit, minLength: 150, maxLength: 400 }));
    fc.assert(
      fc.property(text, fc.string({ unit, maxLength: 6 }), fc.boolean(), (rest, title, opens) => {
        const description = opens ? `${title}: ${rest}` : rest;
        const short = indexDescription(description, title);
        expect(short.length).toBeLessThanOrEqual(160);
        expect(short === '').toBe(description.trim() === '');
        expect(short).not.toMatch(/\p{Surrogate}|\s{2}|\n/u);
        expect(indexDescription(description, title)).toBe(short);
      }),
      { numRuns: 500 },
    );
  });
});

const action: OUIAction = {
  id: 'render_chart',
  title: 'Render chart',
  description: 'Render chart: draws it. It takes a while.',
  input: { type: 'object', properties: { type: { enum: ['bar', 'pie'] } }, required: ['type'] },
  output: { type: 'object' },
  confirm: true,
  async: true,
  effect: 'job',
  usage: 'After a data set was chosen.',
  estimatedDuration: '5-30s',
  tags: ['charts'],
  polling: { intervalMs: 2000, maxDurationMs: 60_000 },
};

describe('indexEntry', () => {
  it('has these members in this order', () => {
    expect(JSON.stringify(indexEntry(action))).toBe(
      JSON.stringify({
        id: 'render_chart',
        title: 'Render chart',
        description: 'draws it.',
        effect: 'job',
        confirm: true,
        async: true,
        estimatedDuration: '5-30s',
        maxDurationMs: 60_000,
        input: 'type: bar|pie',
        definitionHash: definitionHash(action),
      }),
    );
  });

  it('leaves out what the action does not say, and what is not true', () => {
    const plain: OUIAction = { id: 'list_all', description: 'Lists.', input: {}, confirm: false, async: false };
    expect(JSON.stringify(indexEntry({ ...plain, polling: { intervalMs: 5 } }))).toBe(
      JSON.stringify({
        id: 'list_all',
        description: 'Lists.',
        input: 'none',
        definitionHash: definitionHash({ ...plain, polling: { intervalMs: 5 } }),
      }),
    );
  });

  it('changes with the definition, not with the order of its keys', () => {
    const { id, ...rest } = action;
    expect(indexEntry({ ...rest, id }).definitionHash).toBe(indexEntry(action).definitionHash);
    expect(indexEntry({ ...action, usage: 'Any time.' }).definitionHash).not.toBe(indexEntry(action).definitionHash);
  });
});

describe('surfaceIndex', () => {
  const surface: OUISurface = {
    id: 'dataviz',
    name: 'Charts',
    description: 'Draws charts. From data sets.',
    version: '1.0.0',
    actions: [action],
    observations: [{ id: 'state', description: 'Where it stands.', schema: { type: 'object' } }],
    activation: { routes: '/charts' },
    metadata: { max: 3 },
    concurrent: true,
  };

  it('has the surface as it is, its observations whole, and its actions as entries', () => {
    const { id, name, description, version, observations } = surface;
    expect(JSON.stringify(surfaceIndex(surface))).toBe(
      JSON.stringify({ id, name, description, version, observations, index: [indexEntry(action)] }),
    );
  });

  it('has no members that the surface has not', () => {
    const bare: OUISurface = { id: 'bare', name: 'Bare', description: 'Nothing.', actions: [] };
    expect(JSON.stringify(surfaceIndex(bare))).toBe('{"id":"bare","name":"Bare","description":"Nothing.","index":[]}');
  });

  it('is hashed as any offered part', () => {
    const hash = (each: OUISurface) => surfacesHash([surfaceIndex(each)]);
    expect(hash(surface)).toBe(hash(structuredClone(surface)));
    expect(hash({ ...surface, actions: [{ ...action, output: true }] })).not.toBe(hash(surface));
    expect(hash({ ...surface, metadata: { max: 4 } })).toBe(hash(surface));
  });
});
