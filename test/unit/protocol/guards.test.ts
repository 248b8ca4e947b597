import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EVENT, EXTENSION } from '../../../src/protocol/events.js';
import {
  checkManifest,
  exceedsLimits,
  parseEvent,
  parseEventToAgent,
  parseEventToPage,
  requestIdOf,
  typeOf,
} from '../../../src/protocol/guards.js';
import * as LIMITS from '../../../src/protocol/limits.js';

type Payload = Record<string, unknown>;

const surface = {
  id: 'todo-app',
  name: 'Todos',
  description: 'Tasks.',
  version: '1.0.0',
  actions: [
    {
      id: 'add_todo',
      title: 'Add',
      description: 'Add a todo',
      input: { type: 'object' },
      output: true,
      confirm: false,
      async: false,
      effect: 'edit',
      usage: 'u',
      preconditions: 'p',
      estimatedDuration: 'instant',
      tags: ['write'],
      polling: { intervalMs: 1, maxAttempts: 2, maxDurationMs: 3, subscribe: { event: 'done', filter: { a: 1 } } },
      enabled: false,
      disabledReason: 'no',
    },
  ],
  observations: [{ id: 'todo_list', description: 'd', schema: {}, updateFrequency: 'realtime' }],
  activation: { routes: ['/todos'], entity: { type: 'project', id: '1' }, condition: 'c' },
  metadata: { max: 1 },
  concurrent: true,
};

const surfaceIndex = {
  id: 'todo-app',
  name: 'Todos',
  description: 'Tasks.',
  version: '1.0.0',
  observations: surface.observations,
  index: [
    {
      id: 'add_todo',
      title: 'Add',
      description: 'Add a todo',
      effect: 'edit',
      confirm: true,
      async: true,
      estimatedDuration: 'instant',
      maxDurationMs: 3,
      input: 'none',
      definitionHash: '0123abcd',
    },
  ],
};

const cut = { surface: 's', observation: 'o', path: '/rows', kind: 'list', total: 300, kept: 200 };

/** One complete payload per event; every member listed as optional may be left out. */
const events: { type: string; payload: Payload; optional: string[] }[] = [
  { type: EVENT.register, payload: { surface, timestamp: 1 }, optional: [] },
  { type: EVENT.deregister, payload: { surfaceId: 's', timestamp: 1 }, optional: [] },
  {
    type: EVENT.request,
    payload: {
      requestId: 'r',
      surfaceId: 's',
      actionId: 'a',
      params: { any: [1] },
      timestamp: 1,
      turnId: 't',
      approval: { approvalId: 'x', argsHash: 'y' },
      knownSurfaces: 'h',
    },
    optional: ['params', 'timestamp', 'turnId', 'approval', 'knownSurfaces'],
  },
  {
    type: EVENT.result,
    payload: {
      requestId: 'r',
      success: false,
      data: null,
      error: { code: 'c', message: 'm', details: [] },
      interim: false,
      durationMs: 1,
      timestamp: 1,
      surfaces: [surface],
      index: [surfaceIndex],
      surfacesHash: 'h',
      observations: { s: { o: 1 } },
      fit: { observations: [cut], data: { bytes: 2, limit: 1 } },
      settled: true,
      delivery: { trimmed: true, reason: 'r', omitted: ['data'] },
    },
    optional: [
      'data', 'interim', 'durationMs', 'surfaces', 'index', 'surfacesHash', 'observations', 'fit', 'settled', 'delivery',
    ],
  },
  {
    type: EVENT.observation,
    payload: { surfaceId: 's', observationId: 'o', value: null, timestamp: 1, fit: { observations: [cut] } },
    optional: ['fit'],
  },
  {
    type: EVENT.observationRequest,
    payload: { surfaceId: 's', observationId: 'o', requestId: 'r', timestamp: 1 },
    optional: [],
  },
  {
    type: EXTENSION.hello,
    payload: {
      protocol: '0.1',
      software: 'x/1',
      features: ['ack'],
      confirmBy: 'page',
      clientId: 'c',
      url: 'u',
      title: 't',
      now: 1,
    },
    optional: ['confirmBy', 'clientId', 'url', 'title'],
  },
  { type: EXTENSION.receipt, payload: { requestId: 'r', ok: false, reason: 'x' }, optional: ['reason'] },
  { type: EXTENSION.ack, payload: { requestId: 'r', interim: true, ok: false, error: 'x' }, optional: ['error'] },
  { type: EXTENSION.cancel, payload: { requestId: 'r' }, optional: [] },
  {
    type: EXTENSION.approval,
    payload: { requestId: 'r', argsHash: 'h', expiresAt: 1, state: 'pending' },
    optional: [],
  },
  { type: EXTENSION.ping, payload: {}, optional: [] },
  { type: EXTENSION.pong, payload: {}, optional: [] },
  { type: EXTENSION.attachment, payload: { requestId: 'r', id: 'i', offset: 0 }, optional: [] },
  {
    type: EXTENSION.attachmentPart,
    payload: { requestId: 'r', id: 'i', offset: 0, total: 1, name: 'n', mediaType: 'text/plain', data: 'eA==' },
    optional: [],
  },
];

