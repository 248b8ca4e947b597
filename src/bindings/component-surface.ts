import type { OUIActionResult } from '../protocol/events.js';
import { releaseMount, takeMount } from './hosted-mounts.js';
import type { HostedMount } from './hosted-mounts.js';
import type { MountableSurface, SurfaceHost } from './surface-host.js';

/** What a component has of its surface. The same object for as long as the component lives. */
export interface SurfaceHandle {
  readonly surfaceId: string;
  /**
   * The new value of an observation; an equal one is not sent again. While the surface is not mounted the value is kept
   * for when it is.
   * @throws {Error} when the surface is mounted and does not declare it.
   */
  pushObservation(this: void, observationId: string, value: unknown): void;
  /** Runs an action of this surface as an agent would, without the `accept` gate. Always resolves. */
  execute(this: void, actionId: string, params?: unknown): Promise<OUIActionResult>;
}

/** The surface of one component: mounted while the component shows it, with the values that it was given meanwhile. */
export class ComponentSurface {
  readonly #readContext: () => unknown;
  /** By observation id, the newest value: for a mount that is still to come, and for the one after it. */
  readonly #values = new Map<string, unknown>();
  #host: SurfaceHost | null = null;
  #mount: HostedMount | null = null;

  /** `readContext` is called for each request: it gives what its handler gets as the second argument. */
  constructor(readContext: () => unknown) {
    this.#readContext = readContext;
  }

  /**
   * Mounts the surface in place of the one before.
   * @throws {Error} when it does not declare an observation that has a value.
   */
  show(host: SurfaceHost, surface: MountableSurface<never>): void {
    this.hide();
    const mount = takeMount(host, surface, this.#readContext);
    this.#host = host;
    this.#mount = mount;
    for (const [observationId, value] of this.#values) mount.hosted.pushObservation(observationId, value);
  }

  /** Idempotent. Where `show` follows at once, an agent sees no gap. */
  hide(): void {
    if (this.#mount) releaseMount(this.#host!, this.#mount);
    this.#host = this.#mount = null;
  }

  /**
   * Asks the functions of the definition again, at once: an effect of the framework's in which this is called follows
   * what they read. Nothing while the surface is not mounted.
   */
  refresh(): void {
    this.#mount?.hosted.refresh?.();
  }

  /** The new value of an observation. */
  readonly pushObservation = (observationId: string, value: unknown): void => {
    this.#mount?.hosted.pushObservation(observationId, value);
    this.#values.set(observationId, value);
  };

  /** For frameworks whose components keep one handle: surface and runtime are asked for when they are needed. */
  handle(runtime: () => SurfaceHost, surfaceId: () => string): SurfaceHandle {
    return {
      get surfaceId() {
        return surfaceId();
      },
      pushObservation: this.pushObservation,
      execute: (actionId, params = {}) => runtime().execute({ surfaceId: surfaceId(), actionId, params }),
    };
  }
}
