import { html, nothing, render } from 'lit';
import type { TemplateResult } from 'lit';
import type { SurfaceRuntime } from '../../src/surface/runtime.js';
import { Amounts } from './amounts.js';
import { callsView } from './calls-view.js';
import { connectionView } from './connection-view.js';
import type { Drawing } from './drawing.js';
import { framesView } from './frames-view.js';
import { InspectorState } from './inspector-state.js';
import { ENGLISH } from './inspector-texts.js';
import type { InspectorTexts, TabId } from './inspector-texts.js';
import { observationsView } from './observations-view.js';
import { saveFile } from './save-file.js';
import { surfacesView } from './surfaces-view.js';

/** The element that an inspector is drawn in. */
export interface InspectorHost extends HTMLElement {
  open: boolean;
  texts: Partial<InspectorTexts> | null;
  readonly renderRoot: HTMLElement | DocumentFragment;
}

const TABS: readonly TabId[] = ['surfaces', 'calls', 'frames', 'observations', 'connection'];
const VIEWS: { readonly [tab in TabId]: (drawing: Drawing) => TemplateResult } = {
  surfaces: surfacesView, calls: callsView, frames: framesView, observations: observationsView, connection: connectionView,
};

/** Heights of the panel, in percent of the window, and how far an arrow key moves its edge. */
const HEIGHT = { least: 20, first: 45, most: 90, step: 5 };
/** How often a tab that shows how long ago something was is drawn anew, ms. */
const TICK_MS = 1_000;

/** Draws an inspector into its element: at most once per animation frame, and not at all in a hidden tab. */
export class InspectorView {
  readonly #host: InspectorHost;
  readonly #state = new InspectorState(() => this.#plan());
  readonly #heightSheet = new CSSStyleSheet();
  #amounts: Amounts;
  #language = '';
  #planned = false;
  #closed = false;
  #wanted: string | undefined;
  #height = HEIGHT.first;
  #ticking: ReturnType<typeof setInterval> | undefined;

  constructor(host: InspectorHost) {
    this.#host = host;
    this.#amounts = new Amounts(this.#language);
    this.#setHeight(HEIGHT.first);
  }

  /** What the panel's height is drawn with. */
  get sheet(): CSSStyleSheet {
    return this.#heightSheet;
  }

  /** Looks into this runtime from now on. */
  follow(runtime: SurfaceRuntime | null): void {
    this.#state.follow(runtime);
  }

  /** A property of the element changed. */
  update(): void {
    this.#plan();
  }

