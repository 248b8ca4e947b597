import type { JsonObject } from '../../src/protocol/json.js';

/** The way to a part of a value. */
export type Steps = readonly (string | number)[];

/** The part of a value; `undefined` when it is not there. */
export function partAt(value: unknown, steps: Steps): unknown {
  let part = value;
  for (const step of steps) {
    if (typeof part !== 'object' || part === null || !Object.hasOwn(part, step)) return undefined;
    part = (part as JsonObject)[step];
  }
  return part;
}

/** The value with another part: a copy as far as it changes. `undefined` takes the part away. */
export function withPart(value: unknown, steps: Steps, part: unknown): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return part;
  const inner = withPart(partAt(value, [step]), rest, part);
  if (typeof step === 'number') {
    const items = Array.isArray(value) ? [...(value as unknown[])] : [];
    if (inner === undefined) items.splice(step, 1);
    else items[step] = inner;
    return items;
  }
  const members: { [name: string]: unknown } = {};
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    for (const [name, member] of Object.entries(value)) define(members, name, member);
  }
  if (inner === undefined) Reflect.deleteProperty(members, step);
  else define(members, step, inner);
  return members;
}

/** A member of its own, whatever it is called. */
function define(members: object, name: string, value: unknown): void {
  Object.defineProperty(members, name, { value, writable: true, enumerable: true, configurable: true });
}
