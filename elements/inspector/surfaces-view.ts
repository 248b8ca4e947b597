import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { live } from 'lit/directives/live.js';
import { requiresApproval, isAsyncAction } from '../../src/protocol/manifest.js';
import type { OUIAction } from '../../src/protocol/manifest.js';
import { actionView } from './action-view.js';
import type { Drawing } from './drawing.js';
import { describeElement, listedSurfaces, whyNotOffered } from './page-surfaces.js';
import type { ListedSurface } from './page-surfaces.js';
import { valueView } from './value-view.js';

/** A row of the tree: a surface, or one of its actions. */
interface TreeItem {
  readonly surface: ListedSurface;
  readonly action: OUIAction | null;
  readonly key: string;
  readonly place: number;
  readonly size: number;
}

/** What is on the page, and beside it what was chosen of it. */
export function surfacesView(drawing: Drawing): TemplateResult {
  const { state, texts } = drawing;
  const surfaces = listedSurfaces(state.surfaces(), drawing.document);
  if (surfaces.length === 0) return html`<p class="empty">${texts.noSurfaces}</p>`;
  const chosen = chosenItem(drawing, surfaces);
  // Hundreds of rows, which typing in a form does not change.
  const shows = [state.surfacesVersion, chosen?.key, [...state.folded].join(' '), texts];
  return html`<div class="split">
    ${guard(shows, () => treeView(drawing, surfaces, chosen))}
    <div class="detail" role="region" aria-label=${chosen ? nameOf(chosen) : texts.choose}>
      ${chosen ? detail(drawing, chosen) : html`<p class="empty">${texts.choose}</p>`}
    </div>
  </div>`;
}

function chosenItem({ state }: Drawing, surfaces: readonly ListedSurface[]): TreeItem | undefined {
  const { choice } = state;
  const all = surfaces.flatMap((surface, index) => itemsOf(surface, index, surfaces.length));
  return choice === null ? undefined
    : all.find(({ surface, action }) => surface.id === choice.surfaceId && (action?.id ?? null) === choice.actionId);
}

function itemsOf(surface: ListedSurface, index: number, size: number): TreeItem[] {
  const actions = surface.mounted?.manifest.actions ?? [];
  return [
    { surface, action: null, key: surface.id, place: index + 1, size },
    ...actions.map((action, at) => ({
      surface, action, key: `${surface.id} ${action.id}`, place: at + 1, size: actions.length,
    })),
  ];
}

function treeView(drawing: Drawing, surfaces: readonly ListedSurface[], chosen: TreeItem | undefined): TemplateResult {
  const { state, texts } = drawing;
  const items = surfaces.flatMap((surface, index) => {
    const all = itemsOf(surface, index, surfaces.length);
    return state.folded.has(surface.id) ? all.slice(0, 1) : all;
  });
  const reachable = items.find(({ key }) => key === chosen?.key) ?? items[0];
  const onKey = (event: KeyboardEvent): void => {
    const key = (event.target as Element).closest('[data-key]')?.getAttribute('data-key');
    const at = items.findIndex((item) => item.key === key);
    const item = items[at];
    if (!item) return;
    const to = nextItem(event.key, items, at, state.folded);
    if (event.key === 'Enter' || event.key === ' ') choose(drawing, item);
    else if (to === 'fold') state.folded.add(item.surface.id);
    else if (to === 'unfold') state.folded.delete(item.surface.id);
    else if (to) choose(drawing, to, true);
    else return;
    event.preventDefault();
    state.changed();
  };
  return html`<ul class="tree" role="tree" part="tree" aria-label=${texts.surfaces} @keydown=${onKey}>
    ${items.map((item) => treeItem(drawing, item, item === reachable, item.key === chosen?.key))}
  </ul>`;
}

/** Where a key leads, as the pattern for trees says. */
function nextItem(
  key: string,
  items: readonly TreeItem[],
  at: number,
  folded: ReadonlySet<string>,
): TreeItem | 'fold' | 'unfold' | undefined {
  const { surface, action } = items[at]!;
  const canFold = action === null && (surface.mounted?.manifest.actions.length ?? 0) > 0;
  switch (key) {
    case 'ArrowDown':
      return items[at + 1];
    case 'ArrowUp':
      return items[at - 1];
    case 'Home':
      return items[0];
    case 'End':
      return items.at(-1);
    case 'ArrowRight':
      if (!canFold) return undefined;
      return folded.has(surface.id) ? 'unfold' : items[at + 1];
    case 'ArrowLeft':
      if (action !== null) return items.find((item) => item.surface === surface && item.action === null);
      return canFold && !folded.has(surface.id) ? 'fold' : undefined;
    default:
      return undefined;
  }
}

function choose({ state, focus }: Drawing, { surface, action, key }: TreeItem, moves = false): void {
  state.choice = { surfaceId: surface.id, actionId: action?.id ?? null };
  if (moves) focus(`[data-key="${CSS.escape(key)}"]`);
  state.changed();
}

