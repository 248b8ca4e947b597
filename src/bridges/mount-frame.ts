import type { SurfaceRuntime } from '../surface/runtime.js';
import { createPostMessageTransport } from '../transports/post-message.js';
import { watchPlace } from './frame-removal.js';
import type { MountedPlugin, PluginOptions } from './mount-plugin.js';
import { Plugin } from './plugin.js';

export { prefixOf } from './plugin-ids.js';

/** How the plugin in a frame takes part, and who it may be. */
export interface FrameOptions extends PluginOptions {
  /**
   * The frame's exact origin, such as `https://plugin.example`: messages of any other are ignored silently. `opaque`
   * for a frame that is sandboxed without `allow-same-origin`, which has none: then whatever document it shows is
   * trusted to be the plugin.
   */
  readonly allowOrigin: string;
}

/** A plugin in a frame. */
export interface MountedFrame extends Omit<MountedPlugin, 'attach'> {
  /**
   * Looks whether the frame was moved in the document, and so loads anew, or was taken out of it. It is seen by itself
   * a moment later.
   */
  refresh(): void;
}

/** What stands for the origin of a frame that has none. */
const OPAQUE = 'opaque';

/**
 * Lets the plugin in a frame take part in a page: `mountPlugin` over `postMessage`, for as long as the frame is there.
 * A document that is loaded into the frame takes its surfaces along when it goes; the next one brings its own.
 *
 * @throws {TypeError} for what is no exact origin, when the frame's `src` is of another, and when its `sandbox` leaves it
 * none. {Error} for a frame that is not in a document yet.
 */
export function mountFrame(
  runtime: SurfaceRuntime,
  frame: HTMLIFrameElement,
  { allowOrigin, ...options }: FrameOptions,
): MountedFrame {
  checkAddress(frame, allowOrigin);
  const origin = allowOrigin === OPAQUE ? { opaqueOrigin: true } : { targetOrigin: allowOrigin };
  const transportTo = (target: Window) => createPostMessageTransport(target, { side: 'agent', ...origin });

  let shown = frame.contentWindow;
  if (!shown) throw new Error('The frame has no window yet: put it into the document before it is mounted.');
  const first = transportTo(shown);
  const plugin = new Plugin(runtime, options);
  plugin.attach(first);
  const refresh = (): void => {
    const { contentWindow } = frame;
    if (contentWindow === shown) return;
    shown = contentWindow;
    if (contentWindow) plugin.attach(transportTo(contentWindow));
    else plugin.detach('its frame was taken out of the document');
  };
  const onLoad = (): void => {
    refresh();
    plugin.documentLoaded();
  };
  frame.addEventListener('load', onLoad);
  const unwatch = watchPlace(frame, refresh);

  return {
    prefix: plugin.prefix,
    get connected() {
      return plugin.connected;
    },
    get surfaceIds() {
      return plugin.surfaceIds;
    },
    refresh,
    unmount() {
      unwatch();
      frame.removeEventListener('load', onLoad);
      plugin.unmount();
    },
  };
}

/** What the frame is told to load is of the origin that it was allowed (specification §8.3.3). */
function checkAddress(frame: HTMLIFrameElement, allowOrigin: string): void {
  const sandbox = frame.getAttribute('sandbox');
  if (allowOrigin !== OPAQUE && sandbox !== null && !/(^|\s)allow-same-origin(\s|$)/i.test(sandbox)) {
    throw new TypeError(
      `The frame's sandbox is without allow-same-origin, so its page has no origin, and what is allowed is ${allowOrigin}: ` +
        `nothing would ever be taken from it. Allow "${OPAQUE}", or add allow-same-origin to the sandbox.`,
    );
  }
  if (allowOrigin === OPAQUE || !frame.getAttribute('src') || frame.hasAttribute('srcdoc')) return;
  const { origin } = new URL(frame.src);
  if (origin === allowOrigin) return;
  throw new TypeError(
    `The frame's src is of ${origin}, and what is allowed is ${allowOrigin}: nothing is taken from it. Give the address ` +
      'that it ends up at, and its origin.',
  );
}