const without = (payload: Payload, name: string): Payload => {
  const { [name]: _, ...rest } = payload;
  return rest;
};

describe('parseEvent', () => {
  it('has a case here for every event of the protocol', () => {
    expect(events.map(({ type }) => type)).toEqual([...Object.values(EVENT), ...Object.values(EXTENSION)]);
  });

  describe.each(events)('$type', ({ type, payload, optional }) => {
    it('passes complete, and without each optional member', () => {
      expect(parseEvent({ type, payload })).toEqual({ kind: 'event', event: { type, payload } });
      for (const name of optional) {
        expect(parseEvent({ type, payload: without(payload, name) })).toMatchObject({ kind: 'event' });
        expect(parseEvent({ type, payload: { ...payload, [name]: undefined } })).toMatchObject({ kind: 'event' });
      }
    });

    it('is malformed without each required member', () => {
      for (const name of Object.keys(payload).filter((key) => !optional.includes(key))) {
        const parsed = parseEvent({ type, payload: without(payload, name) });
        expect(parsed, name).toMatchObject({ kind: 'malformed', type });
      }
    });

    it('is malformed when a member has another type', () => {
      for (const name of Object.keys(payload).filter((key) => !['params', 'data', 'value'].includes(key))) {
        const parsed = parseEvent({ type, payload: { ...payload, [name]: [[7]] } });
        expect(parsed, name).toMatchObject({ kind: 'malformed', problem: expect.stringContaining(`/payload/${name}`) });
      }
    });

    it.each([undefined, null, [], 'text', 7])('is malformed with payload %s', (broken) => {
      expect(parseEvent({ type, payload: broken })).toMatchObject({ kind: 'malformed', type });
    });

    it('lets members through that we do not know', () => {
      expect(parseEvent({ type, payload: { ...payload, later: 1 } })).toMatchObject({ kind: 'event' });
    });
  });

  it('says what, where and the value, and whose request it was', () => {
    const request = { ...(events[2] as { payload: Payload }).payload, timestamp: 'now' };
    expect(parseEvent({ type: EVENT.request, payload: request })).toEqual({
      kind: 'malformed',
      type: 'action:request',
      problem: 'action:request: /payload/timestamp must be a finite number, got the text "now"',
      requestId: 'r',
    });
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, '1', null])('refuses the timestamp %s', (timestamp) => {
    expect(parseEvent({ type: EVENT.deregister, payload: { surfaceId: 's', timestamp } }).kind).toBe('malformed');
  });

  it('takes ids of 1 to 160 characters', () => {
    const kind = (requestId: unknown): string => parseEvent({ type: EXTENSION.cancel, payload: { requestId } }).kind;
    expect(kind('s:a:status')).toBe('event');
    expect(kind('x'.repeat(160))).toBe('event');
    expect(kind('x'.repeat(161))).toBe('malformed');
    expect(kind('')).toBe('malformed');
  });

  it('wants an error exactly when a result failed', () => {
    const parse = (payload: Payload): unknown => parseEvent({ type: EVENT.result, payload });
    const base = { requestId: 'r', timestamp: 1 };
    expect(parse({ ...base, success: true })).toMatchObject({ kind: 'event' });
    expect(parse({ ...base, success: false })).toMatchObject({ kind: 'malformed', requestId: 'r' });
    const error = { code: 'c', message: 'm' };
    expect(parse({ ...base, success: true, error })).toMatchObject({ kind: 'malformed', requestId: 'r' });
  });

  it('looks into an index and a report of cuts', () => {
    const problem = (more: Payload): unknown => {
      const parsed = parseEvent({ type: EVENT.result, payload: { requestId: 'r', success: true, timestamp: 1, ...more } });
      return parsed.kind === 'malformed' ? parsed.problem : parsed.kind;
    };
    const entry = surfaceIndex.index[0];
    expect(problem({ index: [{ ...surfaceIndex, index: [{ ...entry, input: {} }] }] })).toBe(
      'action:result: /payload/index/0/index/0/input must be a text, got an object',
    );
    expect(problem({ index: [surface] })).toBe('action:result: /payload/index/0/index must be a list, got nothing');
    expect(problem({ fit: { observations: [{ ...cut, total: '300' }] } })).toBe(
      'action:result: /payload/fit/observations/0/total must be a finite number, got the text "300"',
    );
    expect(problem({ fit: { data: {} } })).toBe(
      'action:result: /payload/fit/data/bytes must be a finite number, got nothing',
    );
    expect(problem({ fit: { observations: [{ ...cut, kind: 'later' }] } })).toBe('event');
  });

  it('reads on each side what the other sends', () => {
    const both = [EXTENSION.hello, EXTENSION.ping, EXTENSION.pong] as string[];
    const { ack, cancel, attachmentPart } = EXTENSION;
    const toPage = [...both, EVENT.request, EVENT.observationRequest, ack, cancel, attachmentPart];
    for (const { type, payload } of events) {
      const known = (yes: boolean): string => (yes ? 'event' : 'unknown');
      expect(parseEventToPage({ type, payload }).kind, type).toBe(known(toPage.includes(type)));
      const toAgent = both.includes(type) || !toPage.includes(type);
      expect(parseEventToAgent({ type, payload }).kind, type).toBe(known(toAgent));
    }
  });

  it('does not take inherited members for the event', () => {
    const inherited = Object.create({ requestId: 'r' }) as object;
    expect(parseEvent({ type: EXTENSION.cancel, payload: inherited }).kind).toBe('malformed');
  });

  it('tells foreign and unknown events from broken ones', () => {
    expect(parseEvent({ type: 'x-app:track', payload: 7 })).toEqual({
      kind: 'extension',
      type: 'x-app:track',
      payload: 7,
    });
    expect(parseEvent({ type: 'x-oui:later' })).toEqual({ kind: 'unknown', type: 'x-oui:later' });
    expect(parseEvent({ type: 'surface:moved' })).toEqual({ kind: 'unknown', type: 'surface:moved' });
    expect(parseEvent({ type: 'toString' })).toEqual({ kind: 'unknown', type: 'toString' });
    for (const message of [undefined, null, 7, 'text', [], {}, { type: 7 }, { type: '' }, { payload: {} }]) {
      expect(parseEvent(message).kind).toBe('malformed');
    }
  });

  it('never throws, whatever comes', () => {
    const types = fc.constantFrom(...Object.values(EVENT), ...Object.values(EXTENSION));
    const payloads = fc.oneof(fc.anything(), fc.object({ key: fc.constantFrom('requestId', 'surface', 'error') }));
    fc.assert(
      fc.property(types, payloads, (type, payload) => {
        expect(['event', 'malformed']).toContain(parseEvent({ type, payload }).kind);
        parseEvent(payload);
      }),
    );
  });
});

