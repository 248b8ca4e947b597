import { assert } from 'chai';
import type { OUIAction, OUISurface } from '../../src/protocol/manifest.js';
import { surfaceIndex } from '../../src/rules/index-entry.js';
import { summarizeInput } from '../../src/rules/input-summary.js';
import { definitionHash, sortedJson, surfacesHash } from '../../src/rules/surfaces-hash.js';

/** The functions of a test runner that the suite needs; mocha's and vitest's are alike here. */
export interface Runner {
  describe(name: string, body: () => void): void;
  it(name: string, body: () => void): void;
}

/** `vectors/surfaces-hash-vectors.json`. */
export interface SurfacesVectors {
  readonly cases: readonly {
    readonly name: string;
    readonly value: unknown;
    readonly sortedJson: string;
    readonly surfacesHash?: string;
    readonly definitionHash8?: string;
  }[];
}

const properties = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, {}]));

/** PROTOCOL.md §4, "The index form": its examples, and the forms of a value that it lists. */
const INPUTS: readonly (readonly [summary: string, schema: object])[] = [
  ['value: number 0–100 px', required({ value: { type: 'number', minimum: 0, maximum: 100, 'x-unit': 'px' } })],
  [
    'one of 60 shapes by effect',
    {
      oneOf: Array.from({ length: 60 }, (_, index) => ({
        type: 'object',
        properties: { effect: { const: `effect-${index}` } },
      })),
    },
  ],
  [
    'clipId: string, start?: number ≥0, mode?: a|b|c|d|…(6), when?: string(date), tags?: list of string, '
      + 'style?: object(2),…',
    {
      type: 'object',
      properties: {
        clipId: { type: 'string' },
        start: { type: 'number', minimum: 0 },
        mode: { enum: ['a', 'b', 'c', 'd', 'e', 'f'] },
        when: { type: 'string', format: 'date' },
        tags: { type: 'array', items: { type: 'string' } },
        style: { type: 'object', properties: properties(2) },
        label: { type: 'string' },
      },
      required: ['clipId'],
    },
  ],
  ['none', { type: 'object', properties: {} }],
  ['p0: any, p1: any, p2: any, p3: any, p4: any, p5: any, +2 more', required(properties(8))],
  ['v: number ≤5', required({ v: { type: 'number', maximum: 5 } })],
  ['v: "x"', required({ v: { const: 'x' } })],
  ['v: string|null', required({ v: { type: ['string', 'null'] } })],
  ['v: one of 2', required({ v: { anyOf: [{ type: 'string' }, { type: 'number' }] } })],
  ['v: list', required({ v: { type: 'array' } })],
  ['v: object', required({ v: { type: 'object' } })],
  [
    'v: file(image/*)',
    required({ v: { type: 'string', format: 'oui-attachment', 'x-oui-attachment': { as: 'file', mediaTypes: ['image/*'] } } }),
  ],
];

function required(members: object): object {
  return { type: 'object', properties: members, required: Object.keys(members) };
}

const ACTION: OUIAction = {
  id: 'render_chart',
  title: 'Render chart',
  description: 'Render chart: draws  it. It takes a while.',
  input: required({ type: { enum: ['bar', 'pie'] } }) as OUIAction['input'],
  confirm: true,
  async: true,
  effect: 'job',
  estimatedDuration: '5-30s',
  polling: { intervalMs: 2000, maxDurationMs: 60_000 },
};

const SURFACE: OUISurface = {
  id: 'dataviz',
  name: 'Charts',
  description: 'Draws charts.',
  version: '1.0.0',
  actions: [ACTION],
  observations: [{ id: 'state', description: 'Where it stands.', schema: { type: 'object' } }],
  metadata: { max: 3 },
};

/** Hash and index form are the same wherever they are made: a page and its agent compare them as texts. */
export function describeOfferedPart(vectors: SurfacesVectors, { describe, it }: Runner): void {
  describe('the surfaces hash', () => {
    for (const { name, value, sortedJson: sorted, surfacesHash: hash, definitionHash8 } of vectors.cases) {
      it(`of ${name}`, () => {
        assert.equal(sortedJson(value), sorted);
        if (Array.isArray(value)) assert.equal(surfacesHash(value), hash);
        if (definitionHash8 !== undefined) assert.equal(definitionHash(value), definitionHash8);
      });
    }
  });

  describe('the index form', () => {
    for (const [summary, schema] of INPUTS) {
      it(`sums up an input as ${summary}`, () => {
        assert.equal(summarizeInput(schema as OUIAction['input']), summary);
      });
    }

    it('has the members of a surface and of an entry in the order of the protocol', () => {
      const { id, name, description, version, observations } = SURFACE;
      const entry = {
        id: 'render_chart',
        title: 'Render chart',
        description: 'draws it.',
        effect: 'job',
        confirm: true,
        async: true,
        estimatedDuration: '5-30s',
        maxDurationMs: 60_000,
        input: 'type: bar|pie',
        definitionHash: definitionHash(ACTION),
      };
      const expected = { id, name, description, version, observations, index: [entry] };
      assert.equal(JSON.stringify(surfaceIndex(SURFACE)), JSON.stringify(expected));
    });
  });
}
