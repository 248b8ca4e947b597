import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EVENT, EXTENSION } from '../../../src/protocol/events.js';
import { parseEvent } from '../../../src/protocol/guards.js';
import { eventsJsonSchema, manifestJsonSchema } from '../../../src/protocol/json-schemas.js';
import { manifestProblems } from '../../../src/validation/manifest-problems.js';

const ajv = new Ajv2020({ strict: false, ownProperties: true, allErrors: true });
const manifestFits = ajv.compile(manifestJsonSchema());
const eventFits = ajv.compile(eventsJsonSchema());

const manifest = {
  id: 'todo-app',
  name: 'Todos',
  description: 'Create and complete tasks.',
  version: '1.0.0',
  actions: [
    {
      id: 'add_todo',
      title: 'Add',
      description: 'Adds a todo.',
      input: { type: 'object', properties: { title: { type: 'string', maxLength: 80, title: 'T' } }, required: ['title'] },
      output: { type: 'array', items: { enum: [1, 'x'] }, uniqueItems: true },
      confirm: true,
      async: true,
      effect: 'edit',
      usage: 'When asked.',
      preconditions: 'None.',
      estimatedDuration: 'instant',
      tags: ['write'],
      polling: { intervalMs: 5, maxAttempts: 2, maxDurationMs: 10, subscribe: { event: 'done', filter: { id: 1 } } },
      enabled: false,
      disabledReason: 'Busy.',
    },
  ],
  observations: [{ id: 'open_count', description: 'How many.', schema: { type: 'integer' }, updateFrequency: 'polling' }],
  activation: { routes: ['/todos'], entity: { type: 'list', id: '7' }, condition: 'Signed in.' },
  metadata: { most: 10 },
  concurrent: true,
};

const index = [{ id: 'a', name: 'A', description: '', index: [{ id: 'b', description: '', input: 'none', definitionHash: 'x' }] }];
const error = { code: 'TIMEOUT', message: 'Too late.', details: [1] };
const cut = { surface: 'a', observation: 'b', path: '', kind: 'list', total: 2, kept: 1 };
const result = { requestId: 'r', success: true, timestamp: 1 };
const events = [
  [EVENT.request, { requestId: 'r', surfaceId: 's', actionId: 'a', params: {}, timestamp: 1, turnId: 't', approval: { approvalId: 'x', argsHash: 'y' }, knownSurfaces: 'h' }],
  [EVENT.observationRequest, { surfaceId: 's', observationId: 'o', requestId: 'r', timestamp: 1 }],
  [EVENT.register, { surface: manifest, timestamp: 1 }],
  [EVENT.register, { index: index[0], timestamp: 1 }],
  [EVENT.deregister, { surfaceId: 's', timestamp: 1 }],
  [EVENT.result, { ...result, data: 1, surfaces: [manifest], surfacesHash: 'h', observations: { s: {} }, settled: true }],
  [EVENT.result, { ...result, success: false, error, index, interim: false, durationMs: 2 }],
  [EVENT.result, { ...result, fit: { observations: [cut], data: { bytes: 1, limit: 2 } }, delivery: { trimmed: true, reason: 'x', omitted: ['data'] } }],
  [EVENT.observation, { surfaceId: 's', observationId: 'o', value: null, timestamp: 1, fit: { observations: [cut] } }],
  [EXTENSION.hello, { protocol: '0.1', software: 'x', features: ['ack'], confirmBy: 'page', clientId: 'c', url: 'u', title: 't', now: 1 }],
  [EXTENSION.receipt, { requestId: 'r', ok: false, reason: 'x' }],
  [EXTENSION.ack, { requestId: 'r', interim: false, ok: true, error: 'e', reason: 'x' }],
  [EXTENSION.cancel, { requestId: 'r' }],
  [EXTENSION.approval, { requestId: 'r', argsHash: 'h', expiresAt: 1, state: 'pending' }],
  [EXTENSION.attachment, { requestId: 'r', id: 'logo-one', offset: 0 }],
  [EXTENSION.attachmentPart, { requestId: 'r', id: 'logo-one', error: 'expired' }],
  [EXTENSION.attachmentPart, {
    requestId: 'r', id: 'logo-one', offset: 0, total: 3, name: 'a.txt', mediaType: 'text/plain', data: 'YWJj',
  }],
  [EXTENSION.ping, {}],
  [EXTENSION.pong, {}],
].map(([type, payload]) => ({ type, payload }));

