import { unsafeCSS } from '@lit/reactive-element';
import type { CSSResultGroup } from '@lit/reactive-element';
import type { MountedFrame } from '../src/bridges/mount-frame.js';
import { messageOf } from '../src/protocol/error-message.js';
import type { Release } from '../src/protocol/ports.js';
import type { SurfaceRuntime } from '../src/surface/runtime.js';
import { afterRendering } from './after-rendering.js';
import { loadFrames } from './frame-loader.js';
import { warnMarkup } from './markup-warning.js';
import { OuiElement, TEXT } from './oui-element.js';
import { OuiFrameEvent } from './oui-frame-event.js';
import { followRuntime } from './runtime-context.js';

export { OuiFrameEvent } from './oui-frame-event.js';

/** What the sandbox of a frame without an origin allows by default: nothing but scripts. */
const OPAQUE = 'opaque';
const SCRIPTS_ONLY = 'allow-scripts';

/**
 * A plugin in a frame: the surfaces of its page join this page's, under a prefix of their own. The plugin is another
 * site's, and is not trusted: its user is asked here, and what it may do is what its actions declare.
 *
 * It shows the page at `src`, or an `<iframe>` of the author's own inside it. The plugin's page speaks with
 * `createPostMessageTransport(parent, { targetOrigin })`.
 *
 * @tag oui-frame
 * @attr {string} src - Address of the plugin's page. Of the origin that is allowed.
 * @attr {string} allow-origin - The plugin's exact origin, such as `https://plugin.example`; or `opaque` for a page that
 * is sandboxed and so has none. Messages of any other origin are ignored.
 * @attr {string} name - What agents and the user call the plugin, and the title of its frame for screen readers. By
 * default the `title`, of this element or of the iframe inside.
 * @attr {string} surface-prefix - What the ids of its surfaces begin with, such as `maps`. By default made of the name.
 * @attr {string} allow - What the frame may use, as an iframe's.
 * @attr {string} sandbox - As an iframe's. With `allow-origin="opaque"` by default `allow-scripts`.
 * @fires {OuiFrameEvent} oui-frame-connected - The plugin is there. Its surfaces follow.
 * @fires {OuiFrameEvent} oui-frame-disconnected - The plugin is gone, and its surfaces with it.
 * @slot - An `<iframe>` of the author's own, in place of `src`.
 * @csspart frame - The iframe of `src`.
 */
export class OuiFrameElement extends OuiElement {
  static override readonly tag = 'oui-frame';

  static override styles: CSSResultGroup = unsafeCSS(
    ':host{display:block}:host([hidden]){display:none}iframe{display:block;width:100%;height:100%;border:0}',
  );

  static override properties = {
    src: TEXT, allowOrigin: TEXT, name: TEXT, surfacePrefix: TEXT, allow: TEXT, sandbox: TEXT,
  };

  declare src: string;
  declare allowOrigin: string;
  declare name: string;
  declare surfacePrefix: string;
  declare allow: string;
  declare sandbox: string;

  #runtime: SurfaceRuntime | null = null;
  #unfollow: Release | null = null;
  #slot: HTMLSlotElement | null = null;
  #own: HTMLIFrameElement | null = null;
  #frame: HTMLIFrameElement | null = null;
  #mounted: MountedFrame | null = null;
  /** What the plugin was mounted with. */
  #key: readonly unknown[] = [];
  #round = 0;

  /** Whether the plugin is there. */
  get connected(): boolean {
    return this.#mounted?.connected ?? false;
  }

  /** The ids of its surfaces in this page. */
  get surfaceIds(): readonly string[] {
    return this.#mounted?.surfaceIds ?? [];
  }

  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    const root = super.createRenderRoot();
    this.#slot = this.ownerDocument.createElement('slot');
    this.#slot.addEventListener('slotchange', () => this.requestUpdate());
    root.replaceChildren(this.#slot);
    return root;
  }

