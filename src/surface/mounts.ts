import type { OUISurface } from '../protocol/manifest.js';
import { sortedJson, surfacesHashFromTexts } from '../rules/surfaces-hash.js';
import { SURFACE_BRAND } from './definition.js';
import type { DefinedSurface } from './definition.js';
import type { RunnableMount } from './request-runner.js';

/** One mount of a surface. */
export class Mount implements RunnableMount {
  readonly mountId: number;
  readonly getContext: () => never;
  readonly target: EventTarget | undefined;
  #surface: DefinedSurface<never>;
  #sortedText: string | undefined;

  constructor(mountId: number, surface: DefinedSurface<never>, getContext: () => never, target?: EventTarget) {
    this.mountId = mountId;
    this.#surface = surface;
    this.getContext = getContext;
    this.target = target;
  }

  get surface(): DefinedSurface<never> {
    return this.#surface;
  }

  set surface(surface: DefinedSurface<never>) {
    this.#surface = surface;
    this.#sortedText = undefined;
  }

  get manifest(): OUISurface {
    return this.#surface[SURFACE_BRAND].manifest;
  }

  /** The manifest as it is hashed. */
  get sortedText(): string {
    return (this.#sortedText ??= sortedJson(this.manifest));
  }
}

/**
 * What is mounted, in the order in which the ids were first mounted, and what of it the user has left switched on.
 * The engine keeps the same book; this one is here so that `snapshot` is synchronous.
 */
export class Mounts {
  readonly #stacks = new Map<string, Mount[]>();
  readonly #byId = new Map<number, Mount>();
  /** What the user switched off: `surface`, or `surface action`. Ids have no spaces. */
  readonly #off = new Set<string>();
  #lastId = 0;
  #offered: readonly Mount[] | undefined;
  #hash: string | undefined;

  add(surface: DefinedSurface<never>, getContext: () => never, target?: EventTarget): Mount {
    const mount = new Mount(++this.#lastId, surface, getContext, target);
    const stack = this.#stacks.get(surface.id);
    if (stack) stack.push(mount);
    else this.#stacks.set(surface.id, [mount]);
    this.#byId.set(mount.mountId, mount);
    this.changed();
    return mount;
  }

  /** @returns whether it was there. */
  remove({ mountId, surface: { id } }: Mount): boolean {
    if (!this.#byId.delete(mountId)) return false;
    const stack = this.#stacks.get(id)!.filter((mount) => mount.mountId !== mountId);
    if (stack.length > 0) this.#stacks.set(id, stack);
    else this.#stacks.delete(id);
    this.changed();
    return true;
  }

  has({ mountId }: Mount): boolean {
    return this.#byId.has(mountId);
  }

  byId(mountId: number): Mount | undefined {
    return this.#byId.get(mountId);
  }

  /** The mount that serves a surface id, switched off or not. */
  serving(surfaceId: string): Mount | undefined {
    return this.#stacks.get(surfaceId)?.at(-1);
  }

  /** Every mount, in the order of the ids; those of one id oldest first. A new engine that is told so has it too. */
  all(): Mount[] {
    return [...this.#stacks.values()].flat();
  }

  /** The mounts that serve, without the surfaces that are switched off. The same array while nothing changed. */
  offered(): readonly Mount[] {
    this.#offered ??= [...this.#stacks].flatMap(([id, stack]) => (this.#off.has(id) ? [] : [stack.at(-1)!]));
    return this.#offered;
  }

  /** PROTOCOL.md §4, of what is offered. */
  hash(): string {
    return (this.#hash ??= surfacesHashFromTexts(this.offered().map(({ sortedText }) => sortedText)));
  }

  /** Sets a switch of the user's. @returns whether it was set otherwise. */
  setConsent(surfaceId: string, actionId: string | null, allowed: boolean): boolean {
    const key = actionId === null ? surfaceId : `${surfaceId} ${actionId}`;
    if (this.#off.has(key) !== allowed) return false;
    if (allowed) this.#off.delete(key);
    else this.#off.add(key);
    this.changed();
    return true;
  }

  allowed(surfaceId: string, actionId: string | null): boolean {
    return !this.#off.has(surfaceId) && !(actionId !== null && this.#off.has(`${surfaceId} ${actionId}`));
  }

  switchedOff(): [surfaceId: string, actionId: string | undefined][] {
    return [...this.#off].map((key) => {
      const [surfaceId, actionId] = key.split(' ');
      return [surfaceId!, actionId];
    });
  }

  /** A manifest changed. */
  changed(): void {
    this.#offered = undefined;
    this.#hash = undefined;
  }
}
