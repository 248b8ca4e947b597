import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { Drawing } from './drawing.js';
import { shownJson, shownValue } from './shown-value.js';
import type { ShownText } from './shown-value.js';

/** A value on several lines, that can be scrolled with the keyboard. `label` names it for screen readers. */
export function valueView(drawing: Drawing, label: string, value: unknown): TemplateResult {
  return block(drawing, label, shownValue(value));
}

/** The same of JSON text. */
export function jsonView(drawing: Drawing, label: string, text: string): TemplateResult {
  return block(drawing, label, shownJson(text));
}

function block({ texts, amounts }: Drawing, label: string, { text, more }: ShownText): TemplateResult {
  return html`<pre part="value" tabindex="0" role="group" aria-label=${label}>${text}</pre>${
    more > 0 ? html`<p class="muted">${texts.more(amounts.count(more))}</p>` : nothing}`;
}