describe('requestIdOf and typeOf', () => {
  it('find what can be answered in a broken message', () => {
    expect(requestIdOf({ type: 7, payload: { requestId: 'r', surfaceId: 1 } })).toBe('r');
    expect(typeOf({ type: 'action:request' })).toBe('action:request');
    for (const message of [null, 'x', {}, { payload: null }, { payload: { requestId: 7 } }]) {
      expect(requestIdOf(message)).toBeUndefined();
      expect(typeOf(message)).toBeUndefined();
    }
  });
});

describe('checkManifest', () => {
  it('takes a complete and a minimal manifest', () => {
    expect(checkManifest(surface)).toBeUndefined();
    expect(checkManifest({ id: 's', name: '', description: '', actions: [] })).toBeUndefined();
  });

  const action = surface.actions[0] as (typeof surface.actions)[0];
  it.each<[string, unknown, string]>([
    ['no object', null, 'the value must be an object, got null'],
    ['no id', { ...surface, id: undefined }, '/id must be a text of 1 to 160 characters, got nothing'],
    ['actions', { ...surface, actions: {} }, '/actions must be a list, got an object'],
    ['a null action', { ...surface, actions: [null] }, '/actions/0 must be an object, got null'],
    [
      'an input',
      { ...surface, actions: [{ ...action, input: 'x' }] },
      '/actions/0/input must be a JSON Schema (an object or a boolean), got the text "x"',
    ],
    [
      'tags',
      { ...surface, actions: [{ ...action, tags: ['a', 7] }] },
      '/actions/0/tags/1 must be a text, got 7',
    ],
    [
      'an observation',
      { ...surface, observations: [{ id: 'o', description: 'd' }] },
      '/observations/0/schema must be a JSON Schema (an object or a boolean), got nothing',
    ],
    [
      'routes',
      { ...surface, activation: { routes: [7] } },
      '/activation/routes must be a text or a list of texts, got a list of 1',
    ],
    ['metadata', { ...surface, metadata: [] }, '/metadata must be an object, got a list of 0'],
  ])('refuses %s', (_name, manifest, problem) => {
    expect(checkManifest(manifest)).toBe(problem);
  });
});

