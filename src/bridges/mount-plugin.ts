import type { Transport } from '../protocol/ports.js';
import type { SurfaceRuntime } from '../surface/runtime.js';
import { Plugin } from './plugin.js';

/** How a plugin takes part in a page. */
export interface PluginOptions {
  /**
   * What the ids of the plugin's surfaces begin with: `<prefix>--<its own id>`. 1 to 30 of a-z, 0-9 and single dashes,
   * a letter first. Where another plugin of the runtime has it, a number is added: see `prefix` of what is returned.
   */
  readonly prefix: string;
  /** What agents and the user call the plugin; the names of its surfaces begin with it. Default: the prefix. */
  readonly name?: string | undefined;
  /** The plugin's end came (`true`) or went, and why where that is known. */
  readonly onConnection?: ((connected: boolean, reason?: string) => void) | undefined;
}

/** A plugin whose surfaces are mounted in a page's runtime. After `unmount` its methods do nothing. */
export interface MountedPlugin {
  readonly prefix: string;
  /** Whether the plugin's end is there. */
  readonly connected: boolean;
  /** The ids of its surfaces in this page. */
  readonly surfaceIds: readonly string[];
  /** Talks to the plugin over this transport from now on; the one before it is disconnected. */
  attach(transport: Transport): void;
  /** Takes its surfaces away and lets go of the transport. Open calls end `SURFACE_UNAVAILABLE`. Idempotent. */
  unmount(): void;
}

/**
 * Lets a plugin take part in a page: the surfaces that it registers over this transport (the `agent` side of one) are
 * mounted in the page's runtime under a prefix of their own, and calls of them are forwarded.
 *
 * The plugin is taken for a stranger. Its actions run as the page's own do: consent, rate, validation, the user's
 * approval (asked here, with this page's dialog) and the deadline are the runtime's. It cannot grant itself anything,
 * nor take the place of a surface of the page's or of another plugin's; what it sends and declares is bounded, and one
 * that goes beyond is cut off with a warning.
 *
 * @throws {TypeError} for what is no prefix.
 */
export function mountPlugin(runtime: SurfaceRuntime, transport: Transport, options: PluginOptions): MountedPlugin {
  const plugin = new Plugin(runtime, options);
  plugin.attach(transport);
  return plugin;
}
