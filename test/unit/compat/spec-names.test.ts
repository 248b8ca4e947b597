import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as compat from '../../../src/entries/compat.js';
import * as core from '../../../src/entries/compat-core.js';
import * as spec from '../../../src/entries/compat-spec.js';
import * as transport from '../../../src/entries/compat-transport.js';

interface ApprovalVectors {
  readonly vectors: readonly { readonly json: string; readonly canonical: string; readonly sha256: string }[];
}

describe('the names of oui-spec', () => {
  it('core, spec, transport, and all of them at the root', () => {
    expect(Object.keys(core).sort()).toEqual(CORE);
    expect(Object.keys(spec).sort()).toEqual(SPEC);
    expect(Object.keys(transport).sort()).toEqual(['createDirectTransportPair', 'createWebSocketTransport']);
    const all = new Set([...CORE, ...SPEC, ...Object.keys(transport)]);
    expect(Object.keys(compat).sort()).toEqual([...all].sort());
  });
});

describe('spec', () => {
  it('approvals: effects and who needs one', () => {
    const { OUI_EFFECT_KINDS, OUI_EFFECT_ACCESS, effectAccess, requiresApproval } = spec;
    const reads = OUI_EFFECT_KINDS.filter((effect) => OUI_EFFECT_ACCESS[effect] === 'read');
    expect(reads).toEqual(['view', 'selection', 'navigate', 'open']);
    expect(OUI_EFFECT_KINDS).toHaveLength(9);
    expect(effectAccess(undefined)).toBe('write');
    const needs = [['transaction'], ['transaction', false], ['edit', true], [undefined, true]] as const;
    const needsNot = [['view', true], ['edit', false], ['edit'], [undefined]] as const;
    expect(needs.map(([effect, destructive]) => requiresApproval(effect, destructive))).not.toContain(false);
    expect(needsNot.map(([effect, destructive]) => requiresApproval(effect, destructive))).not.toContain(true);
  });

  it('argsHash is a promise, and holds the published vectors', async () => {
    const file = new URL('../../vectors/approval-vectors.json', import.meta.url);
    const { vectors } = JSON.parse(readFileSync(file, 'utf8')) as ApprovalVectors;
    expect(vectors.length).toBeGreaterThan(5);
    for (const { json, canonical, sha256 } of vectors) {
      const params: unknown = JSON.parse(json);
      expect(spec.canonicalJson(params)).toBe(canonical);
      expect(await spec.argsHash(params)).toBe(sha256);
      expect(sha256).toMatch(spec.ARGS_HASH_PATTERN);
    }
    await expect(spec.argsHash({ a: NaN })).rejects.toThrow(/not I-JSON/);
  });

  it('the index form', () => {
    const action = { id: 'add', title: 'Add', description: 'Add: adds it. More.', input: { type: 'object' } };
    const entry = spec.indexEntry(action);
    expect(entry).toEqual({
      id: 'add',
      title: 'Add',
      description: 'adds it.',
      input: 'none',
      definitionHash: spec.definitionHash(action),
    });
    expect(entry.definitionHash).toHaveLength(spec.DEFINITION_HASH_HEX);
    expect(spec.surfaceIndex({ id: 's', name: 'S', description: 'D', actions: [action] }).index).toEqual([entry]);
    expect(spec.firstSentence('One.  Two.')).toBe('One.');
    expect(spec.withoutTitleLeadIn('Press "Save": saves.', 'Save')).toBe('saves.');
    expect(spec.withoutTitleLeadIn('Saves.', undefined)).toBe('Saves.');
    expect(spec.summarizeInput(undefined)).toBe('none');
    expect(spec.jsonBytes('é')).toBe(4);
    expect(spec.jsonBytes(undefined)).toBe(0);
    const members = ['a', 'b'].map((kind) => ({ properties: { size: { type: 'number' }, kind: { const: kind } } }));
    expect(spec.discriminatorOf(members)).toBe('kind');
    expect(spec.discriminatorOf([{ properties: { kind: { enum: ['a'] } } }, { properties: {} }])).toBeNull();
    expect(spec.constantOf({ enum: [3] })).toBe(3);
    expect(spec.constantOf({ enum: [3, 4] })).toBeUndefined();
  });

  it('fitting', () => {
    const whole = { s: { o: [1, 2] } };
    const nothingCut = spec.fitObservations(whole, 1_000);
    expect(nothingCut.observations).toBe(whole);
    expect(nothingCut.cuts).toEqual([]);
    const { observations, cuts } = spec.fitObservations({ s: { o: Array(1_000).fill('row') } }, 2_000);
    expect(observations['s']!['o']).toHaveLength(200);
    expect(cuts).toEqual([{ surface: 's', observation: 'o', path: '', kind: 'list', total: 1_000, kept: 200 }]);
    expect(spec.FIT_LIST_STEPS).toEqual([200, 50, 20, 5, 0]);
    expect(spec.pointerStep('/a', 'b/c')).toBe('/a/b~1c');
    expect(spec.pointerSteps('/a/b~1c')).toEqual(['a', 'b/c']);
    expect(() => spec.pointerSteps('a')).toThrow('no JSON Pointer');
    expect(spec.atPointer({ a: [{ b: 1 }] }, '/a/0/b')).toBe(1);
    expect(() => spec.atPointer({}, 'a')).toThrow('no JSON Pointer');
  });
});

const CORE = [
  'ATTACHMENT_LIST_MAX', 'OUI_PROTOCOL_EVENTS', 'acceptCurrentTurn', 'createOUI', 'createSurfaceRuntime', 'defineSurface',
];
const SPEC = [
  'ARGS_HASH_PATTERN',
  'DEFINITION_HASH_HEX',
  'FIT_LIST_STEPS',
  'FIT_TEXT_CHARS',
  'INDEX_DESCRIPTION_CHARS',
  'INDEX_INPUT_CHARS',
  'INDEX_INPUT_PROPERTIES',
  'OUI_DESCRIBE_ACTION',
  'OUI_EFFECT_ACCESS',
  'OUI_EFFECT_KINDS',
  'OUI_PROTOCOL_EVENTS',
  'OUI_READ_ACTION',
  'OUI_RUNTIME_SURFACE',
  'argsHash',
  'atPointer',
  'canonicalJson',
  'constantOf',
  'definitionHash',
  'discriminatorOf',
  'effectAccess',
  'firstSentence',
  'fitObservations',
  'indexEntry',
  'jsonBytes',
  'pointerStep',
  'pointerSteps',
  'requiresApproval',
  'sortedJson',
  'summarizeInput',
  'surfaceIndex',
  'surfacesHash',
  'utf8Length',
  'withoutTitleLeadIn',
];
