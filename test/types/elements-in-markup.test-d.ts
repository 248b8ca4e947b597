import type { SvelteHTMLElements } from 'svelte/elements';
import type { OuiElements, OuiIntrinsicElements } from '../../dist/types/index.js';
import type {} from '../../dist/types/svelte.js';
import { injectSurfaceRuntime } from '../../src/entries/angular.js';
import { getSurfaceRuntime } from '../../src/entries/svelte.js';

/** The elements in Svelte's templates, and in JSX of any kind. `tsc` is the test. */

type Svelte<Tag extends keyof SvelteHTMLElements> = SvelteHTMLElements[Tag];

export const surface: Svelte<'oui-surface'> = {
  'surface-id': 'list', name: 'List', class: 'wide', 'onoui-action': (event) => event.respondWith(1),
};
export const action: Svelte<'oui-action'> = { actionId: 'add', singleFlight: false, effect: 'edit', handler: () => 1 };
// @ts-expect-error -- no such effect
export const effect: Svelte<'oui-action'> = { effect: 'editing' };
// @ts-expect-error -- Svelte would set the text "false", which is there and so counts
export const flag: Svelte<'oui-action'> = { 'single-flight': false };
// @ts-expect-error -- no such attribute
export const unknown: Svelte<'oui-hold'> = { until: '.done' };
// @ts-expect-error -- the events are their own classes
export const event: Svelte<'oui-runtime'> = { 'onoui-call': (event: MouseEvent) => event.clientX };

// One runtime for bindings and elements.
export const shared = (): Svelte<'oui-runtime'> => ({ runtime: getSurfaceRuntime() });
// Angular sets properties, `[runtime]="runtime"`, and checks none of a custom element's.
export const sharedInAngular = (element: OuiElements['oui-runtime']): void => {
  element.runtime = injectSurfaceRuntime();
};

interface OtherFramework extends OuiIntrinsicElements {
  div: { id?: string };
}
export const runtime: OtherFramework['oui-runtime'] = {
  url: '/oui/v1', approve: () => null, children: [], 'data-x': 1, 'on:oui-call': ({ report }) => report,
};
// @ts-expect-error -- one of two
export const form: OtherFramework['oui-runtime'] = { form: 'short' };
// @ts-expect-error -- a function
export const approve: OtherFramework['oui-runtime'] = { approve: 'always' };
