import { messageOf } from '../src/protocol/error-message.js';
import type { Release } from '../src/protocol/ports.js';
import { warnOnce } from '../src/protocol/warn-once.js';
import * as WARNINGS from '../src/protocol/warning-codes.js';
import type { SurfaceRuntime } from '../src/surface/runtime.js';
import { keepPause, keptPause } from './kept-pause.js';
import { allowedValue } from './markup-warning.js';
import { OuiElement, RICH, TEXT } from './oui-element.js';
import type { PresenceHost, PresencePanel } from './presence-panel.js';
import type { PresenceTexts } from './presence-texts.js';
import { followRuntime, runtimesIn, whenRuntimesChange } from './runtime-context.js';
import { addSign } from './stop-signs.js';
import type { StopSign } from './stop-signs.js';
import { runtimeWiring } from './wiring.js';

const PLACES = ['bottom-end', 'bottom-start', 'top-end', 'top-start', 'inline'] as const;

/**
 * A small sign that an agent is connected, and what it does at the moment, with a button to pause and one to stop.
 * Nothing is to be seen while no agent is connected.
 *
 * Pausing refuses what agents ask for from then on; stopping ends what they are doing as well, jobs too: the signals of
 * handlers abort. Both hold until the user resumes, over reloads of the tab too. They are about agents: the page's own
 * `runtime.execute` goes on.
 *
 * It speaks for all runtimes of its document, or for its `.runtime` alone.
 *
 * @tag oui-presence
 * @attr {'bottom-end'|'bottom-start'|'top-end'|'top-start'|'inline'} place - In which corner of the window it stands;
 * default `bottom-end`. `inline`: where it is in the page.
 * @csspart sign - The sign as a whole.
 * @csspart dot - What shows the state: quiet, acting, asking, paused.
 * @csspart text - What goes on.
 * @csspart more - How many other actions run.
 * @csspart pause - The button that pauses.
 * @csspart resume - The same one, while agents are paused.
 * @csspart stop - The button that stops. There is none while nothing runs and nothing has just run.
 * @cssprop --oui-color-scheme - `light`, `dark`, or (default) `light dark`, as the user prefers.
 * @cssprop --oui-surface - Background.
 * @cssprop --oui-text - Text.
 * @cssprop --oui-muted - Text of less weight.
 * @cssprop --oui-border - Border.
 * @cssprop --oui-accent - The dot while an agent acts.
 * @cssprop --oui-attention - The dot while the user is asked, and while agents are paused.
 * @cssprop --oui-danger - Background of the button that stops.
 * @cssprop --oui-on-danger - Its text.
 * @cssprop --oui-focus - Outline of what has the focus.
 * @cssprop --oui-font - Family of the texts.
 * @cssprop --oui-layer - Its `z-index`.
 */
export class OuiPresenceElement extends OuiElement implements PresenceHost, StopSign {
  static override readonly tag = 'oui-presence';

  static override properties = { place: TEXT, texts: RICH, runtime: RICH };

  declare place: string;
  /** Texts in place of the English ones; any of them. */
  declare texts: Partial<PresenceTexts> | null;
  /** The one runtime that it speaks for, instead of all of its document. */
  declare runtime: SurfaceRuntime | null;

  #nearest: SurfaceRuntime | null = null;
  #unfollow: Release | null = null;
  #panel: PresencePanel | null = null;
  #asked = false;
  #failed = false;
  /** Once each: whoever resumes one that was met has the last word. */
  readonly #met = new WeakSet<SurfaceRuntime>();

  /** Under which name the user's word is kept: one for the page, and one for each sign with a runtime of its own. */
  get sign(): string {
    return this.runtime ? this.id || 'own' : '';
  }

  get speaksForAll(): boolean {
    return !this.runtime;
  }

  /** Whether its user can resume agents by it: it is not hidden, and nothing keeps it from being drawn. */
  get serves(): boolean {
    if (!this.isConnected || this.#failed || this.hidden) return false;
    // Until its code is there it draws nothing.
    return this.#panel === null || getComputedStyle(this).display !== 'none';
  }

  /**
   * Stops agents, as its button does: what they are doing is ended, and what they ask for is refused until the user
   * resumes, over reloads of the tab too. For a page that has a place of its own to say so; it cannot be undone by
   * another call.
   */
  stop(): void {
    keepPause('stopped', this.sign);
    for (const runtime of this.#runtimes()) runtime.stop();
    this.#panel?.stopped();
  }

  protected override enter(): void {
    const releases = [
      addSign(this),
      followRuntime(this, (found) => {
        this.#nearest = found?.runtime ?? null;
        this.requestUpdate();
      }),
      whenRuntimesChange(this.ownerDocument, () => this.requestUpdate()),
    ];
    this.#unfollow = () => releases.forEach((release) => release());
    this.requestUpdate();
  }

  protected override moved(): void {
    this.#unfollow?.();
    this.enter();
  }

  protected override leave(): void {
    this.#unfollow?.();
    this.#unfollow = this.#nearest = null;
    this.#panel?.release();
  }

  override adoptedCallback(): void {
    super.adoptedCallback();
    this.#panel?.restyle();
  }

  protected override updated(): void {
    if (!this.#unfollow) return;
    allowedValue(this, 'place', this.place, PLACES);
    const runtimes = this.#runtimes();
    // What the user has said in an earlier document holds from the start, whenever the code comes that draws it.
    for (const runtime of runtimes) {
      if (this.#met.has(runtime)) continue;
      this.#met.add(runtime);
      if (keptPause(this.sign) && !runtime.paused) runtime.pause();
    }
    if (this.#panel) this.#panel.show(runtimes);
    else if (runtimes.length > 0 && !this.#asked) void this.#load();
  }

  #runtimes(): SurfaceRuntime[] {
    if (this.runtime) return [this.runtime];
    return [...new Set([...runtimesIn(this.ownerDocument), ...this.#nearest ? [this.#nearest] : []])];
  }

  async #load(): Promise<void> {
    this.#asked = true;
    try {
      const { PresencePanel: Panel } = await runtimeWiring().loadPresence();
      this.#panel = new Panel(this);
      this.requestUpdate();
    } catch (error) {
      this.#failed = true;
      warnOnce(WARNINGS.PRESENCE_UNAVAILABLE, 'The code that draws <oui-presence> could not be loaded '
        + `(${messageOf(error)}), so the user can neither see nor stop what agents do by it. Put oui.presence.js beside `
        + 'oui.js, and let a trusted-types policy of the page name oui (lit-html in a bundle of your own).');
    }
  }
}
