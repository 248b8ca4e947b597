import type { JSONSchema } from '../protocol/json.js';
import { isAsyncAction, isPureRead, READ_EFFECTS, requiresApproval } from '../protocol/manifest.js';
import type { OUIAction, OUISurface } from '../protocol/manifest.js';
import { isJsonObject } from '../protocol/shape.js';
import { declaredAttachments } from '../rules/declared-attachments.js';
import { AGENT_LIMITS } from './agent-limits.js';
import type { AgentTool, AgentToolAnnotations } from './agent-types.js';
import { clipped } from './clipped.js';
import { indexEntryOf } from './indexed-surface.js';

/** One action as a tool for a model. */
export function describeTool(name: string, surface: OUISurface, action: OUIAction): AgentTool {
  return {
    name,
    surfaceId: surface.id,
    actionId: action.id,
    ...(action.title === undefined ? {} : { title: action.title }),
    description: describeAction(surface, action),
    inputSchema: action.input,
    annotations: annotate(action),
    async: isAsyncAction(action),
    ...(indexEntryOf(action) && { indexed: true }),
    ...(takesAttachments(action) && { takesAttachments: true }),
  };
}

/**
 * Whether the user must confirm before it runs. An author's `confirm` counts for reads as well: an agent's side may
 * never pass over it (specification §10.1.2).
 */
export function needsApproval(action: Pick<OUIAction, 'effect' | 'confirm'>): boolean {
  return action.confirm === true || requiresApproval(action);
}

function annotate(action: OUIAction): AgentToolAnnotations {
  const reads = isPureRead(action) || (action.effect !== undefined && READ_EFFECTS.has(action.effect));
  return {
    readOnly: reads,
    destructive: !reads && requiresApproval(action),
    needsApproval: needsApproval(action),
    ...(action.effect === undefined ? {} : { effect: action.effect }),
  };
}

/** Everything the manifest says about an action beside its schema, one statement a line (PROTOCOL.md §10). */
function describeAction(surface: OUISurface, action: OUIAction): string {
  const units = unitsOf(action.input);
  const lines = [
    action.description,
    // The one thing that an index says of a schema.
    labelled('Takes', indexEntryOf(action)?.input),
    attachmentsText(action.input),
    labelled('Usage', action.usage),
    labelled('Preconditions', action.preconditions),
    labelled('Takes about', action.estimatedDuration),
    isAsyncAction(action) ? 'Runs in the background: acknowledged first, answered when it is done.' : undefined,
    needsApproval(action) ? 'The user is asked to confirm before it runs.' : undefined,
    labelled('Units', units.length === 0 ? undefined : units.join(', ')),
    labelled('Tags', action.tags === undefined || action.tags.length === 0 ? undefined : action.tags.join(', ')),
    `Part of "${surface.name}": ${surface.description}`,
    labelled('About this part of the page', metadataText(surface)),
  ];
  return clipped(lines.filter((line) => line !== undefined).join('\n'), AGENT_LIMITS.descriptionUnits);
}

/** Of an action in index form its one line tells: `logo: file(image/*)`. */
function takesAttachments(action: OUIAction): boolean {
  const line = indexEntryOf(action)?.input;
  return line === undefined ? declaredAttachments(action.input).length > 0 : /: (list of )?file\b/.test(line);
}

/** What a model must know to fill in a property that takes a file. */
function attachmentsText(input: JSONSchema): string | undefined {
  const texts = declaredAttachments(input).map(({ property, list, mediaTypes }) => {
    const types = mediaTypes === undefined ? '' : ` (${mediaTypes.join(', ')})`;
    return `"${property}" takes ${list ? "a list of attachments' ids" : "an attachment's id"}${types}`;
  });
  return labelled('Files', texts.length === 0 ? undefined : `${texts.join('; ')}, never the file or its name.`);
}

function labelled(label: string, text: string | undefined): string | undefined {
  return text === undefined || text.trim() === '' ? undefined : `${label}: ${text}`;
}

function metadataText(surface: OUISurface): string | undefined {
  const entries = Object.entries(surface.metadata ?? {});
  if (entries.length === 0) return undefined;
  const text = entries.map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`);
  return clipped(text.join('; '), AGENT_LIMITS.metadataUnits);
}

/** `width in px`, for each property that has an `x-unit`: models overlook keywords that they do not know. */
function unitsOf(input: JSONSchema): readonly string[] {
  if (typeof input !== 'object') return [];
  const { properties } = input;
  if (!isJsonObject(properties)) return [];
  return Object.entries(properties).flatMap(([name, schema]) => {
    const unit = isJsonObject(schema) ? schema['x-unit'] : undefined;
    return typeof unit === 'string' ? [`${name} in ${unit}`] : [];
  });
}
