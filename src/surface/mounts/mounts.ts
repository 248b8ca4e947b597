import { untracked } from '@preact/signals-core';
import type { OfferedForm } from '../../protocol/engine-config.js';
import type { OUIError } from '../../protocol/events.js';
import type { OUISurface } from '../../protocol/manifest.js';
import { SurfaceTexts } from '../../rules/surface-texts.js';
import { surfacesHashFromTexts } from '../../rules/surfaces-hash.js';
import { refusalNow } from './availability.js';
import { offeredManifest, sameConditions, UNCONDITIONAL } from './conditions.js';
import type { ConditionalMount, Conditions } from './conditions.js';
import type { Advise } from '../definition/advice.js';
import { SURFACE_BRAND } from '../definition/definition.js';
import type { ActionDefinition, DefinedSurface } from '../definition/definition.js';
import type { RunnableMount } from '../requests/runnable-mount.js';

/** One mount of a surface. */
export class Mount implements RunnableMount, ConditionalMount {
  readonly mountId: number;
  readonly getContext: () => never;
  readonly target: EventTarget | undefined;
  #surface: DefinedSurface<never>;
  #conditions: Conditions = UNCONDITIONAL;
  #manifest: OUISurface | undefined;
  #texts: SurfaceTexts | undefined;

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
    this.#manifest = this.#texts = undefined;
  }

  /** As it is offered now: with what the functions in its definition said last. */
  get manifest(): OUISurface {
    return (this.#manifest ??= offeredManifest(this.#surface, this.#conditions));
  }

  get conditions(): Conditions {
    return this.#conditions;
  }

  /** Where an observation is looked up: the manifest, unless the surface takes undeclared ones. */
  declaring(observationId: string): OUISurface {
    const { manifest } = this;
    const { observations = [] } = manifest;
    if (!this.#surface[SURFACE_BRAND].undeclaredObservations) return manifest;
    if (observations.some(({ id }) => id === observationId)) return manifest;
    return { ...manifest, observations: [...observations, { id: observationId, description: '', schema: {} }] };
  }

  get texts(): SurfaceTexts {
    return (this.#texts ??= new SurfaceTexts(this.manifest));
  }

  /** @returns whether the manifest is another now. */
  setConditions(conditions: Conditions): boolean {
    if (sameConditions(this.#conditions, conditions)) return false;
    this.#conditions = conditions;
    this.#manifest = this.#texts = undefined;
    return true;
  }

  refusalNow(action: ActionDefinition<never>): OUIError | undefined {
    return untracked(() => refusalNow(this, action));
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
  /** In which form surfaces are offered, and hashed. */
  readonly form: OfferedForm;

  readonly #advise: Advise;

  constructor(form: OfferedForm, advise: Advise = () => {}) {
    this.form = form;
    this.#advise = advise;
  }

  add(surface: DefinedSurface<never>, getContext: () => never, target?: EventTarget): Mount {
    const mount = new Mount(++this.#lastId, surface, getContext, target);
    const stack = this.#stacks.get(surface.id);
    if (stack) stack.push(mount);
    else this.#stacks.set(surface.id, [mount]);
    this.#byId.set(mount.mountId, mount);
    this.changed();
    this.#advise(surface);
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
    return (this.#hash ??= surfacesHashFromTexts(this.offered().map(({ texts }) => texts.sorted(this.form))));
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
