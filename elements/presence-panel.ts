import { html, nothing, render } from 'lit/html.js';
import type { TemplateResult } from 'lit/html.js';
import * as LIMITS from '../src/protocol/limits.js';
import type { SurfaceRuntime } from '../src/surface/runtime.js';
import { styleRoot } from './document-styles.js';
import { keepPause, keptPause } from './kept-pause.js';
import { PresenceCalls } from './presence-calls.js';
import type { PresentCall } from './presence-calls.js';
import { PRESENCE_STYLES } from './presence-styles.js';
import { ENGLISH } from './presence-texts.js';
import type { PresenceTexts } from './presence-texts.js';

/** The element that is drawn into. */
export interface PresenceHost extends HTMLElement {
  readonly texts: Partial<PresenceTexts> | null;
  readonly place: string;
  /** Under which name the user's word is kept for the tab. */
  readonly sign: string;
  /** The user has pressed the button that stops. */
  stop(): void;
}

/** Draws an `<oui-presence>`, until released. */
export class PresencePanel {
  readonly #host: PresenceHost;
  readonly #calls = new PresenceCalls((began) => this.#changed(began), () => this.#onResumed());
  #planned = false;
  /** A pointer is down on the sign. */
  #held = false;
  #spoken = '';
  #spokeAt = -Infinity;
  #pausedAt = -Infinity;

  constructor(host: PresenceHost) {
    this.#host = host;
    this.restyle();
  }

  /** Shows these runtimes from now on. */
  show(runtimes: readonly SurfaceRuntime[]): void {
    this.#calls.follow(runtimes);
    this.#plan();
  }

  /** Agents were stopped. */
  stopped(): void {
    this.#say(this.#texts.spokenStopped);
  }

  /** The element has come into another document. */
  restyle(): void {
    styleRoot(this.#host, PRESENCE_STYLES);
  }

  release(): void {
    this.#calls.end();
    this.#held = false;
    this.#plan();
  }

  get #texts(): PresenceTexts {
    return { ...ENGLISH, ...this.#host.texts };
  }

  get #paused(): boolean {
    return this.#calls.runtimes.some(({ paused }) => paused);
  }

  /** By an inspector, a sign of the page's own, or this one: the word that was kept must not pause them once more. */
  #onResumed(): void {
    if (!this.#paused) keepPause(null, this.#host.sign);
  }

  #changed(began: boolean): void {
    if (began && !this.#paused && performance.now() - this.#spokeAt >= LIMITS.presenceSpeechMs) {
      this.#spokeAt = performance.now();
      this.#spoken = this.#texts.spokenActing(this.#name(this.#calls.running[0]!));
    }
    this.#plan();
  }

  /** What happens in one task is drawn once. */
  #plan(): void {
    if (this.#planned) return;
    this.#planned = true;
    queueMicrotask(() => {
      this.#planned = false;
      if (!this.#held) render(this.#template(), this.#host.shadowRoot!);
    });
  }

  /**
   * Nothing moves under a pointer that is down: a button that comes or goes shifts the one that was pressed, and its
   * click would be lost, or another's.
   */
  #hold(): void {
    if (this.#held) return;
    this.#held = true;
    const { defaultView: view } = this.#host.ownerDocument;
    const ended = new AbortController();
    const end = (): void => {
      ended.abort();
      this.#held = false;
      this.#plan();
    };
    // The click comes in the same task as the end of its press, or in one that is queued by then.
    for (const type of ['pointerup', 'pointercancel']) {
      view?.addEventListener(type, () => setTimeout(end), { capture: true, signal: ended.signal });
    }
  }

  #template(): TemplateResult {
    // The live region stays: a screen reader hears only what changes in one that is there.
    return html`<div class="place" data-place=${this.#host.place || 'bottom-end'}>${this.#sign()}
      <p class="unseen" role="status">${this.#spoken}</p></div>`;
  }

  #sign(): TemplateResult | typeof nothing {
    const texts = this.#texts;
    const { running, last, runtimes } = this.#calls;
    const paused = this.#paused;
    const connected = runtimes.some(({ connection }) => connection === 'connected');
    if (!paused && !connected && running.length === 0 && !last) return nothing;
    const call = running.find(({ asking }) => asking) ?? running[0];
    const state = paused ? 'paused' : !call ? 'idle' : call.asking ? 'asking' : 'acting';
    const quiet = state === 'idle' ? ' quiet' : '';
    // A button stays while it has the focus: a key that was meant for it must not meet another. And for a moment after
    // a call: one follows the other, and who reaches for the button must find it.
    const focused = this.#host.shadowRoot!.activeElement?.classList.contains('stop') === true;
    const more = running.length - 1;
    const text = this.#text(paused, call, last);
    return html`<div class="sign${quiet}" part="sign" role="region" aria-label=${texts.label} data-state=${state}
      @pointerdown=${() => this.#hold()}>
      <span class="dot" part="dot" aria-hidden="true"></span>
      <span class="words">
        <span class="text" part="text" title=${text}>${text}</span>
        ${more > 0 ? html`<span class="more" part="more">${texts.more(more)}</span>` : nothing}
      </span>
      <span class="buttons">
        <button type="button" class="pause" part=${paused ? 'resume' : 'pause'}
          title=${paused ? texts.resumeHint : texts.pauseHint} data-other=${paused ? texts.pause : texts.resume}
          @click=${() => (paused ? this.#resume() : this.#pause())}>${paused ? texts.resume : texts.pause}</button>
        ${call || last || focused ? html`<button type="button" class="stop" part="stop" title=${texts.stopHint}
          @click=${() => this.#host.stop()} @blur=${() => this.#plan()}>${texts.stop}</button>` : nothing}
      </span>
    </div>`;
  }

  #text(paused: boolean, call: PresentCall | undefined, last: PresentCall | null): string {
    const texts = this.#texts;
    if (paused && call) return texts.stillRunning(this.#name(call));
    if (paused) return keptPause(this.#host.sign) === 'stopped' ? texts.stopped : texts.paused;
    if (call) return call.asking ? texts.asking(this.#name(call)) : texts.acting(this.#name(call));
    return last ? texts.ended(this.#name(last)) : texts.connected;
  }

  #name({ action }: PresentCall): string {
    return action ?? this.#texts.reading;
  }

  #pause(): void {
    keepPause('paused', this.#host.sign);
    for (const runtime of this.#calls.runtimes) runtime.pause();
    this.#say(this.#texts.spokenPaused);
  }

  #resume(): void {
    // The second press of a double one, or of a key that is held down, was no decision.
    if (performance.now() - this.#pausedAt < LIMITS.approvalArmingMs) return;
    keepPause(null, this.#host.sign);
    for (const runtime of this.#calls.runtimes) runtime.resume();
    this.#spoken = this.#texts.spokenResumed;
    this.#plan();
  }

  #say(text: string): void {
    this.#pausedAt = performance.now();
    this.#spoken = text;
    this.#plan();
  }
}