function treeItem(drawing: Drawing, item: TreeItem, reachable: boolean, chosen: boolean): TemplateResult {
  const { state, texts } = drawing;
  const { surface, action, key, place, size } = item;
  const hasActions = action === null && (surface.mounted?.manifest.actions.length ?? 0) > 0;
  const folded = state.folded.has(surface.id);
  const fold = (event: Event): void => {
    event.stopPropagation();
    if (folded) state.folded.delete(surface.id);
    else state.folded.add(surface.id);
    state.changed();
  };
  return html`<li role="treeitem" data-key=${key} aria-level=${action === null ? 1 : 2} aria-posinset=${place}
    aria-setsize=${size} aria-selected=${chosen ? 'true' : 'false'} tabindex=${reachable ? 0 : -1}
    aria-expanded=${hasActions ? (folded ? 'false' : 'true') : nothing} @click=${() => choose(drawing, item)}>
    ${hasActions ? html`<span class="fold" aria-hidden="true" @click=${fold}></span>` : html`<span class="leaf" aria-hidden="true"></span>`}
    <span class="label">${action === null ? surface.name : action.id}</span>
    ${stateMark(texts, drawing, item)}
  </li>`;
}

function stateMark(texts: Drawing['texts'], { state }: Drawing, { surface, action }: TreeItem): TemplateResult | typeof nothing {
  if (!surface.mounted) return html`<span class="chip off">${texts.notMounted}</span>`;
  if (state.runtime?.consent.allowed(surface.id, action?.id ?? null) === false) {
    return html`<span class="chip denied">${texts.switchedOff}</span>`;
  }
  if (action?.enabled === false) return html`<span class="chip off">${texts.disabled(undefined)}</span>`;
  return action === null ? html`<span class="chip ok">${texts.active}</span>` : nothing;
}

function nameOf({ surface, action }: TreeItem): string {
  return action === null ? surface.name : (action.title ?? action.id);
}

function detail(drawing: Drawing, { surface, action }: TreeItem): TemplateResult {
  if (action !== null) return actionView(drawing, surface.id, action, switchView(drawing, surface.id, action.id), marks(drawing, action));
  return surfaceDetail(drawing, surface);
}

function marks({ texts }: Drawing, action: OUIAction): TemplateResult {
  return html`
    ${action.effect === undefined ? nothing : html`<span class="chip">${action.effect}</span>`}
    ${requiresApproval(action) ? html`<span class="chip wait">${texts.asks}</span>` : nothing}
    ${isAsyncAction(action) ? html`<span class="chip">${texts.async}</span>` : nothing}
    ${action.enabled === false ? html`<span class="chip off">${texts.disabled(action.disabledReason)}</span>` : nothing}
    ${(action.tags ?? []).map((tag) => html`<span class="chip">${tag}</span>`)}`;
}

function surfaceDetail(drawing: Drawing, { id, name, mounted, element }: ListedSurface): TemplateResult {
  const { texts } = drawing;
  const from = element ? texts.from(describeElement(element)) : texts.fromScript;
  if (!mounted) {
    const why = element && whyNotOffered(element);
    const reason = !why ? texts.notOffered : 'inactive' in why ? texts.inactive : texts.elsewhere(why.routes);
    return html`<h3>${name} <code>${id}</code></h3><p>${reason}</p><p class="muted">${from}</p>`;
  }
  const { manifest, mounts } = mounted;
  const { description, version, activation, concurrent, metadata, actions, observations = [] } = manifest;
  const routes = activation?.routes;
  const facts: [string, string | undefined][] = [
    [texts.facts.version, version],
    [texts.facts.routes, Array.isArray(routes) ? routes.join(' ') : (routes as string | undefined)],
    [texts.actions, drawing.amounts.count(actions.length)],
    [texts.observations, drawing.amounts.count(observations.length)],
  ];
  return html`
    <h3>${name} <code>${id}</code></h3>
    <p>${concurrent === true ? html`<span class="chip">${texts.concurrent}</span>` : nothing}</p>
    <p>${description}</p>
    <p class="muted">${from}${mounts > 1 ? html`. ${texts.mounts(mounts)}` : nothing}</p>
    ${switchView(drawing, id, null)}
    <dl class="facts">${facts.filter(([, value]) => value !== undefined).map(([term, value]) => {
      return html`<div><dt>${term}</dt><dd>${value}</dd></div>`;
    })}</dl>
    ${metadata === undefined ? nothing : valueView(drawing, 'metadata', metadata)}`;
}

/** A switch of the user's. */
function switchView({ state, texts }: Drawing, surfaceId: string, actionId: string | null): TemplateResult {
  const { consent } = state.runtime ?? {};
  const surfaceOff = actionId !== null && consent?.allowed(surfaceId) === false;
  const allowed = consent?.allowed(surfaceId, actionId) ?? true;
  return html`<label class="switch" part="switch">
    <input type="checkbox" role="switch" .checked=${live(allowed)} ?disabled=${surfaceOff}
      @change=${(event: Event) => state.allow(surfaceId, actionId, (event.target as HTMLInputElement).checked)}>
    <span>${actionId === null ? texts.allowSurface : texts.allowAction}</span>
    <small class="muted">${texts.allowHint}</small>
  </label>`;
}
