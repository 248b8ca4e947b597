import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { repeat } from 'lit/directives/repeat.js';
import type { Drawing } from './drawing.js';
import type { LoggedFrame } from './frame-log.js';
import { jsonView } from './value-view.js';

/** What goes over the connection, both ways. */
export function framesView(drawing: Drawing): TemplateResult {
  const { state, texts, amounts } = drawing;
  const { frames } = state;
  const shown = frames.frames(state.frameFilter);
  const { count, bytes } = frames.total;
  return html`<div class="bar">
    <label class="filter"><span class="unseen">${texts.filter}</span>
      <input type="search" placeholder=${texts.filter} .value=${live(state.frameFilter)} @input=${(event: Event) => {
        state.frameFilter = (event.target as HTMLInputElement).value;
        state.changed();
      }}></label>
    <span class="muted">${texts.frameTotal(amounts.count(count), amounts.bytes(bytes))}</span>
    <button type="button" part="pause" aria-pressed=${frames.paused ? 'true' : 'false'} @click=${() => {
      frames.paused = !frames.paused;
      state.changed();
    }}>${frames.paused ? texts.resume : texts.pause}</button>
    <button type="button" part="clear" @click=${() => {
      frames.clear();
      state.openFrames.clear();
      state.changed();
    }}>${texts.clear}</button>
  </div>
  ${frames.paused ? html`<p class="muted note" role="status">${texts.paused}</p>` : nothing}
  ${shown.length === 0
    ? html`<p class="empty">${frames.size === 0 ? texts.noFrames : texts.noneFound}</p>`
    : html`<ol class="rows" part="frames">${repeat(shown, ({ number }) => number, (frame) => frameRow(drawing, frame))}</ol>`}`;
}

function frameRow(drawing: Drawing, frame: LoggedFrame): TemplateResult {
  const { state, texts, amounts } = drawing;
  const { number, direction, type, bytes, at, payload, cut } = frame;
  const open = state.openFrames.has(number);
  const toggle = (): void => {
    if (open) state.openFrames.delete(number);
    else state.openFrames.add(number);
    state.changed();
  };
  return html`<li class="row">
    <button type="button" class="head" aria-expanded=${open ? 'true' : 'false'} aria-controls=${open ? `frame-${number}` : nothing}
      @click=${toggle}>
      <span class="arrow ${direction}" aria-hidden="true"></span><span class="unseen">${texts.directions[direction]}</span>
      <span class="label"><code>${type || '?'}</code></span>
      <span class="muted number">${amounts.bytes(bytes)}</span>
      <span class="muted number">${amounts.time(at)}</span>
    </button>
    ${open ? html`<div class="body" id="frame-${number}">
      ${jsonView(drawing, type, payload)}${cut ? html`<p class="muted">${texts.cut}</p>` : nothing}
    </div>` : nothing}
  </li>`;
}