describe('exceedsLimits', () => {
  const nest = (levels: number): unknown => {
    let value: unknown = 1;
    for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { a: value };
    return value;
  };

  it('takes what is within', () => {
    expect(exceedsLimits(nest(LIMITS.messageDepth))).toBeUndefined();
    expect(exceedsLimits(new Array(LIMITS.messageNodes - 1).fill(0))).toBeUndefined();
    expect(exceedsLimits(runInNewContext('({ a: [{}] })'))).toBeUndefined();
    expect(exceedsLimits(Object.create(null))).toBeUndefined();
    expect(exceedsLimits({ a: undefined })).toBeUndefined();
    expect(exceedsLimits('text')).toBeUndefined();
  });

  it('takes as many values as it is told', () => {
    const list = new Array<number>(LIMITS.messageNodes).fill(0);
    expect(exceedsLimits(list)).toBe('the message has more than 100000 values');
    expect(exceedsLimits(list, LIMITS.messageNodes + 1)).toBeUndefined();
    expect(exceedsLimits([0, 0, 0], 3)).toBe('the message has more than 3 values');
  });

  it('names the place that is too deep', () => {
    expect(exceedsLimits({ x: nest(LIMITS.messageDepth) })).toMatch(/^\/x\/a\/0\/.* is nested deeper than 64 levels$/);
  });

  it('does not overflow the stack, nor go round for ever', () => {
    expect(exceedsLimits(nest(1_000_000))).toMatch(/nested deeper/);
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    expect(exceedsLimits(cycle)).toMatch(/nested deeper/);
    let shared: unknown = [];
    for (let level = 0; level < 60; level++) shared = [shared, shared];
    expect(exceedsLimits(shared)).toBe('the message has more than 100000 values');
  });

  class Custom {
    a = 1;
  }
  it.each<[string, unknown, string]>([
    ['too many items', new Array(LIMITS.messageNodes).fill(0), 'the message has more than 100000 values'],
    ['a long hole', new Array(4_000_000_000), 'the message has more than 100000 values'],
    ['__proto__', JSON.parse('{"a":[{"__proto__":1}]}'), '/a/0 has a key "__proto__"'],
    ['a class instance', { a: new Custom() }, '/a is an object with a prototype of its own'],
    ['inherited members', Object.create({ a: 1 }), 'the message is an object with a prototype of its own'],
    ['a Map', { a: new Map() }, '/a is an object with a prototype of its own'],
    ['a function', { a: [() => 1] }, '/a/0 is a function, which JSON cannot carry'],
    ['a bigint', 1n, 'the message is a bigint, which JSON cannot carry'],
    ['NaN', { 'a/b': Number.NaN }, '/a~1b is NaN, which JSON cannot carry'],
  ])('refuses %s', (_name, message, problem) => {
    expect(exceedsLimits(message)).toBe(problem);
  });
});
