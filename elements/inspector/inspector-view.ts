import { html, nothing, render } from 'lit';
import type { TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import type { SurfaceRuntime } from '../../src/surface/runtime.js';
import { styleRoot } from '../document-styles.js';
import { Amounts } from './amounts.js';
import { callsView } from './calls-view.js';
import { connectionView } from './connection-view.js';
import { DrawSchedule } from './draw-schedule.js';
import type { Drawing } from './drawing.js';
import { framesView } from './frames-view.js';
import { InspectorState } from './inspector-state.js';
import type { Change } from './inspector-state.js';
import { INSPECTOR_STYLES } from './inspector-styles.js';
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

/** Which changes concern what a tab shows. The user's own concern every one, and so does the connection. */
const CONCERNS: { readonly [tab in TabId]: readonly Change[] } = {
  surfaces: ['surfaces'], calls: ['calls'], frames: ['frames'], observations: ['surfaces', 'values'], connection: [],
};
/** Changes that the row of tabs counts. */
const COUNTED: readonly Change[] = ['calls', 'frames'];

/** Heights of the panel, in percent of the window, and how far an arrow key moves its edge. */
const HEIGHT = { least: 20, first: 45, most: 90, step: 5 };
/** How often a tab that shows how long ago something was is drawn anew, ms. */
const TICK_MS = 1_000;

/**
 * Draws an inspector into its element. What happens in the page is drawn a few times a second, and only where it is to
 * be seen: in the tab that is open. A closed inspector draws nothing but its button.
 */
export class InspectorView {
  readonly #host: InspectorHost;
  readonly #state = new InspectorState((change) => this.#plan(change));
  readonly #schedule = new DrawSchedule(() => this.#draw(), () => this.#window);
  #heightSheet: CSSStyleSheet | undefined;
  #amounts: Amounts;
  #texts: InspectorTexts = ENGLISH;
  #givenTexts: Partial<InspectorTexts> | null = null;
  #language = '';
  /** Counts what changed of the tab that is open. */
  #version = 0;
  #wanted: string | undefined;
  #height = HEIGHT.first;
  /** The panel, and whether it is to be seen: the element or something around it may be hidden. */
  #panelSeen = true;
  #watched: Element | null = null;
  readonly #watch = new IntersectionObserver((entries) => this.#see(entries.at(-1)!.isIntersecting));
  #ticking: ReturnType<typeof setTimeout> | undefined;

  constructor(host: InspectorHost) {
    this.#host = host;
    this.#amounts = new Amounts(this.#language);
    this.restyle();
  }

  get #window(): Window & typeof globalThis {
    return this.#host.ownerDocument.defaultView ?? window;
  }

  /** Gives the element its styles; again when it has come into another document, whose window draws from then on. */
  restyle(): void {
    styleRoot(this.#host, INSPECTOR_STYLES);
    const { shadowRoot } = this.#host;
    this.#heightSheet = new this.#window.CSSStyleSheet();
    if (shadowRoot && this.#host.ownerDocument.defaultView) {
      shadowRoot.adoptedStyleSheets = [...shadowRoot.adoptedStyleSheets, this.#heightSheet];
    }
    this.#watched = null;
    this.#setHeight(this.#height);
    this.#schedule.again();
  }

  /** Looks into this runtime from now on. */
  follow(runtime: SurfaceRuntime | null): void {
    this.#state.follow(runtime);
  }

  /** A property of the element changed. */
  update(): void {
    this.#plan('view');
  }

  /** The element is out of the page. */
  close(): void {
    this.#schedule.end();
    this.#watch.disconnect();
    clearTimeout(this.#ticking);
    this.#state.release();
    render(nothing, this.#host.renderRoot as HTMLElement);
  }

  #plan(change: Change): void {
    const everywhere = change === 'view' || change === 'connection';
    if (!everywhere && !this.#host.open) return;
    const concerned = everywhere || CONCERNS[this.#state.tab].includes(change);
    if (concerned) this.#version += 1;
    if (change === 'view') this.#schedule.soon();
    else if (this.#panelSeen && (concerned || COUNTED.includes(change))) this.#schedule.later();
  }

  /** Whoever is seen again shows what is now. */
  #see(seen: boolean): void {
    if (seen && !this.#panelSeen) this.#plan('view');
    if (!seen) this.#schedule.hold();
    this.#panelSeen = seen;
  }

  #draw(): void {
    const { document } = this.#window;
    const language = this.#host.lang || document.documentElement.lang;
    if (language !== this.#language) {
      this.#language = language;
      this.#amounts = new Amounts(language);
      this.#version += 1;
    }
    const { open, texts } = this.#host;
    if (texts !== this.#givenTexts) {
      this.#givenTexts = texts;
      this.#texts = { ...ENGLISH, ...texts };
    }
    const drawing: Drawing = {
      state: this.#state,
      texts: this.#texts,
      amounts: this.#amounts,
      document,
      save: (name, text) => saveFile(document, name, text),
      focus: (selector) => {
        this.#wanted = selector;
        this.#plan('view');
      },
    };
    render(open ? this.#panel(drawing) : this.#button(drawing), this.#host.renderRoot as HTMLElement);
    this.#watchPanel();
    this.#tick(open && this.#state.tab === 'observations');
    const wanted = this.#wanted;
    this.#wanted = undefined;
    if (wanted !== undefined) this.#host.renderRoot.querySelector<HTMLElement>(wanted)?.focus();
  }

  #watchPanel(): void {
    const panel = this.#host.renderRoot.querySelector('.panel');
    if (panel === this.#watched) return;
    this.#watch.disconnect();
    this.#watched = panel;
    this.#panelSeen = true;
    if (panel) this.#watch.observe(panel);
  }

  /** A tab that shows how long ago something was is drawn again. */
  #tick(ticks: boolean): void {
    clearTimeout(this.#ticking);
    this.#ticking = ticks ? setTimeout(() => this.#plan('values'), TICK_MS) : undefined;
  }

  #toggle(open: boolean): void {
    this.#host.open = open;
    this.#wanted = open ? '[role=tab][aria-selected=true]' : '.launcher';
    this.#plan('view');
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
        ${guard([this.#version], () => (state.runtime ? view(drawing) : html`<p class="empty">${texts.noRuntime}</p>`))}
      </div>
    </section>`;
  }

  #tab({ state, texts, amounts }: Drawing, tab: TabId): TemplateResult {
    const chosen = state.tab === tab;
    const total = tab === 'calls' ? state.calls.size : tab === 'frames' ? state.frames.total.count : 0;
    const count = total > 0 ? amounts.count(total) : undefined;
    // Read as they stand, name and number would run into one word.
    const name = count === undefined ? nothing : texts.tabWithCount(texts.tabs[tab], count);
    return html`<button type="button" role="tab" id=${`tab-${tab}`} aria-label=${name}
      aria-selected=${chosen ? 'true' : 'false'} aria-controls=${chosen ? 'panel' : nothing}
      tabindex=${chosen ? 0 : -1} @click=${() => this.#choose(tab)}>
      ${texts.tabs[tab]}${count === undefined ? nothing : html` <span class="count">${count}</span>`}
    </button>`;
  }

  #choose(tab: TabId, focused = false): void {
    this.#state.tab = tab;
    // Where there is no room for all of them it may be half hidden.
    this.#host.renderRoot.querySelector(`#tab-${tab}`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    if (focused) this.#wanted = `#tab-${tab}`;
    this.#plan('view');
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
      this.#setHeight(100 * (1 - event.clientY / this.#window.innerHeight));
    };
    return html`<div class="edge" part="edge" role="separator" aria-orientation="horizontal" tabindex="0"
      aria-label=${texts.resize} aria-valuenow=${this.#height} aria-valuemin=${HEIGHT.least} aria-valuemax=${HEIGHT.most}
      @keydown=${onKey} @pointerdown=${onPointer} @pointermove=${onPointer}></div>`;
  }

  #setHeight(percent: number): void {
    this.#height = Math.round(Math.min(HEIGHT.most, Math.max(HEIGHT.least, percent)));
    this.#heightSheet?.replaceSync(`.panel{block-size:${this.#height}dvh}`);
    this.#plan('view');
  }
}
