import type { Release } from '../src/protocol/ports.js';
import type { SurfaceRuntime } from '../src/surface/runtime.js';
import { loadInspector } from './inspector-loader.js';
import type { InspectorTexts, InspectorView } from './inspector-loader.js';
import { FLAG, OuiElement, RICH } from './oui-element.js';
import { followRuntime } from './runtime-context.js';

/**
 * Shows a developer, and a user who wants to know, what agents may do on this page and what they do: surfaces and their
 * actions, each with a form to try it; calls with their timing, outcome, and what the result waited for; frames; values
 * of observations; the connection and its budgets; and switches that say what agents may use.
 *
 * It looks into the runtime that it finds in the page, or into `.runtime`. Its code is loaded when the element is
 * connected, and nothing of it before. A button opens it; Escape closes it. It shows what agents see, and no more. Of
 * parameters and results, what any part of their schema calls a password, or `writeOnly`, is hidden in what it keeps and
 * exports. What happens in the page is drawn a few times a second, and only where it is to be seen.
 *
 * @tag oui-inspector
 * @attr {boolean} open - Shows the panel; without it a button that opens it.
 * @csspart button - The button that opens it.
 * @csspart panel - The panel.
 * @csspart edge - Its upper edge, which is moved with a pointer or the arrow keys.
 * @csspart close - The button that closes it.
 * @csspart tree - The surfaces and actions.
 * @csspart form - The form to try an action.
 * @csspart run - The button that runs it.
 * @csspart result - What came of it.
 * @csspart error - What is wrong with one value.
 * @csspart switch - A switch of the user's.
 * @csspart value - A value, as JSON.
 * @csspart calls - The list of calls.
 * @csspart frames - The list of frames.
 * @csspart observations - The list of observations.
 * @csspart log - What else happened.
 * @csspart clear - The button that empties a list.
 * @csspart export - The button that saves the log as a file.
 * @csspart pause - The button that pauses the list of frames.
 * @cssprop --oui-color-scheme - `light`, `dark`, or (default) `light dark`, as the user prefers.
 * @cssprop --oui-surface - Background.
 * @cssprop --oui-text - Text.
 * @cssprop --oui-muted - Text of less weight.
 * @cssprop --oui-field - Background of values.
 * @cssprop --oui-border - Border.
 * @cssprop --oui-radius - Radius of the corners.
 * @cssprop --oui-accent - Background of the button that runs an action, and of what is chosen.
 * @cssprop --oui-on-accent - Text of that button.
 * @cssprop --oui-focus - Outline of what has the focus.
 * @cssprop --oui-font - Family of the texts.
 * @cssprop --oui-mono - Family of ids and values.
 */
export class OuiInspectorElement extends OuiElement {
  static override readonly tag = 'oui-inspector';

  static override properties = {
    open: { ...FLAG, reflect: true },
    texts: RICH,
    runtime: RICH,
  };

  declare open: boolean;
  /** Texts in place of the English ones; any of them. */
  declare texts: Partial<InspectorTexts> | null;
  /** The runtime to look into, instead of the one that is found in the page. */
  declare runtime: SurfaceRuntime | null;

  #found: SurfaceRuntime | null = null;
  #unfollow: Release | null = null;
  #view: InspectorView | null = null;

  protected override enter(): void {
    this.moved();
    void loadInspector().then((module) => {
      if (!module || !this.#unfollow || this.#view) return;
      this.#view = module.openInspector(this);
      this.#view.follow(this.runtime ?? this.#found);
    });
  }

  protected override moved(): void {
    this.#unfollow?.();
    this.#unfollow = followRuntime(this, (found) => {
      this.#found = found?.runtime ?? null;
      this.requestUpdate();
    });
  }

  override adoptedCallback(): void {
    super.adoptedCallback();
    this.#view?.restyle();
  }

  protected override leave(): void {
    this.#unfollow?.();
    this.#unfollow = null;
    this.#view?.close();
    this.#view = null;
  }

  protected override updated(): void {
    this.#view?.follow(this.runtime ?? this.#found);
    this.#view?.update();
  }
}