  /** The element is out of the page. */
  close(): void {
    this.#closed = true;
    clearInterval(this.#ticking);
    this.#state.release();
    render(nothing, this.#host.renderRoot as HTMLElement);
  }

  #plan(): void {
    if (this.#planned || this.#closed) return;
    this.#planned = true;
    requestAnimationFrame(() => {
      this.#planned = false;
      if (!this.#closed) this.#draw();
    });
  }

  #draw(): void {
    const { document } = this.#host.ownerDocument.defaultView ?? window;
    const language = this.#host.lang || document.documentElement.lang;
    if (language !== this.#language) {
      this.#language = language;
      this.#amounts = new Amounts(language);
    }
    const drawing: Drawing = {
      state: this.#state,
      texts: { ...ENGLISH, ...this.#host.texts },
      amounts: this.#amounts,
      document,
      save: (name, text) => saveFile(document, name, text),
      focus: (selector) => {
        this.#wanted = selector;
        this.#plan();
      },
    };
    const { open } = this.#host;
    render(open ? this.#panel(drawing) : this.#button(drawing), this.#host.renderRoot as HTMLElement);
    this.#tick(open && this.#state.tab === 'observations');
    const wanted = this.#wanted;
    this.#wanted = undefined;
    if (wanted !== undefined) this.#host.renderRoot.querySelector<HTMLElement>(wanted)?.focus();
  }

  #tick(ticks: boolean): void {
    if (ticks === (this.#ticking !== undefined)) return;
    clearInterval(this.#ticking);
    this.#ticking = ticks ? setInterval(() => this.#plan(), TICK_MS) : undefined;
  }

  #toggle(open: boolean): void {
    this.#host.open = open;
    this.#wanted = open ? '[role=tab][aria-selected=true]' : '.launcher';
    this.#plan();
  }

  #button({ texts, state }: Drawing): TemplateResult {
    return html`<button type="button" class="launcher" part="button" aria-label=${texts.open} aria-expanded="false"
      @click=${() => this.#toggle(true)}>
      <span class="dot ${state.runtime?.connection ?? 'disconnected'}" aria-hidden="true"></span>OUI
    </button>`;
  }

  #panel(drawing: Drawing): TemplateResult {
    const { state, texts } = drawing;
    const view = VIEWS[state.tab];
    const connection = state.runtime?.connection ?? 'disconnected';
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      event.preventDefault();
      this.#toggle(false);
    };
    return html`<section class="panel" part="panel" aria-label=${texts.title} @keydown=${onKey}>
      ${this.#edge(texts)}
      <header>
        <div class="tabs" role="tablist" aria-label=${texts.title} @keydown=${(event: KeyboardEvent) => this.#onTabKey(event)}>
          ${TABS.map((tab) => this.#tab(drawing, tab))}
        </div>
        <span class="status"><span class="dot ${connection}" aria-hidden="true"></span>${texts.connectionStates[connection]}</span>
        <button type="button" class="close quiet" part="close" aria-label=${texts.close} @click=${() => this.#toggle(false)}>
          <span aria-hidden="true">✕</span>
        </button>
      </header>
      <div class="content" role="tabpanel" id="panel" aria-labelledby=${`tab-${state.tab}`} tabindex="-1">
        ${state.runtime ? view(drawing) : html`<p class="empty">${texts.noRuntime}</p>`}
      </div>
    </section>`;
  }

  #tab({ state, texts, amounts }: Drawing, tab: TabId): TemplateResult {
    const chosen = state.tab === tab;
    const count = tab === 'calls' ? state.calls.size : tab === 'frames' ? state.frames.total.count : 0;
    return html`<button type="button" role="tab" id=${`tab-${tab}`} aria-selected=${chosen ? 'true' : 'false'}
      aria-controls=${chosen ? 'panel' : nothing} tabindex=${chosen ? 0 : -1} @click=${() => this.#choose(tab)}>
      ${texts.tabs[tab]}${count > 0 ? html` <span class="count">${amounts.count(count)}</span>` : nothing}
    </button>`;
  }

  #choose(tab: TabId, focused = false): void {
    this.#state.tab = tab;
    if (focused) this.#wanted = `#tab-${tab}`;
    this.#plan();
  }

  /** As the pattern for tabs says. */
  #onTabKey(event: KeyboardEvent): void {
    const at = TABS.indexOf(this.#state.tab);
    const rightToLeft = getComputedStyle(this.#host).direction === 'rtl';
    const steps: { readonly [key: string]: number } = {
      ArrowRight: at + (rightToLeft ? -1 : 1), ArrowLeft: at + (rightToLeft ? 1 : -1), Home: 0, End: TABS.length - 1,
    };
    const to = steps[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.#choose(TABS[(to + TABS.length) % TABS.length]!, true);
  }

  /** The upper edge, which is moved with a pointer or the arrow keys. */
  #edge(texts: InspectorTexts): TemplateResult {
    const onKey = (event: KeyboardEvent): void => {
      const to: { readonly [key: string]: number } = {
        ArrowUp: this.#height + HEIGHT.step, ArrowDown: this.#height - HEIGHT.step, Home: HEIGHT.most, End: HEIGHT.least,
      };
      const height = to[event.key];
      if (height === undefined) return;
      event.preventDefault();
      this.#setHeight(height);
    };
    const onPointer = (event: PointerEvent): void => {
      if (event.buttons !== 1) return;
      const edge = event.currentTarget as HTMLElement;
      if (event.type === 'pointerdown') edge.setPointerCapture(event.pointerId);
      this.#setHeight(100 * (1 - event.clientY / innerHeight));
    };
    return html`<div class="edge" part="edge" role="separator" aria-orientation="horizontal" tabindex="0"
      aria-label=${texts.resize} aria-valuenow=${this.#height} aria-valuemin=${HEIGHT.least} aria-valuemax=${HEIGHT.most}
      @keydown=${onKey} @pointerdown=${onPointer} @pointermove=${onPointer}></div>`;
  }

  #setHeight(percent: number): void {
    this.#height = Math.round(Math.min(HEIGHT.most, Math.max(HEIGHT.least, percent)));
    this.#heightSheet.replaceSync(`.panel{block-size:${this.#height}dvh}`);
    this.#plan();
  }
}
