import type { JSONSchema } from './json.js';

/**
 * What an action does to the page and the world (PROTOCOL.md §5).
 * Read: `view`, `selection`, `navigate`, `open`. Write: the rest. An action without one counts as a write.
 */
export type OUIActionEffect = (typeof ACTION_EFFECTS)[number];

export const ACTION_EFFECTS = [
  'view', 'selection', 'navigate', 'open', 'edit', 'file', 'mutate', 'job', 'transaction',
] as const;

/** How often an observation is pushed (specification §5.3.1). Default `"on-change"`. */
export type OUIUpdateFrequency = (typeof UPDATE_FREQUENCIES)[number];

export const UPDATE_FREQUENCIES = ['realtime', 'on-change', 'polling'] as const;

/** The part of an action's polling that crosses the wire. */
export interface OUIPollingManifest {
  readonly intervalMs: number;
  readonly maxAttempts?: number;
  readonly maxDurationMs?: number;
  readonly subscribe?: { readonly event: string; readonly filter?: { readonly [key: string]: unknown } };
}

/** An action as the agent sees it: no handler (specification §4.1). */
export interface OUIAction {
  /** `^[a-z][a-z0-9_]*[a-z0-9]$`, 2 to 64 characters, unique within its surface. */
  readonly id: string;
  /** A short human-readable title. */
  readonly title?: string;
  /** What it does, for the model. */
  readonly description: string;
  /** The schema of its parameters. */
  readonly input: JSONSchema;
  /** The schema of its result's `data`. */
  readonly output?: JSONSchema;
  /** The user must confirm before it runs. Default false. */
  readonly confirm?: boolean;
  /** Acknowledged at once, answered again when it ends. Default false. */
  readonly async?: boolean;
  readonly effect?: OUIActionEffect;
  readonly usage?: string;
  readonly preconditions?: string;
  /** For people: `"instant"`, `"1-5s"`, … */
  readonly estimatedDuration?: string;
  readonly tags?: readonly string[];
  readonly polling?: OUIPollingManifest;
  /** `false`: declared but not available now. Default true. */
  readonly enabled?: boolean;
  /** Why `enabled` is false, for the agent. */
  readonly disabledReason?: string;
}

/** A piece of state that the agent can read (specification §5.1). */
export interface OUIObservation {
  /** Same rules as an action's id; must differ from every action id of the surface. */
  readonly id: string;
  readonly description: string;
  readonly schema: JSONSchema;
  readonly updateFrequency?: OUIUpdateFrequency;
}

/** When a surface is active (specification §6.1). In a manifest this is documentation. */
export interface OUIActivation {
  /** Path patterns: `/a`, `/a/*`, `/a/**`. */
  readonly routes?: string | readonly string[];
  readonly entity?: { readonly type: string; readonly id?: string };
  readonly condition?: string;
}

/** A surface's manifest: everything that crosses the wire (specification §3.1). */
export interface OUISurface {
  /** `^[a-z][a-z0-9-]*[a-z0-9]$`, 2 to 64 characters, unique within the page. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly version?: string;
  readonly actions: readonly OUIAction[];
  readonly observations?: readonly OUIObservation[];
  readonly activation?: OUIActivation;
  readonly metadata?: { readonly [key: string]: unknown };
  /** Several actions of this surface may run at once. Default false. */
  readonly concurrent?: boolean;
}

/** One action in an index: what a model needs to choose it. The whole definition is asked for (PROTOCOL.md §4). */
export interface IndexEntry {
  readonly id: string;
  readonly title?: string;
  /** The first sentence of the action's description, at most 160 UTF-16 units. */
  readonly description: string;
  readonly effect?: OUIActionEffect;
  readonly confirm?: true;
  readonly async?: true;
  readonly estimatedDuration?: string;
  /** The longest the action polls, in ms. */
  readonly maxDurationMs?: number;
  /** What it takes, in one line of at most 120 UTF-16 units; for reading, not for parsing. */
  readonly input: string;
  /** Changes with the action's manifest entry. Opaque: compared as a text. */
  readonly definitionHash: string;
}

/** A surface in index form: its actions as entries, its observations whole (PROTOCOL.md §4). */
export interface SurfaceIndexForm {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly version?: string;
  readonly observations?: readonly OUIObservation[];
  readonly index: readonly IndexEntry[];
}

/** Action effects that only read. */
export const READ_EFFECTS: ReadonlySet<string> = new Set<OUIActionEffect>(['view', 'selection', 'navigate', 'open']);

/** A pure read: effect `view` or the tag `read-only`. It never queues and is answered without settling. */
export function isPureRead(action: Pick<OUIAction, 'effect' | 'tags'>): boolean {
  return action.effect === 'view' || (action.tags?.includes('read-only') ?? false);
}

/** Whether an action runs only on the user's approval: a `transaction` always, a write when it says `confirm`. */
export function requiresApproval(action: Pick<OUIAction, 'effect' | 'confirm'>): boolean {
  if (action.effect === 'transaction') return true;
  return action.confirm === true && !(action.effect !== undefined && READ_EFFECTS.has(action.effect));
}

/** Whether an action answers twice: an acknowledgment, then its outcome. */
export function isAsyncAction(action: Pick<OUIAction, 'async' | 'polling'>): boolean {
  return action.async === true || action.polling !== undefined;
}
