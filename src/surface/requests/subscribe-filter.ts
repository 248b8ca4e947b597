import { sortedJson } from '../../rules/surfaces-hash.js';

/** What a payload must have, by member: the sorted JSON of it. */
export type ResolvedFilter = ReadonlyMap<string, string>;

const DISPATCH_RESULT = '$dispatchResult';

const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === 'object' && value !== null;
const ownMember = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/**
 * A filter whose `$dispatchResult.path.to.it` texts are replaced by what the dispatch result has there. Steps are own
 * members and indices of lists.
 *
 * @throws {Error} naming a path that leads nowhere: nothing would ever match it.
 */
export function resolveFilter(filter: { readonly [key: string]: unknown }, dispatchResult: unknown): ResolvedFilter {
  const resolved = new Map<string, string>();
  for (const [key, wanted] of Object.entries(filter)) {
    resolved.set(key, sortedJson(isPath(wanted) ? valueAt(wanted, dispatchResult) : wanted));
  }
  return resolved;
}

/** Whether an event's payload is the one that is waited for. Without a filter every payload is. */
export function matchesFilter(filter: ResolvedFilter, payload: unknown): boolean {
  for (const [key, wanted] of filter) {
    const member = ownMember(payload, key);
    if (member === undefined || sortedJson(member) !== wanted) return false;
  }
  return true;
}

function isPath(wanted: unknown): wanted is string {
  return typeof wanted === 'string' && (wanted === DISPATCH_RESULT || wanted.startsWith(`${DISPATCH_RESULT}.`));
}

function valueAt(path: string, dispatchResult: unknown): unknown {
  const value = path.split('.').slice(1).reduce(ownMember, dispatchResult);
  if (value !== undefined) return value;
  throw new Error(`polling.subscribe.filter has ${path}, but what the handler returned has nothing there.`);
}
