import { MEMBER_ID_PATTERN, RESERVED_SURFACE_ID, SURFACE_ID_PATTERN } from './author-ids.js';
import { EVENT, EXTENSION } from './events.js';
import type { JsonObject, JSONSchema } from './json.js';
import * as LIMITS from './limits.js';
import { ACTION_EFFECTS, UPDATE_FREQUENCIES } from './manifest.js';

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';
const text = { type: 'string' };
const filled = { type: 'string', pattern: '\\S' };
const flag = { type: 'boolean' };
const number = { type: 'number' };
const list = (items: JsonObject): JsonObject => ({ type: 'array', items });

/** An object with these members; those whose name ends in `?` may be absent. Others are let through. */
function object(members: { readonly [name: string]: JSONSchema }): JsonObject {
  const names = Object.keys(members);
  const required = names.filter((name) => !name.endsWith('?'));
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name.replace(/\?$/, ''), members[name]])),
    ...(required.length > 0 && { required }),
  };
}

interface ManifestParts {
  readonly surfaceId: JsonObject;
  readonly memberId: JsonObject;
  readonly schema: JsonObject;
  readonly said: JsonObject;
  readonly effect: JsonObject;
  readonly polling: JsonObject;
  readonly actions: JsonObject;
}

function observation({ memberId: id, said: description, schema }: ManifestParts): JsonObject {
  return object({ id, description, schema, 'updateFrequency?': { enum: UPDATE_FREQUENCIES } });
}

function action({ memberId: id, said: description, schema, effect, polling }: ManifestParts): JsonObject {
  return object({
    id,
    'title?': text,
    description,
    input: schema,
    'output?': schema,
    'confirm?': flag,
    'async?': flag,
    'effect?': effect,
    'usage?': text,
    'preconditions?': text,
    'estimatedDuration?': text,
    'tags?': list(text),
    'polling?': polling,
    'enabled?': flag,
    'disabledReason?': text,
  });
}

function surface(parts: ManifestParts): JsonObject {
  return object({
    id: parts.surfaceId,
    name: parts.said,
    description: parts.said,
    'version?': text,
    actions: { ...list(action(parts)), ...parts.actions },
    'observations?': list(observation(parts)),
    'activation?': object({
      'routes?': { anyOf: [text, list(text)] },
      'entity?': object({ type: parts.said, 'id?': text }),
      'condition?': text,
    }),
    'metadata?': { type: 'object' },
    'concurrent?': flag,
  });
}

const authorId = (pattern: RegExp): JsonObject => ({
  type: 'string',
  pattern: pattern.source,
  minLength: LIMITS.authorIdMinLength,
  maxLength: LIMITS.authorIdMaxLength,
});

/**
 * A surface's manifest as JSON Schema (draft 2020-12), for other tools: what of the specification's sections 3 to 6 a
 * JSON Schema can say. That ids differ, that references lead somewhere and where attachments may stand, it cannot:
 * `validateManifest` checks those too. Schemas inside are checked against the draft's own.
 */
export function manifestJsonSchema(): JsonObject {
  const positive = { type: 'number', exclusiveMinimum: 0 };
  return {
    $schema: DRAFT,
    title: 'OUI surface manifest',
    ...surface({
      surfaceId: { ...authorId(SURFACE_ID_PATTERN), not: { const: RESERVED_SURFACE_ID } },
      memberId: authorId(MEMBER_ID_PATTERN),
      schema: { $ref: DRAFT },
      said: filled,
      effect: { enum: ACTION_EFFECTS },
      polling: object({
        intervalMs: { type: 'number', minimum: 0 },
        'maxAttempts?': { type: 'integer', exclusiveMinimum: 0 },
        'maxDurationMs?': positive,
        'subscribe?': object({ event: filled, 'filter?': { type: 'object' } }),
      }),
      actions: { minItems: 1 },
    }),
  };
}

/** On the wire ids are wider than an author's, and later versions may have other effects. */
function wireParts(id: JsonObject): ManifestParts {
  return {
    surfaceId: id,
    memberId: id,
    schema: { type: ['object', 'boolean'] },
    said: text,
    effect: text,
    polling: object({
      intervalMs: number,
      'maxAttempts?': number,
      'maxDurationMs?': number,
      'subscribe?': object({ event: text, 'filter?': { type: 'object' } }),
    }),
    actions: {},
  };
}

