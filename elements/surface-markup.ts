import { MEMBER_ID_PATTERN } from '../src/protocol/author-ids.js';
import * as LIMITS from '../src/protocol/limits.js';
import type { OUIActivation } from '../src/protocol/manifest.js';
import { defineSurface } from '../src/surface/definition/define-surface.js';
import type { DefinedSurface } from '../src/surface/definition/definition.js';
import { parseJson } from './declared-schema.js';
import { given } from './given-members.js';
import { warnMarkup } from './markup-warning.js';
import { memberIdOf } from './member-id.js';
import type { OuiActionElement } from './oui-action.js';
import type { OuiObservationElement } from './oui-observation.js';
import { inDocumentOrder, isPart } from './part-element.js';
import type { PartElement } from './part-element.js';
import type { ToolForms } from './tool-forms.js';

/** What an `<oui-surface>` says about itself. */
export interface SurfaceMarkup extends Element {
  readonly surfaceId: string;
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly routes: string | readonly string[];
  readonly entityType: string;
  readonly entityId: string;
  readonly condition: string;
  readonly concurrent: boolean;
  readonly metadata: { readonly [key: string]: unknown } | string | null;
}

/** An observation that is declared, and the element that has its value. */
export type ObservedPart = readonly [id: string, element: OuiObservationElement];

/** A surface as it follows from markup. */
export interface MarkupSurface {
  readonly definition: DefinedSurface;
  readonly observed: readonly ObservedPart[];
}

/**
 * The definition that an element, its parts, and the forms in it that are tools come to; `null` when it is none, which
 * has been warned about.
 */
export function defineFromMarkup(
  element: SurfaceMarkup,
  parts: Iterable<PartElement>,
  tools: ToolForms,
): MarkupSurface | null {
  const ordered = inDocumentOrder(parts);
  const actionParts = ordered.filter((part): part is OuiActionElement => isPart(part, 'oui-action'));
  const { surfaceId, name, description, version, concurrent } = element;
  const ids = new Set<string>();
  const unique = (part: Element, id: string): boolean => {
    if (!ids.has(id)) return Boolean(ids.add(id));
    warnMarkup(part, `is ignored: surface "${surfaceId}" has an action or observation "${id}" already. Ids are unique `
      + 'within a surface.');
    return false;
  };
  const usable = (part: Element, id: string): boolean => hasUsableId(part, id) && unique(part, id);
  const actions = actionParts.flatMap((part) => {
    const definition = part.definition(surfaceId);
    return definition && usable(part, definition.id) ? [definition] : [];
  });
  const taken = new Set(actionParts.flatMap(({ target }) => target ?? []));
  for (const { form, definition } of tools.definitions(taken)) {
    if (unique(form, definition.id)) actions.push(definition);
  }
  if (actions.length === 0 && actionParts.length === 0) return null;
  const observationParts = ordered.filter((part): part is OuiObservationElement => isPart(part, 'oui-observation'));
  const observations = observationParts.flatMap((part) => {
    const definition = part.definition();
    return definition && usable(part, definition.id) ? [[definition, part] as const] : [];
  });
  const activation = activationOf(element);
  const metadata = metadataOf(element);
  try {
    const definition = defineSurface({
      id: surfaceId,
      name,
      description,
      actions,
      ...(observations.length > 0 && { observations: observations.map(([each]) => each) }),
      ...given({ version, activation, metadata, concurrent }),
    });
    return { definition, observed: observations.map(([{ id }, part]) => [id, part]) };
  } catch (error) {
    warnMarkup(element, `is not offered to agents: ${(error as Error).message} In markup these are the attributes `
      + 'surface-id, name, description of <oui-surface>, and action-id, observation-id of its children.');
    return null;
  }
}

/** An id that breaks the rules takes the part out, and not the whole surface. */
function hasUsableId(part: Element, id: string): boolean {
  if (MEMBER_ID_PATTERN.test(id) && id.length <= LIMITS.authorIdMaxLength) return true;
  const suggested = memberIdOf(id);
  warnMarkup(part, `is left out of its surface: its id must be 2 to ${LIMITS.authorIdMaxLength} lowercase letters, digits `
    + `and _, begin with a letter, and not end with _${suggested.length > 1 ? `, such as "${suggested}"` : ''}.`);
  return false;
}

/** A list of patterns; `null` when there is none. */
export function splitRoutes(routes: string | readonly string[] | undefined): readonly string[] | null {
  const list = typeof routes === 'string' ? routes.split(/\s+/).filter(Boolean) : routes ?? [];
  return list.length > 0 ? list : null;
}

function activationOf(element: SurfaceMarkup): OUIActivation | null {
  const routes = splitRoutes(element.routes);
  const { entityType: type, entityId: id, condition } = element;
  const wrong = typeof element.routes === 'string' && routes?.find((route) => route.endsWith(','));
  if (wrong) warnMarkup(element, `has a route "${wrong}" with a comma at its end. Routes are separated by spaces alone.`);
  if (id && !type) warnMarkup(element, 'has entity-id without entity-type; it is ignored.');
  const activation: OUIActivation = given({ routes, entity: type && { type, ...given({ id }) }, condition });
  return Object.keys(activation).length > 0 ? activation : null;
}

function metadataOf(element: SurfaceMarkup): { readonly [key: string]: unknown } | null {
  const { metadata } = element;
  const value = typeof metadata === 'string' ? parseJson(element, metadata, 'attribute metadata') ?? null : metadata;
  if (value === null || (typeof value === 'object' && !Array.isArray(value))) return value as typeof metadata & object;
  warnMarkup(element, 'has metadata that are no JSON object; they are ignored. Write metadata=\'{ "key": "value" }\'.');
  return null;
}
