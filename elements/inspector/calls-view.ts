import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { repeat } from 'lit/directives/repeat.js';
import type { Drawing } from './drawing.js';
import type { LoggedCall } from './logged-call.js';
import type { SettleStory } from './settle-story.js';
import { jsonInOneLine } from './shown-value.js';
import { valueView } from './value-view.js';

const SHOWS = ['all', 'open', 'done', 'failed'] as const;

/** Every call, as it goes. */
export function callsView(drawing: Drawing): TemplateResult {
  const { state, texts, save } = drawing;
  const calls = state.calls.calls(state.callFilter, state.callShow);
  const exportLog = (): void => {
    const day = new Date().toISOString().replace(/[:.]/g, '-');
    save(`oui-log-${day}.json`, JSON.stringify(state.exported(), null, 2));
  };
  return html`<div class="bar">
    <label class="filter"><span class="unseen">${texts.filter}</span>
      <input type="search" placeholder=${texts.filter} .value=${live(state.callFilter)} @input=${(event: Event) => {
        state.callFilter = (event.target as HTMLInputElement).value;
        state.changed();
      }}></label>
    <label><span class="unseen">${texts.show}</span>
      <select @change=${(event: Event) => {
        state.callShow = (event.target as HTMLSelectElement).value as typeof state.callShow;
        state.changed();
      }}>${SHOWS.map((show) => html`<option value=${show} ?selected=${state.callShow === show}>${texts.shows[show]}</option>`)}
      </select></label>
    <button type="button" part="clear" @click=${() => {
      state.calls.clear();
      state.openCalls.clear();
      state.changed();
    }}>${texts.clear}</button>
    <button type="button" part="export" @click=${exportLog}>${texts.export}</button>
  </div>
  ${calls.length === 0
    ? html`<p class="empty">${state.calls.size === 0 ? texts.noCalls : texts.noneFound}</p>`
    : html`<ol class="rows" part="calls">${repeat(calls, ({ requestId }) => requestId, (call) => callRow(drawing, call))}</ol>`}`;
}

function callRow(drawing: Drawing, call: LoggedCall): TemplateResult {
  const { state, texts, amounts } = drawing;
  const { requestId, surfaceId, actionId, paramsText, origin } = call;
  const open = state.openCalls.has(requestId);
  const toggle = (): void => {
    if (open) state.openCalls.delete(requestId);
    else state.openCalls.add(requestId);
    state.changed();
  };
  const id = `call-${requestId}`;
  return html`<li class="row">
    <button type="button" class="head" aria-expanded=${open ? 'true' : 'false'} aria-controls=${open ? id : nothing} @click=${toggle}>
      <span class="chip ${call.state}">${texts.states[call.state]}</span>
      <span class="label"><code>${surfaceId}.${actionId}</code> <span class="muted once">${jsonInOneLine(paramsText, 80)}</span></span>
      <span class="muted number">${call.durationMs === undefined ? '' : amounts.duration(call.durationMs)}</span>
      <span class="muted number">${amounts.time(call.steps[0]?.at ?? 0)}</span>
    </button>
    ${open ? html`<div class="body" id=${id}>${callDetail(drawing, call, texts.origins[origin])}</div>` : nothing}
  </li>`;
}

function callDetail(drawing: Drawing, call: LoggedCall, origin: string): TemplateResult {
  const { texts, amounts } = drawing;
  const { steps, params, result, settle } = call;
  const since = steps[0]?.at ?? 0;
  return html`
    <p class="muted">${origin} · <code>${call.requestId}</code></p>
    <h3 class="minor">${texts.steps}</h3>
    <ol class="steps">${steps.map(({ state, at }, index) => html`<li class=${state}>
      ${texts.states[state]} <span class="muted">${index === 0 ? amounts.time(at) : texts.after(amounts.duration(at - since))}</span>
    </li>`)}</ol>
    ${params === undefined ? nothing : html`<h3 class="minor">${texts.params}</h3>${valueView(drawing, texts.params, params)}`}
    ${result?.error === undefined ? nothing : html`<h3 class="minor">${texts.error}</h3>${valueView(drawing, texts.error, result.error)}`}
    ${result?.data === undefined ? nothing : html`<h3 class="minor">${texts.data}</h3>${valueView(drawing, texts.data, result.data)}`}
    <h3 class="minor">${texts.settle}</h3>
    ${settle ? settleView(drawing, settle) : html`<p>${call.state === 'done' ? texts.settleNone : '—'}</p>`}`;
}

/** What it waited for, in words. */
function settleView({ texts, amounts }: Drawing, { end, quietMs = 0, reasons }: SettleStory): TemplateResult {
  const quiet = amounts.duration(quietMs);
  return html`<p>${end ? texts.settleEnds[end.why](amounts.duration(end.ms), quiet) : texts.settleWaits}</p>
    ${reasons.length === 0 ? nothing : html`<ul class="reasons">${reasons.map((reason) => {
      const { kind, name, count, from, to, ignored } = reason;
      const when = to !== undefined && to <= 0 ? texts.during(count)
        : texts.when(count, amounts.duration(from), to === undefined ? undefined : amounts.duration(to));
      return html`<li>${texts.reason(kind, name)} <span class="muted">${when}${ignored ? html` (${texts.ignored})` : nothing}</span></li>`;
    })}</ul>`}`;
}
