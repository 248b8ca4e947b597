import { appendPointer } from '../../protocol/json-pointer.js';
import { describeValue, isJsonObject } from '../../protocol/shape.js';
import { asyncProblems } from './async-rules.js';
import type { ActionDefinition, SurfaceDefinition } from './definition.js';
import { enumSources } from './enum-sources.js';

type Report = (path: string, rule: string, message: string) => void;

/** What is wrong with the parts of a definition that stay in the page. Reads it as unchecked. */
export function checkPageParts(definition: SurfaceDefinition<never>, report: Report): void {
  const { actions, observations } = definition as { readonly actions?: unknown; readonly observations?: unknown };
  if (Array.isArray(actions)) actions.forEach((action, index) => checkAction(action, `/actions/${index}`, report));
  if (!Array.isArray(observations)) return;
  observations.forEach((observation: unknown, index) => {
    if (isJsonObject(observation)) noEnums(observation['schema'], `/observations/${index}/schema`, report);
  });
}

function checkAction(action: unknown, at: string, report: Report): void {
  if (!isJsonObject(action)) return;
  const { handler, enabled, settle, output } = action;
  if (typeof handler !== 'function') {
    report(appendPointer(at, 'handler'), 'type', `must be a function, got ${describeValue(handler)}`);
  }
  for (const problem of asyncProblems(action as unknown as ActionDefinition<never>)) report(at, 'async', problem);
  // `false` is in the manifest, and what is neither was refused there or is dropped from it.
  if (!/^(undefined|boolean|function)$/.test(typeof enabled)) {
    report(appendPointer(at, 'enabled'), 'type', `must be true, false or a function, got ${describeValue(enabled)}`);
  }
  if (settle !== undefined && settle !== 'none' && settle !== 'sync') {
    report(appendPointer(at, 'settle'), 'value', `must be "none" or "sync", got ${describeValue(settle)}`);
  }
  noEnums(output, appendPointer(at, 'output'), report);
}

/** Only what an action takes can follow the page: the rest says what values are, once and for all. */
function noEnums(schema: unknown, at: string, report: Report): void {
  for (const { path } of enumSources(schema)) {
    const place = [...path, 'enum'].reduce<string>(appendPointer, at);
    report(place, 'value', 'is a function: only an enum in the input of an action can be one');
  }
}
