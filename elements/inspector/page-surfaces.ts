import type { InspectedSurface } from '../../src/surface/inspection.js';
import { isElement } from '../node-kind.js';

/** A surface as it is listed: mounted, or an `<oui-surface>` of the page that is not offered now. */
export interface ListedSurface {
  readonly id: string;
  readonly name: string;
  readonly mounted: InspectedSurface | undefined;
  readonly element: Element | undefined;
}

/** What of an `<oui-surface>` says why it is not offered. */
interface SurfaceElement extends Element {
  readonly surfaceId?: unknown;
  readonly name?: unknown;
  readonly inactive?: unknown;
  readonly routes?: unknown;
}

/** Everything that is mounted, then the elements that would be if they were active. */
export function listedSurfaces(surfaces: readonly InspectedSurface[], document: Document): ListedSurface[] {
  const mounted = surfaces.map((each) => ({
    id: each.manifest.id,
    name: each.manifest.name,
    mounted: each,
    element: isElement(each.target) ? each.target : undefined,
  }));
  const known = new Set<string>(mounted.map(({ id }) => id));
  const elements: SurfaceElement[] = [...document.querySelectorAll('oui-surface')];
  const waiting = elements.flatMap((element) => {
    const { surfaceId, name } = element;
    if (typeof surfaceId !== 'string' || surfaceId === '' || known.has(surfaceId)) return [];
    known.add(surfaceId);
    return [{ id: surfaceId, name: typeof name === 'string' && name ? name : surfaceId, mounted: undefined, element }];
  });
  return [...mounted, ...waiting];
}

/** Why an element is not offered: it says so itself, or where it would be. */
export function whyNotOffered(element: Element): { readonly inactive: true } | { readonly routes: string } | undefined {
  const { inactive, routes } = element as SurfaceElement;
  if (inactive === true) return { inactive: true };
  const text = Array.isArray(routes) ? routes.join(' ') : routes;
  return typeof text === 'string' && text !== '' ? { routes: text } : undefined;
}

/** How an element is found in the page's source. */
export function describeElement(element: Element): string {
  const name = element.localName;
  for (const attribute of ['surface-id', 'id']) {
    const value = element.getAttribute(attribute);
    if (value) return `<${name} ${attribute}="${value}">`;
  }
  return `<${name}>`;
}
