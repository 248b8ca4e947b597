import type { OutputUnit } from '@cfworker/json-schema';
import { isJsonObject } from '../protocol/shape.js';
import type { SchemaNode } from './schema-copy.js';
import { referenced } from './schema-references.js';
import type { SchemaTable } from './schema-references.js';

/** One failure of the interpreter, with what it only hints at: the schema's and the value's side of it. */
export interface Failure {
  readonly keyword: string;
  /** The interpreter's own way to the keyword, through references. */
  readonly schemaPath: string;
  /** The value that did not fit; for the rule of a name the name itself. */
  readonly value: unknown;
  /** The way to it, from the value's root. */
  readonly steps: readonly string[];
  /** The schema object that has the keyword. */
  readonly node: SchemaNode;
  /** The keyword that applied that schema, and the schema object that has it: `additionalProperties`, `items`, … */
  readonly appliedBy: string | undefined;
  readonly applier: SchemaNode | undefined;
  /** It is about a property's name, not its value. */
  readonly ofName: boolean;
  /** It is about an item that `contains` looked at, which need not be the one that fits. */
  readonly ofCandidate: boolean;
  /** What the interpreter says. */
  readonly text: string;
}

const MAPS: ReadonlySet<string> = new Set([
  '$defs',
  'definitions',
  'properties',
  'patternProperties',
  'dependentSchemas',
  'dependencies',
]);

function stepsOf(location: string): string[] {
  return location
    .split('/')
    .slice(1)
    .map((step) => decodeURIComponent(step).replace(/~1/g, '/').replace(/~0/g, '~'));
}

function valueAt(root: unknown, steps: readonly string[]): unknown {
  return steps.reduce<unknown>((value, step) => (value as { readonly [key: string]: unknown })[step], root);
}

/** Finds the schema's and the value's side of a failure by walking both paths. */
export function locate(unit: OutputUnit, root: SchemaNode, table: SchemaTable, value: unknown): Failure {
  const steps = stepsOf(unit.instanceLocation);
  const way = stepsOf(unit.keywordLocation);
  const keyword = unit.keyword;
  let node = root;
  let appliedBy: string | undefined;
  let applier: SchemaNode | undefined;
  let ofName = false;
  let ofCandidate = false;
  // The last step is the keyword itself, or, of a list or map of schemas, one past it.
  for (let index = 0; index < way.length - 1; index++) {
    const step = way[index] as string;
    let next: unknown = step === '$ref' ? referenced(node, table) : node[step];
    if (MAPS.has(step) || Array.isArray(next)) {
      index++;
      next = (next as { readonly [key: string]: unknown } | undefined)?.[way[index] as string];
    }
    if (!isJsonObject(next)) break;
    if (step !== '$ref' && step !== 'allOf') {
      appliedBy = step;
      applier = node;
    }
    ofName ||= step === 'propertyNames';
    ofCandidate ||= step === 'contains';
    node = next as SchemaNode;
  }
  return {
    keyword,
    schemaPath: unit.keywordLocation,
    value: ofName ? steps.at(-1) : valueAt(value, steps),
    steps,
    node,
    appliedBy,
    applier,
    ofName,
    ofCandidate,
    text: unit.error,
  };
}
