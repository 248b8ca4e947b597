import { EVENT, EXTENSION } from './events.js';
import { UPDATE_FREQUENCIES } from './manifest.js';
import {
  any,
  either,
  finite,
  flag,
  id,
  isJsonObject,
  listOf,
  mapOf,
  object,
  oneOf,
  present,
  schema,
  shape,
  text,
} from './shape.js';
import type { Check } from './shape.js';

/**
 * Made on first use and, to a bundler, without effect: a page's bundle, which reads no manifests, carries no shape of
 * them.
 */
function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/** An action's manifest entry, as `describe` gives it. */
export const action = /* @__PURE__ */ lazily(() =>
  shape({
    id,
    description: text,
    input: schema,
    'output?': schema,
    'title?': text,
    'confirm?': flag,
    'async?': flag,
    'effect?': text,
    'usage?': text,
    'preconditions?': text,
    'estimatedDuration?': text,
    'tags?': listOf(text),
    'polling?': shape({
      intervalMs: finite,
      'maxAttempts?': finite,
      'maxDurationMs?': finite,
      'subscribe?': shape({ event: text, 'filter?': object }),
    }),
    'enabled?': flag,
    'disabledReason?': text,
  }),
);

const observation = /* @__PURE__ */ lazily(() =>
  shape({
    id,
    description: text,
    schema,
    'updateFrequency?': oneOf(...UPDATE_FREQUENCIES),
  }),
);

/** A surface's manifest (specification §3 to §6): members and their types, not the insides of schemas. */
export const surface = /* @__PURE__ */ lazily(() =>
  shape({
    id,
    name: text,
    description: text,
    'version?': text,
    actions: listOf(action()),
    'observations?': listOf(observation()),
    'activation?': shape({
      'routes?': either(text, listOf(text), 'a text or a list of texts'),
      'entity?': shape({ type: text, 'id?': text }),
      'condition?': text,
    }),
    'metadata?': object,
    'concurrent?': flag,
  }),
);

const indexForm = /* @__PURE__ */ lazily(() =>
  shape({
    id,
    name: text,
    description: text,
    'version?': text,
    'observations?': listOf(observation()),
    index: listOf(
      shape({
        id,
        'title?': text,
        description: text,
        'effect?': text,
        'confirm?': flag,
        'async?': flag,
        'estimatedDuration?': text,
        'maxDurationMs?': finite,
        input: text,
        definitionHash: text,
      }),
    ),
  }),
);

/** A `kind` of some later version is let through: a report that is odd is no reason to lose the result it is about. */
const cuts = /* @__PURE__ */ lazily(() =>
  listOf(shape({ surface: text, observation: text, path: text, kind: text, total: finite, kept: finite })),
);

const resultMembers = /* @__PURE__ */ lazily(() =>
  shape({
    requestId: id,
    success: flag,
    'data?': any,
    'error?': shape({ code: text, message: text, 'details?': any }),
    'interim?': flag,
    'durationMs?': finite,
    timestamp: finite,
    'surfaces?': listOf(surface()),
    'index?': listOf(indexForm()),
    'surfacesHash?': text,
    'observations?': mapOf(object),
    'fit?': shape({ 'observations?': cuts(), 'data?': shape({ bytes: finite, limit: finite }) }),
    'settled?': flag,
    'delivery?': shape({ trimmed: flag, reason: text, omitted: listOf(text) }),
  }),
);

/** A result says why exactly when it failed (specification §7.3.3). */
const result: Check = (payload, at) => {
  const problem = resultMembers()(payload, at);
  if (problem !== undefined || !isJsonObject(payload)) return problem;
  const failed = payload['error'] !== undefined;
  if (payload['success'] === true && failed) return `${at} has success: true and an error`;
  if (payload['success'] === false && !failed) return `${at} has success: false and no error`;
  return undefined;
};

const inFull = /* @__PURE__ */ lazily(() => shape({ surface: surface(), timestamp: finite }));
const inIndexForm = /* @__PURE__ */ lazily(() => shape({ index: indexForm(), timestamp: finite }));

const registration: Check = (payload, at) => {
  const indexed = isJsonObject(payload) && payload['surface'] === undefined && payload['index'] !== undefined;
  return (indexed ? inIndexForm() : inFull())(payload, at);
};

const ping: Check = /* @__PURE__ */ shape({});

const hello = /* @__PURE__ */ lazily(() =>
  shape({
    protocol: text,
    software: text,
    features: listOf(text),
    'confirmBy?': oneOf('page', 'grant', 'agent'),
    'clientId?': id,
    'url?': text,
    'title?': text,
    now: finite,
  }),
);

const failedPart = /* @__PURE__ */ lazily(() => shape({ requestId: id, id, error: text }));
const attachmentPart = /* @__PURE__ */ lazily(() =>
  shape({ requestId: id, id, offset: finite, total: finite, name: text, mediaType: text, data: text }),
);

const part: Check = (payload, at) =>
  (isJsonObject(payload) && payload['error'] !== undefined ? failedPart() : attachmentPart())(payload, at);

/** Payloads by event type. */
export type PayloadChecks = ReadonlyMap<string, Check>;

/** What an agent's side sends to a page (specification appendix A, PROTOCOL.md §1). */
export const toPage: () => PayloadChecks = /* @__PURE__ */ lazily(
  () =>
    new Map<string, Check>([
      [
        EVENT.request,
        shape({
          requestId: id,
          surfaceId: id,
          actionId: id,
          'params?': any,
          // Required by the specification, but a request without it can be run, and its agent waits for an answer.
          'timestamp?': finite,
          'turnId?': text,
          'approval?': shape({ approvalId: text, argsHash: text }),
          'knownSurfaces?': text,
        }),
      ],
      [EVENT.observationRequest, shape({ surfaceId: id, observationId: id, requestId: id, timestamp: finite })],
      [EXTENSION.hello, hello()],
      [EXTENSION.ack, shape({ requestId: id, interim: flag, ok: flag, 'error?': text, 'reason?': text })],
      [EXTENSION.cancel, shape({ requestId: id })],
      [EXTENSION.attachmentPart, part],
      [EXTENSION.ping, ping],
      [EXTENSION.pong, ping],
    ]),
);

/** What a page sends to an agent's side. */
export const toAgent: () => PayloadChecks = /* @__PURE__ */ lazily(
  () =>
    new Map<string, Check>([
      [EVENT.register, registration],
      [EVENT.deregister, shape({ surfaceId: id, timestamp: finite })],
      [EVENT.result, result],
      [
        EVENT.observation,
        shape({
          surfaceId: id,
          observationId: id,
          value: present,
          timestamp: finite,
          'fit?': shape({ 'observations?': cuts() }),
        }),
      ],
      [EXTENSION.hello, hello()],
      [EXTENSION.receipt, shape({ requestId: id, ok: flag, 'reason?': text })],
      [
        EXTENSION.approval,
        shape({
          requestId: id,
          argsHash: text,
          expiresAt: finite,
          state: oneOf('pending', 'granted', 'denied', 'expired'),
        }),
      ],
      [EXTENSION.attachment, shape({ requestId: id, id, offset: finite })],
      [EXTENSION.ping, ping],
      [EXTENSION.pong, ping],
    ]),
);
