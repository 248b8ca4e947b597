import { LitElement, html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { ApprovalRequest } from '../src/protocol/approval.js';
import * as LIMITS from '../src/protocol/limits.js';
import { SOFTWARE } from '../src/surface/runtime-options.js';
import { approvalParams } from './approval-params.js';
import type { ApprovalParam, AttachmentName } from './approval-params.js';
import { APPROVAL_STYLES } from './approval-styles.js';
import { ENGLISH } from './approval-texts.js';
import type { ApprovalTexts } from './approval-texts.js';
import { defineElement } from './define-element.js';
import { styledRoot, styleRoot } from './document-styles.js';
import { agentStopper } from './stop-signs.js';

/** `true` allowed, `false` denied, `null` no answer. */
export type ApprovalAnswer = boolean | null;

interface Question {
  readonly request: ApprovalRequest;
  end(answer: ApprovalAnswer): void;
}

/** A value longer than this may have to be scrolled, which must be possible with the keyboard. */
const SCROLLED_LINES = 8;
const SCROLLED_LENGTH = 400;

/**
 * The user's confirmation of one action: what it is, the exact values, the time left, and two buttons. Questions come
 * one after the other, each in a modal dialog. Escape gives no answer, which is no yes.
 *
 * Only what the user does counts: clicks and keys that a script makes are not trusted events. An answer counts half a
 * second after its question came into view at the earliest, so that a click or a key that was meant for something else
 * decides nothing.
 *
 * A third button stops agents: it denies, and does what the one of `<oui-presence>` does. It is there when the document
 * has an `<oui-presence>`, by which the user can resume; or one can be made, which is then put into the document.
 *
 * `<oui-runtime>` asks with the first one of the page, and makes one where there is none. `ask` serves as the
 * `approve` of a runtime of your own.
 *
 * @tag oui-approval
 * @csspart dialog - The dialog.
 * @csspart heading - The question.
 * @csspart description - What the action does, in its author's words.
 * @csspart values - The list of values.
 * @csspart value - One value, as JSON.
 * @csspart time - The time left.
 * @csspart deny - The button that denies.
 * @csspart allow - The button that allows.
 * @csspart stop - The button that stops agents.
 * @cssprop --oui-color-scheme - `light`, `dark`, or (default) `light dark`, as the user prefers.
 * @cssprop --oui-surface - Background.
 * @cssprop --oui-text - Text.
 * @cssprop --oui-muted - Text of less weight.
 * @cssprop --oui-field - Background of the values.
 * @cssprop --oui-border - Border.
 * @cssprop --oui-radius - Radius of the corners.
 * @cssprop --oui-accent - Background of the button that allows.
 * @cssprop --oui-on-accent - Its text.
 * @cssprop --oui-danger - Text of the button that stops agents.
 * @cssprop --oui-focus - Outline of what has the focus.
 * @cssprop --oui-backdrop - Over the page.
 * @cssprop --oui-font - Family of the texts.
 * @cssprop --oui-mono - Family of the values.
 */
export class OuiApprovalElement extends LitElement {
  static readonly tag = 'oui-approval';

  /** The library and its version, such as `oui-elements/0.1.0`. */
  static readonly version: string = SOFTWARE;

  static override styles = APPROVAL_STYLES;

  static override properties = {
    texts: { attribute: false },
    attachmentName: { attribute: false },
  };

  /** Texts in place of the English ones; any of them. */
  declare texts: Partial<ApprovalTexts> | null;
  /** The file name of an attachment, shown beside its id. */
  declare attachmentName: AttachmentName | null;

  readonly #waiting: Question[] = [];
  #open: Question | null = null;
  /** Its values, as they are shown. */
  #values: readonly ApprovalParam[] = [];
  /** Stops agents, where that can be taken back. The same for as long as a question is open: buttons keep their places. */
  #stop: (() => void) | null = null;
  #stopping: ReturnType<typeof setTimeout> | undefined;
  /** The open question is in view. */
  #shown = false;
  /** On the clock of events, ms. */
  #armedAt = Infinity;
  #arming: ReturnType<typeof setTimeout> | undefined;
  /** When the pointer went down in the dialog whose click is to come. On the clock of events, ms. */
  #pressedAt: number | undefined;
  #ticking: ReturnType<typeof setInterval> | undefined;

  constructor() {
    super();
    this.texts = null;
    this.attachmentName = null;
  }

  /** Registers the class. See `OuiElement.define`. */
  static define(tag: string = this.tag, registry: CustomElementRegistry | undefined = globalThis.customElements): void {
    defineElement(this, tag, registry);
  }

  /**
   * Asks the user, when the questions before this one have been answered. Never rejects.
   * @param signal When it fires the question is moot: it goes away, and the answer is `null`.
   */
  ask(request: ApprovalRequest, signal?: AbortSignal): Promise<ApprovalAnswer> {
    return new Promise((resolve) => {
      const moot = (): void => question.end(null);
      const question: Question = {
        request,
        end: (answer) => {
          signal?.removeEventListener('abort', moot);
          resolve(answer);
          this.#drop(question);
        },
      };
      if (signal?.aborted === true || request.expiresAt <= Date.now()) return resolve(null);
      signal?.addEventListener('abort', moot);
      this.#waiting.push(question);
      this.#next();
    });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.ownerDocument.addEventListener('visibilitychange', this.#onVisible);
    this.#next();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.ownerDocument.removeEventListener('visibilitychange', this.#onVisible);
    queueMicrotask(() => {
      // Nobody can answer what is not in the page. A move within it is over by now, and asks again.
      if (!this.isConnected) for (const question of [this.#open, ...this.#waiting.splice(0)]) question?.end(null);
      else if (this.#open) this.#show();
    });
  }

  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    return styledRoot(this);
  }

  /** The browser calls it when the element has come into another document. */
  adoptedCallback(): void {
    styleRoot(this);
  }

  protected override render(): TemplateResult {
    // The dialog itself stays: its question is in it.
    return html`<dialog part="dialog" role="alertdialog" aria-modal="true"
      aria-labelledby="heading" aria-describedby="description values"
      @close=${this.#onClose} @keydown=${onlyTrusted} @pointerdown=${this.#onPress}>
      ${this.#open ? this.#content(this.#open.request) : nothing}</dialog>`;
  }

  protected override updated(): void {
    if (this.#open && !this.#shown) this.#show();
  }

  get #texts(): ApprovalTexts {
    return { ...ENGLISH, ...this.texts };
  }

  get #dialog(): HTMLDialogElement | null {
    return this.renderRoot?.querySelector('dialog') ?? null;
  }

  #content(request: ApprovalRequest): TemplateResult {
    const texts = this.#texts;
    const { title = request.actionId, description, surfaceName } = request;
    const values = this.#values;
    const left = Math.max(0, Math.ceil((request.expiresAt - Date.now()) / 1000));
    const waits = this.#armedAt === Infinity ? 'true' : 'false';
    const more = this.#waiting.length;
    return html`
      <div class="content" tabindex="0" role="group" aria-labelledby="heading">
        <h2 id="heading" part="heading">${texts.heading(title)}</h2>
        <p id="description" part="description">${description}</p>
        <p class="muted">${texts.from(surfaceName)}${more > 0 ? html` ${texts.more(more)}` : nothing}</p>
        <div id="values">
          <p class="muted values">${values.length > 0 ? texts.values : texts.noValues}</p>
          ${values.length > 0 ? html`<dl part="values">${values.map((value) => this.#value(value))}</dl>` : nothing}
        </div>
      </div>
      <footer>
        <p class="muted" role="timer" part="time">
          ${texts.timeLeft(`${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`)}
        </p>
        <span class="unseen" role="status">${left < 60 ? texts.soon : ''}</span>
        ${this.#stop ? html`<button type="button" class="stop" part="stop" title=${texts.stopHint} aria-disabled=${waits}
          @click=${(event: MouseEvent) => this.#stopAgents(event)}>${texts.stop}</button>` : nothing}
        <div class="actions">
          <button type="button" class="deny" part="deny" aria-disabled=${waits}
            @click=${(event: MouseEvent) => this.#answer(event, false)}>${texts.deny}</button>
          <button type="button" class="allow" part="allow" aria-disabled=${waits}
            @click=${(event: MouseEvent) => this.#answer(event, true)}>${texts.allow}</button>
        </div>
      </footer>`;
  }

  #value({ name, text, isDefault, files }: ApprovalParam): TemplateResult {
    const long = text.length > SCROLLED_LENGTH || text.split('\n').length > SCROLLED_LINES;
    const mark = isDefault ? html`<span class="default">${this.#texts.byDefault}</span>` : nothing;
    return html`<div>
      <dt><span>${name}</span>${mark}</dt>
      <dd>${files.map((file) => html`<p class="file">${file}</p>`)}<pre part="value" tabindex=${long ? 0 : nothing}
        role=${long ? 'group' : nothing} aria-label=${long ? name : nothing}>${text}</pre></dd>
    </div>`;
  }

  #next(): void {
    if (this.#open || this.#stopping !== undefined || !this.isConnected) return;
    this.#open = this.#waiting.shift() ?? null;
    if (!this.#open) return;
    this.#stop = agentStopper(this.ownerDocument);
    const { params, defaults } = this.#open.request;
    this.#values = approvalParams(params, defaults, this.attachmentName);
    this.requestUpdate();
  }

  #show(): void {
    const dialog = this.#dialog;
    if (!dialog) return;
    this.#shown = true;
    if (!dialog.open) dialog.showModal();
    this.renderRoot.querySelector<HTMLElement>('.deny')?.focus();
    this.#arm();
    clearInterval(this.#ticking);
    this.#ticking = setInterval(() => this.#tick(), 1_000);
  }

  #tick(): void {
    if (this.#open && this.#open.request.expiresAt <= Date.now()) this.#open.end(null);
    else this.requestUpdate();
  }

  /** From now on the user sees it. */
  #arm(): void {
    clearTimeout(this.#arming);
    this.#armedAt = Infinity;
    const seenAt = performance.now();
    this.#arming = setTimeout(() => {
      this.#armedAt = seenAt + LIMITS.approvalArmingMs;
      this.requestUpdate();
    }, LIMITS.approvalArmingMs);
    this.requestUpdate();
  }

  readonly #onVisible = (): void => {
    if (this.#shown && this.ownerDocument.visibilityState === 'visible') this.#arm();
  };

  #answer(event: MouseEvent, answer: boolean): void {
    if (this.#counts(event)) this.#open?.end(answer);
  }

  #stopAgents(event: MouseEvent): void {
    if (!this.#counts(event)) return;
    // What is stopped closes by itself in a moment; questions of others come after that.
    this.#stopping = setTimeout(() => {
      this.#stopping = undefined;
      this.#next();
    }, LIMITS.approvalArmingMs);
    this.#stop?.();
    this.#open?.end(false);
  }

  readonly #onPress = ({ timeStamp, isTrusted }: Event): void => {
    if (isTrusted) this.#pressedAt = timeStamp;
  };

  /**
   * When it was made counts, not when it is heard: a busy page hears clicks late. A click was made when the pointer went
   * down: the button that it lets go of may be another question's by then.
   */
  #counts(event: MouseEvent): boolean {
    // Keys press no pointer.
    const madeAt = event.detail > 0 ? this.#pressedAt ?? event.timeStamp : event.timeStamp;
    this.#pressedAt = undefined;
    return event.isTrusted && madeAt >= this.#armedAt;
  }

  /** Escape, or whatever else closes a dialog. The event of an earlier question comes when this one is open. */
  #onClose(): void {
    if (this.#shown && this.#dialog?.open === false) this.#open?.end(null);
  }

  #drop(question: Question): void {
    const index = this.#waiting.indexOf(question);
    if (index >= 0) this.#waiting.splice(index, 1);
    if (question !== this.#open) return this.requestUpdate();
    clearTimeout(this.#arming);
    clearInterval(this.#ticking);
    this.#open = null;
    this.#values = [];
    this.#shown = false;
    this.#armedAt = Infinity;
    // Gives the focus back to where it was. The next question takes it from there, and is announced like the first.
    this.#dialog?.close();
    this.requestUpdate();
    this.#next();
  }
}

/** WebKit closes dialogs on an Escape that a script makes. */
function onlyTrusted(event: Event): void {
  if (!event.isTrusted) event.preventDefault();
}
