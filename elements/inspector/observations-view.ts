import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Drawing } from './drawing.js';
import { jsonInOneLine } from './shown-value.js';
import { jsonView } from './value-view.js';

/** One observation of a surface that is mounted. */
interface Row {
  readonly surfaceId: string;
  readonly id: string;
  readonly description: string;
  readonly text: string | undefined;
}

/** The values of this moment, and how they change. */
export function observationsView(drawing: Drawing): TemplateResult {
  const { state, texts } = drawing;
  const rows = state.surfaces().flatMap(({ manifest, values }): Row[] => {
    const declared = manifest.observations ?? [];
    const others = [...values.keys()].filter((id) => declared.every((each) => each.id !== id));
    return [...declared, ...others.map((id) => ({ id, description: '' }))].map(({ id, description }) => {
      const text = values.get(id);
      const shown = text === undefined ? undefined : state.shownValue(manifest.id, id, text);
      return { surfaceId: manifest.id, id, description, text: shown };
    });
  });
  if (rows.length === 0) return html`<p class="empty">${texts.noObservations}</p>`;
  return html`<ul class="rows" part="observations">${repeat(rows, keyOf, (row) => rowView(drawing, row))}</ul>`;
}

function keyOf({ surfaceId, id }: Row): string {
  return `${surfaceId}.${id}`;
}

function rowView(drawing: Drawing, row: Row): TemplateResult {
  const { state, texts, amounts } = drawing;
  const { surfaceId, id, description, text } = row;
  const key = keyOf(row);
  const open = state.openValues.has(key);
  const now = Date.now();
  const activity = state.observations.activity(surfaceId, id, now);
  const toggle = (): void => {
    if (open) state.openValues.delete(key);
    else state.openValues.add(key);
    state.changed();
  };
  return html`<li class="row">
    <button type="button" class="head" aria-expanded=${open ? 'true' : 'false'} aria-controls=${open ? `value-${key}` : nothing}
      @click=${toggle}>
      <span class="label"><code>${key}</code>
        <span class="once ${text === undefined ? 'muted' : ''}">${text === undefined ? texts.noValue : jsonInOneLine(text, 100)}</span></span>
      <span class="muted number">${texts.perSecond(amounts.decimal(activity?.perSecond ?? 0))}</span>
      <span class="muted number" title=${texts.lastChange}>${activity
        ? texts.ago(amounts.duration(Math.max(0, Math.round((now - activity.lastChange) / 1_000) * 1_000)))
        : texts.never}</span>
    </button>
    ${open ? html`<div class="body" id=${`value-${key}`}>
      ${description === '' ? nothing : html`<p>${description}</p>`}
      ${text === undefined ? nothing : jsonView(drawing, key, text)}
    </div>` : nothing}
  </li>`;
}
