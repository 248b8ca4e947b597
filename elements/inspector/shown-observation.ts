import type { OUIError } from '../../src/protocol/events.js';
import type { JsonText } from '../../src/protocol/json.js';
import { isJsonObject } from '../../src/protocol/shape.js';
import { errorWithoutSecrets, HIDDEN_VALUE, hidesAnything, withoutSecrets } from './secret-values.js';
import type { SchemaOf } from './secret-values.js';

const STATUS_END = ':status';

/** Whether anything of the values of an observation must not be seen. */
export function hidesOfObservation(surfaceId: string, observationId: string, schemaOf: SchemaOf): boolean {
  if (hidesAnything(schemaOf(surfaceId, observationId, 'value'))) return true;
  const actionId = actionOfStatus(surfaceId, observationId);
  return actionId !== undefined && hidesOfJob(surfaceId, actionId, schemaOf);
}

/**
 * A value of an observation as it may be shown: by its own schema, or, if it tells of an action's jobs, by the action's.
 */
export function shownObservation(value: unknown, surfaceId: string, observationId: string, schemaOf: SchemaOf): unknown {
  const shown = withoutSecrets(value, schemaOf(surfaceId, observationId, 'value'));
  const actionId = actionOfStatus(surfaceId, observationId);
  if (actionId === undefined || !hidesOfJob(surfaceId, actionId, schemaOf)) return shown;
  return shownStatus(shown, (data) => withoutSecrets(data, schemaOf(surfaceId, actionId, 'output')));
}

/** The same of JSON text, which stays as it is where nothing is hidden. */
export function shownObservationText(
  text: JsonText,
  surfaceId: string,
  observationId: string,
  schemaOf: SchemaOf,
): JsonText {
  if (!hidesOfObservation(surfaceId, observationId, schemaOf)) return text;
  return JSON.stringify(shownObservation(JSON.parse(text), surfaceId, observationId, schemaOf));
}

/** The values of observations that came with a result, by surface. Most have nothing to hide: then they are the same. */
export function shownObservations(observations: unknown, schemaOf: SchemaOf): unknown {
  if (!isJsonObject(observations)) return observations;
  let hides = false;
  const shown = Object.entries(observations).map(([surfaceId, values]) => {
    if (!isJsonObject(values)) return [surfaceId, values] as const;
    return [surfaceId, Object.fromEntries(Object.entries(values).map(([id, value]) => {
      if (!hidesOfObservation(surfaceId, id, schemaOf)) return [id, value] as const;
      hides = true;
      return [id, shownObservation(value, surfaceId, id, schemaOf)] as const;
    }))] as const;
  });
  return hides ? Object.fromEntries(shown) : observations;
}

/** `<surface>:<action>:status` tells of the jobs of an action. */
function actionOfStatus(surfaceId: string, observationId: string): string | undefined {
  const start = `${surfaceId}:`;
  if (!observationId.startsWith(start) || !observationId.endsWith(STATUS_END)) return undefined;
  return observationId.slice(start.length, -STATUS_END.length);
}

function hidesOfJob(surfaceId: string, actionId: string, schemaOf: SchemaOf): boolean {
  return (['input', 'output'] as const).some((part) => hidesAnything(schemaOf(surfaceId, actionId, part)));
}

/**
 * Members of what the action gave stand among those of the status; what is no object stands under `data`, and what it
 * gave may have a member of that name, or of any other. So each place is taken for all that it may be.
 */
function shownStatus(status: unknown, shown: (data: unknown) => unknown): unknown {
  if (!isJsonObject(status)) return shown(status);
  const { interim, requestId, ...fields } = status;
  const whole = shown(fields);
  const members: Record<string, unknown> = isJsonObject(whole) ? { ...whole } : { data: HIDDEN_VALUE };
  if (members['data'] !== undefined) members['data'] = shown(members['data']);
  if (isJsonObject(members['error'])) {
    // Its request may be long gone: whatever the error says of the params is hidden.
    members['error'] = errorWithoutSecrets(members['error'] as unknown as OUIError, HIDDEN_VALUE);
  }
  const { jobs } = members;
  if (isJsonObject(jobs)) {
    members['jobs'] = Object.fromEntries(Object.entries(jobs).map(([id, job]) => [id, shownStatus(job, shown)]));
  }
  return { ...members, interim, requestId };
}