type Path = readonly (string | number)[];

/** Every place in a value. */
function placesOf(value: unknown, path: Path = []): Path[] {
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries((value as object | null) ?? {});
  const below = typeof value === 'object' ? entries.flatMap(([key, member]) => placesOf(member, [...path, key])) : [];
  return [path, ...below];
}

/** A copy with another value in one place; `undefined` takes it away. */
function withValue(value: unknown, [step, ...rest]: Path, other: unknown): unknown {
  if (step === undefined) return other;
  const copy: Record<string | number, unknown> = Array.isArray(value) ? ([...value] as never) : { ...(value as object) };
  const member = withValue(copy[step], rest, other);
  if (member === undefined && rest.length === 0) {
    if (Array.isArray(copy)) copy.splice(step as number, 1);
    else delete copy[step];
  } else copy[step] = member;
  return copy;
}

/** Other values that JSON can carry, and nothing. No text that an id could be. */
const others = [undefined, null, true, 0, -1, 1.5, '', ' ', 'A b', 'oui', 'view', [], [1], [''], {}, { a: 1 }, [{}]];

const changed = (value: unknown) =>
  fc.constantFrom(...placesOf(value)).chain((path) => fc.constantFrom(...others).map((other) => withValue(value, path, other)));

/** What a JSON Schema cannot say. */
const BEYOND = ['unique', 'external-ref', 'dangling-ref', 'attachment', 'pattern', 'size', 'depth', 'key', 'endless-ref'];

describe('the manifest as JSON Schema', () => {
  it('is a schema, and takes a manifest', () => {
    expect(ajv.validateSchema(manifestJsonSchema())).toBe(true);
    expect([manifestFits(manifest), manifestFits.errors]).toEqual([true, null]);
    expect(manifestProblems(manifest)).toEqual([]);
  });

  it('agrees with validateManifest wherever a manifest is changed', () => {
    const wrong = (value: unknown) => manifestProblems(value).filter(({ rule }) => !BEYOND.includes(rule));
    fc.assert(
      fc.property(changed(manifest), (value) => {
        // A list under `items` is of an earlier draft, whose schemas are taken too.
        if (value === undefined || JSON.stringify(value).includes('"items":[')) return;
        expect({ value, fits: manifestFits(value) }).toEqual({ value, fits: wrong(value).length === 0 });
      }),
      { numRuns: 500 },
    );
  });

  it('refuses ids that are none, and the reserved one', () => {
    expect(['Todo', 'a', 'todo-', '-todo', 'oui', 'a'.repeat(65)].map((id) => manifestFits({ ...manifest, id }))).not.toContain(true);
    expect(manifestFits({ ...manifest, id: 'a'.repeat(64) })).toBe(true);
  });
});

describe('the events as JSON Schema', () => {
  it('is a schema, and takes every event', () => {
    expect(ajv.validateSchema(eventsJsonSchema())).toBe(true);
    for (const event of events) expect([event.type, eventFits(event), eventFits.errors]).toEqual([event.type, true, null]);
    expect(new Set(events.map(({ type }) => type))).toEqual(new Set(Object.values({ ...EVENT, ...EXTENSION })));
  });

  it('agrees with the guards wherever an event is changed', () => {
    fc.assert(
      fc.property(fc.constantFrom(...events).chain(changed), (event) => {
        if (event === undefined) return;
        const malformed = parseEvent(event).kind === 'malformed';
        expect({ event, fits: eventFits(event) }).toEqual({ event, fits: !malformed });
      }),
      { numRuns: 1_000 },
    );
  });
});
