import type { Release } from '../src/protocol/ports.js';
import type { SurfaceRuntime } from '../src/surface/runtime.js';
import { warnMarkup } from './markup-warning.js';
import { FLAG, OuiElement, TEXT } from './oui-element.js';
import { followRuntime } from './runtime-context.js';

/**
 * Keeps the results of actions waiting while something is still under way: work that the runtime cannot see.
 * It holds while `active`, and while an element of its document (or shadow root) matches `while`.
 *
 * @tag oui-hold
 * @attr {boolean} active - Holds as long as it is there.
 * @attr {string} while - A selector, such as `.spinner`. Looked at again whenever elements or attributes change.
 */
export class OuiHoldElement extends OuiElement {
  static override readonly tag = 'oui-hold';

  static override properties = { active: FLAG, while: TEXT };

  declare active: boolean;
  declare while: string;

  #runtime: SurfaceRuntime | null = null;
  #unfollow: Release | null = null;
  #release: Release | null = null;
  #observer: MutationObserver | null = null;

  protected override enter(): void {
    this.#unfollow = followRuntime(this, (found) => {
      this.#let();
      this.#runtime = found?.runtime ?? null;
      this.#check();
    });
    this.#watch();
  }

  protected override moved(): void {
    this.leave();
    this.enter();
  }

  protected override leave(): void {
    this.#unfollow?.();
    this.#unfollow = null;
    this.#runtime = null;
    this.#observer?.disconnect();
    this.#observer = null;
    this.#let();
  }

  protected override updated(): void {
    if (this.#unfollow) this.#watch();
  }

  #watch(): void {
    this.#observer?.disconnect();
    this.#observer = null;
    if (this.while) {
      this.#observer = new MutationObserver(() => this.#check());
      this.#observer.observe(this.getRootNode(), { subtree: true, childList: true, attributes: true });
    }
    this.#check();
  }

  #check(): void {
    if (!this.active && !this.#matches()) return this.#let();
    const name = this.while && !this.active ? `<oui-hold while="${this.while}">` : '<oui-hold active>';
    this.#release ??= this.#runtime?.hold(name) ?? null;
  }

  #let(): void {
    this.#release?.();
    this.#release = null;
  }

  #matches(): boolean {
    if (!this.while) return false;
    try {
      return (this.getRootNode() as ParentNode).querySelector(this.while) !== null;
    } catch {
      warnMarkup(this, 'has no valid CSS selector in its while attribute and never holds by it.');
      return false;
    }
  }
}