/**
 * Every event of the protocol, `{type, payload}`, as JSON Schema (draft 2020-12), for other tools (specification
 * appendix A, PROTOCOL.md §1). Events of other types are let through, as a receiver ignores them.
 */
export function eventsJsonSchema(): JsonObject {
  const id = { type: 'string', minLength: 1, maxLength: LIMITS.idLength };
  const ref = (name: string): JsonObject => ({ $ref: `#/$defs/${name}` });
  const cuts = list(object({
    surface: text, observation: text, path: text, kind: text, total: number, kept: number,
  }));
  const parts = wireParts(id);
  const payloads: readonly (readonly [type: string, payload: JsonObject])[] = [
    [EVENT.request, object({
      requestId: id,
      surfaceId: id,
      actionId: id,
      'params?': true,
      'timestamp?': number,
      'turnId?': text,
      'approval?': object({ approvalId: text, argsHash: text }),
      'knownSurfaces?': text,
    })],
    [EVENT.observationRequest, object({ surfaceId: id, observationId: id, requestId: id, timestamp: number })],
    [EVENT.register, {
      if: { required: ['index'], not: { required: ['surface'] } },
      then: object({ index: ref('surfaceIndex'), timestamp: number }),
      else: object({ surface: ref('surface'), timestamp: number }),
    }],
    [EVENT.deregister, object({ surfaceId: id, timestamp: number })],
    [EVENT.result, {
      ...object({
        requestId: id,
        success: flag,
        'data?': true,
        'error?': object({ code: text, message: text, 'details?': true }),
        'interim?': flag,
        'durationMs?': number,
        timestamp: number,
        'surfaces?': list(ref('surface')),
        'index?': list(ref('surfaceIndex')),
        'surfacesHash?': text,
        'observations?': { type: 'object', additionalProperties: { type: 'object' } },
        'fit?': object({ 'observations?': cuts, 'data?': object({ bytes: number, limit: number }) }),
        'settled?': flag,
        'delivery?': object({ trimmed: flag, reason: text, omitted: list(text) }),
      }),
      // A result says why exactly when it failed (§7.3.3).
      if: { properties: { success: { const: true } } },
      then: { properties: { error: false } },
      else: { required: ['error'] },
    }],
    [EVENT.observation, object({
      surfaceId: id, observationId: id, value: true, timestamp: number, 'fit?': object({ 'observations?': cuts }),
    })],
    [EXTENSION.hello, object({
      protocol: text,
      software: text,
      features: list(text),
      'confirmBy?': { enum: ['page', 'grant', 'agent'] },
      'clientId?': id,
      'url?': text,
      'title?': text,
      now: number,
    })],
    [EXTENSION.receipt, object({ requestId: id, ok: flag, 'reason?': text })],
    [EXTENSION.ack, object({ requestId: id, interim: flag, ok: flag, 'error?': text, 'reason?': text })],
    [EXTENSION.cancel, object({ requestId: id })],
    [EXTENSION.approval, object({
      requestId: id,
      argsHash: text,
      expiresAt: number,
      state: { enum: ['pending', 'granted', 'denied', 'expired'] },
    })],
    [EXTENSION.attachment, object({ requestId: id, id, offset: number })],
    [EXTENSION.attachmentPart, {
      if: { required: ['error'] },
      then: object({ requestId: id, id, error: text }),
      else: object({
        requestId: id, id, offset: number, total: number, name: text, mediaType: text, data: text,
      }),
    }],
    [EXTENSION.ping, object({})],
    [EXTENSION.pong, object({})],
  ];
  return {
    $schema: DRAFT,
    title: 'OUI protocol event',
    ...object({ type: id }),
    allOf: payloads.map(([type, payload]) => ({
      if: { properties: { type: { const: type } } },
      then: { required: ['payload'], properties: { payload } },
    })),
    $defs: {
      surface: surface(parts),
      surfaceIndex: object({
        id,
        name: text,
        description: text,
        'version?': text,
        'observations?': list(observation(parts)),
        index: list(object({
          id,
          'title?': text,
          description: text,
          'effect?': text,
          'confirm?': flag,
          'async?': flag,
          'estimatedDuration?': text,
          'maxDurationMs?': number,
          input: text,
          definitionHash: text,
        })),
      }),
    },
  };
}
