import { appendPointer, resolvePointer } from '../protocol/json-pointer.js';
import type { JsonObject, JSONSchema } from '../protocol/json.js';
import { isJsonObject } from '../protocol/shape.js';
import type { Report } from './provider-rules.js';

const IN_PLACE_LISTS = ['allOf', 'anyOf', 'oneOf'];
const IN_PLACE_SCHEMAS = ['not', 'if', 'then', 'else'];
const IN_PLACE_MAPS = ['dependentSchemas', 'dependencies'];

/** The `$ref`s of one schema: where each leads, and whether it leads anywhere. */
export class ReferenceRules {
  readonly #root: JSONSchema;
  /** Schema objects in the order in which they are met, with their places. */
  readonly #nodes: (readonly [node: JsonObject, at: string])[] = [];
  readonly #named = new Map<string, JsonObject>();
  /** A part with an `$id` of its own: what a relative reference means depends on where it stands. */
  #embedded = false;

  constructor(root: JSONSchema) {
    this.#root = root;
  }

  add(node: JsonObject, at: string): void {
    this.#nodes.push([node, at]);
    const { $id: id } = node;
    if (typeof id === 'string') {
      this.#embedded ||= at !== '';
      this.#named.set(id, node);
    }
    for (const keyword of ['$anchor', '$dynamicAnchor']) {
      if (typeof node[keyword] === 'string') this.#named.set(`#${node[keyword]}`, node);
    }
  }

  /** @param forModels also what providers do with references */
  report(report: Report, forModels: boolean): void {
    for (const [node, at] of this.#nodes) {
      for (const keyword of ['$ref', '$dynamicRef']) {
        const reference = node[keyword];
        if (typeof reference === 'string') this.#check(node, reference, appendPointer(at, keyword), report, forModels);
      }
    }
  }

  #check(node: JsonObject, reference: string, place: string, report: Report, forModels: boolean): void {
    const target = this.#target(reference);
    const said = JSON.stringify(reference);
    if (target === undefined) {
      if (this.#embedded) return;
      if (reference.startsWith('#')) {
        report(place, 'reference-to-nothing', `${said} is not in this schema. Define it under $defs.`);
      } else {
        report(place, 'external-reference', `${said} is another document; none is fetched. Copy it under $defs.`);
      }
    } else if (comesBack(node, this.#inPlace)) {
      report(place, 'endless-reference', `${said} leads back here for the same value, without end.`);
    } else if (forModels && comesBack(target, this.#within)) {
      const message = `${said} is recursive; Gemini and Anthropic's strict mode refuse that. Nest to a fixed depth.`;
      report(place, 'recursion', message);
    } else if (forModels) {
      report(place, 'reference', `${said}: Gemini refuses $ref, others in places. Write the schema where it is used.`);
    }
  }

  #target(reference: string): unknown {
    const named = this.#named.get(reference);
    if (named !== undefined) return named;
    if (!reference.startsWith('#')) return undefined;
    try {
      const target = resolvePointer(this.#root, decodeURIComponent(reference.slice(1)));
      return typeof target === 'boolean' || isJsonObject(target) ? target : undefined;
    } catch {
      return undefined;
    }
  }

  #references(node: JsonObject): unknown[] {
    const references = [node['$ref'], node['$dynamicRef']].filter((each): each is string => typeof each === 'string');
    return references.map((reference) => this.#target(reference));
  }

  /** What a schema applies to the same value as itself. */
  readonly #inPlace = (node: JsonObject): readonly unknown[] => {
    const schemas = [...this.#references(node), ...IN_PLACE_SCHEMAS.map((keyword) => node[keyword])];
    for (const keyword of IN_PLACE_LISTS) {
      if (Array.isArray(node[keyword])) schemas.push(...(node[keyword] as readonly unknown[]));
    }
    for (const keyword of IN_PLACE_MAPS) {
      if (isJsonObject(node[keyword])) schemas.push(...Object.values(node[keyword]));
    }
    return schemas;
  };

  /** What a schema holds, and what it refers to. */
  readonly #within = (node: JsonObject): readonly unknown[] => [...Object.values(node), ...this.#references(node)];
}

/** Whether such steps lead from a value back to it. */
function comesBack(start: unknown, step: (node: JsonObject) => readonly unknown[]): boolean {
  const seen = new Set<unknown>();
  const pending = [start];
  while (pending.length > 0) {
    const from = pending.pop();
    const next = Array.isArray(from) ? (from as readonly unknown[]) : isJsonObject(from) ? step(from) : [];
    for (const part of next) {
      if (part === start) return true;
      if (typeof part !== 'object' || part === null || seen.has(part)) continue;
      seen.add(part);
      pending.push(part);
    }
  }
  return false;
}