  protected override enter(): void {
    this.#unfollow = followRuntime(this, (found) => {
      this.#runtime = found?.runtime ?? null;
      this.requestUpdate();
    });
    this.requestUpdate();
    afterRendering(this, () => {
      if (!this.#frame) warnMarkup(this, 'has neither a src nor an <iframe> inside, and shows nothing. Give it one.');
    });
  }

  protected override moved(): void {
    this.#unfollow?.();
    this.#unfollow = null;
    this.#mounted?.refresh();
    this.enter();
  }

  protected override leave(): void {
    this.#unfollow?.();
    this.#unfollow = null;
    this.#runtime = null;
    this.#unmount();
  }

  protected override updated(): void {
    if (!this.#unfollow) return;
    const frame = this.#frameNow();
    const key = [this.#runtime, frame, this.src, this.allowOrigin, this.#title(), this.surfacePrefix];
    if (key.every((each, index) => each === this.#key[index])) return;
    this.#unmount();
    this.#key = key;
    if (frame && this.#runtime && this.#isComplete(frame)) void this.#mount(this.#runtime, frame);
  }

  async #mount(runtime: SurfaceRuntime, frame: HTMLIFrameElement): Promise<void> {
    const round = ++this.#round;
    const frames = await loadFrames();
    if (!frames || round !== this.#round) return;
    const name = this.#title() || frame.title;
    try {
      this.#mounted = frames.mountFrame(runtime, frame, {
        allowOrigin: this.allowOrigin,
        prefix: this.surfacePrefix || frames.prefixOf(name),
        name,
        onConnection: (connected, reason) => this.dispatchEvent(new OuiFrameEvent(connected, reason)),
      });
    } catch (error) {
      warnMarkup(this, `takes no part in the page. ${messageOf(error)}`);
    }
  }

  #unmount(): void {
    this.#round += 1;
    this.#key = [];
    const mounted = this.#mounted;
    this.#mounted = null;
    mounted?.unmount();
  }

  /** The author's iframe, else one of `src`. */
  #frameNow(): HTMLIFrameElement | null {
    const given = [...this.children].find((child) => child.localName === 'iframe') as HTMLIFrameElement | undefined;
    if (given || !this.src) {
      this.#own?.remove();
      this.#own = null;
      this.#frame = given ?? null;
      return this.#frame;
    }
    const byDefault = this.allowOrigin === OPAQUE ? SCRIPTS_ONLY : null;
    const sandbox = this.getAttribute('sandbox') ?? (this.sandbox || byDefault);
    // A document keeps the sandbox that it was loaded with.
    if (this.#own && this.#own.getAttribute('sandbox') !== sandbox) {
      this.#own.remove();
      this.#own = null;
    }
    const frame = this.#own ?? this.ownerDocument.createElement('iframe');
    frame.part.value = 'frame';
    frame.title = this.#title();
    frame.allow = this.allow;
    if (sandbox !== null) frame.setAttribute('sandbox', sandbox);
    if (frame.getAttribute('src') !== this.src) frame.src = this.src;
    if (!this.#own) this.renderRoot.append(frame);
    this.#own = this.#frame = frame;
    return frame;
  }

  #title(): string {
    return this.name || this.title;
  }

  /** A mistake of the author's is told once. */
  #isComplete(frame: HTMLIFrameElement): boolean {
    if (!this.allowOrigin) {
      warnMarkup(this, 'needs allow-origin, the exact origin of its plugin, such as allow-origin="https://plugin.example"; '
        + 'nothing is taken from it without.');
      return false;
    }
    if (this.allowOrigin === OPAQUE && !isOpaque(frame)) {
      warnMarkup(this, 'has allow-origin="opaque", and its <iframe> has an origin: nothing is taken from it. Add '
        + 'sandbox="allow-scripts" to the <iframe>, without allow-same-origin, or give allow-origin that origin.');
    }
    if (!this.#title() && !frame.title) {
      warnMarkup(this, 'needs a name, which agents and its user call the plugin by, such as name="City map".');
      return false;
    }
    return true;
  }
}

/** As far as its element says: a document may be sandboxed by its own policy as well. */
function isOpaque({ sandbox, src }: HTMLIFrameElement): boolean {
  return src.startsWith('data:') || (sandbox.length > 0 && !sandbox.contains('allow-same-origin'));
}
