import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { live } from 'lit/directives/live.js';
import type { OUIAction } from '../../src/protocol/manifest.js';
import type { Drawing } from './drawing.js';
import { FormView } from './form-view.js';
import type { TriedAction } from './tried-action.js';
import { valueView } from './value-view.js';

/** One action: what it is, its switch, and a form to try it. */
export function actionView(
  drawing: Drawing,
  surfaceId: string,
  action: OUIAction,
  consent: TemplateResult,
  marks: TemplateResult,
): TemplateResult {
  const { texts, state } = drawing;
  const { id, title, description, usage, preconditions, input, output } = action;
  const facts = [[texts.facts.usage, usage], [texts.facts.preconditions, preconditions]].filter(([, value]) => value);
  const tried = state.tried(surfaceId, action);
  return html`
    <h3>${title ?? id} <code>${surfaceId}.${id}</code></h3>
    <p class="marks">${marks}</p>
    <p>${description}</p>
    ${facts.length === 0 ? nothing
      : html`<dl class="facts">${facts.map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}</dl>`}
    ${consent}
    ${tryView(drawing, tried, action)}
    <details>
      <summary>${texts.schema}</summary>
      ${guard([input, output, texts], () => html`${valueView(drawing, texts.params, input)}
        ${output === undefined ? nothing : valueView(drawing, texts.data, output)}`)}
    </details>`;
}

function tryView(drawing: Drawing, tried: TriedAction, action: OUIAction): TemplateResult {
  const { texts, state, focus } = drawing;
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const { runtime } = state;
    if (!runtime || tried.running) return;
    await tried.run(runtime);
    if (tried.issues.length > 0) focus('form [aria-invalid=true]');
  };
  const mode = (wanted: 'form' | 'json', name: string): TemplateResult => html`<label>
    <input type="radio" name="mode" .checked=${live(tried.mode === wanted)} @change=${() => tried.show(wanted)}>
    <span>${name}</span>
  </label>`;
  return html`<form class="try" part="form" novalidate autocomplete="off" aria-label=${texts.run} @submit=${submit}>
    <div class="modes" role="radiogroup" aria-label=${texts.params}>${mode('form', texts.form)}${mode('json', texts.json)}</div>
    ${tried.mode === 'form' ? new FormView(drawing, tried, action.input).draw() : jsonField(drawing, tried)}
    <div class="buttons">
      <button type="submit" class="primary" part="run" aria-disabled=${tried.running ? 'true' : 'false'}>${texts.run}</button>
      ${tried.running ? html`<button type="button" @click=${() => tried.cancel()}>${texts.cancel}</button>` : nothing}
      <button type="button" class="quiet" @click=${() => tried.reset(action.input)}>${texts.reset}</button>
    </div>
    ${resultView(drawing, tried)}
  </form>`;
}

function jsonField({ texts }: Drawing, tried: TriedAction): TemplateResult {
  const wrong = tried.jsonProblem;
  return html`<div class="field">
    <label for="json">${texts.jsonLabel}</label>
    <textarea id="json" class="code" rows="8" spellcheck="false" .value=${live(tried.jsonText)}
      aria-invalid=${wrong === undefined ? nothing : 'true'} aria-describedby=${wrong === undefined ? nothing : 'json-wrong'}
      @input=${(event: Event) => tried.typeJson((event.target as HTMLTextAreaElement).value)}></textarea>
    ${wrong === undefined ? nothing : html`<p class="wrong" id="json-wrong" part="error">${texts.notJson(wrong)}</p>`}
  </div>`;
}

/** How it came out; said to screen readers as it comes. */
function resultView(drawing: Drawing, tried: TriedAction): TemplateResult {
  const { texts, amounts } = drawing;
  const { result, running, issues } = tried;
  const said = running ? texts.running
    : !result ? ''
    : result.success ? texts.succeeded(amounts.duration(tried.tookMs))
    : texts.failed(result.error?.code ?? '');
  const kind = running || !result ? '' : result.success ? 'ok' : 'failed';
  return html`<div class="result ${kind}" part="result">
    <p role="status" class="said">${said}</p>
    ${!result?.error ? nothing : html`<p>${result.error.message}</p>`}
    ${issues.length === 0 ? nothing : html`<p>${texts.problems(issues.length)}</p>
      <ul class="issues">${issues.map(({ path, message }) => html`<li><code>${path || texts.whole}</code> ${message}</li>`)}</ul>`}
    ${result?.data === undefined ? nothing : valueView(drawing, texts.data, result.data)}
    ${result?.error?.details === undefined || issues.length > 0 ? nothing : valueView(drawing, texts.error, result.error.details)}
  </div>`;
}
