import type { Release } from '../src/protocol/ports.js';
import { isDefinedSurface } from '../src/surface/definition/define-surface.js';
import type { DefinedSurface } from '../src/surface/definition/definition.js';
import type { ObservationSource } from '../src/surface/mounts/observation-source.js';
import type { MountedSurface, SurfaceRuntime } from '../src/surface/runtime.js';
import { ContainerElement } from './container-element.js';
import { documentParsed } from './document-parsed.js';
import { markupPreparation } from './markup-loader.js';
import { warnMarkup } from './markup-warning.js';
import { FLAG, JSON_OR_VALUE, RICH, TEXT } from './oui-element.js';
import type { OuiElement } from './oui-element.js';
import { adoptOrphans, answerParts, PART_HOST } from './part-element.js';
import type { PartElement, PartHost } from './part-element.js';
import { matchesLocation, watchRoute } from './route-watch.js';
import { followRuntime } from './runtime-context.js';
import type { FoundRuntime } from './runtime-context.js';
import { defineFromMarkup, splitRoutes } from './surface-markup.js';
import type { ObservedPart, SurfaceMarkup } from './surface-markup.js';
import { ToolForms } from './tool-forms.js';

/** A surface that misses something after this (ms) gets a warning: rendering is over by then. */
const UNUSED_MS = 1000;

/**
 * A part of the page that an agent can use: its `<oui-action>` and `<oui-observation>` descendants (specification §3),
 * and the forms in it that WebMCP's attributes `toolname` and `tooldescription` make actions.
 *
 * It is offered while it is connected, not `inactive`, and its `routes` match the address. It is registered once, when
 * all of its children are there; what changes in them later goes out as one update.
 *
 * @tag oui-surface
 * @attr {string} surface-id - Lowercase letters, digits and `-`; unique within the page. Required.
 * @attr {string} name - For people. Required.
 * @attr {string} description - What it is for, in one to three sentences: the agent chooses by it. Required.
 * @attr {string} version - Semantic version of this surface's contract.
 * @attr {string} routes - Path patterns, separated by spaces: `/todos` and, for what is below it, `/todos/**`.
 * `#/todos` for hash routers.
 * @attr {string} entity-type - The kind of thing that must be loaded. Documentation; use `inactive` when it is not.
 * @attr {string} entity-id - That thing's id.
 * @attr {string} condition - When it is active, in words. Documentation.
 * @attr {boolean} inactive - Not offered now.
 * @attr {boolean} concurrent - Several of its actions may run at once.
 * @attr {string} metadata - JSON object of the author's own.
 * @fires {OuiActionEvent} oui-action - Comes up from an action in it that an agent wants run, unless that has a handler.
 * @slot - The page's own content.
 */
export class OuiSurfaceElement extends ContainerElement implements PartHost, SurfaceMarkup {
  static override readonly tag = 'oui-surface';

  static override properties = {
    surfaceId: TEXT,
    name: TEXT,
    description: TEXT,
    version: TEXT,
    routes: TEXT,
    entityType: TEXT,
    entityId: TEXT,
    condition: TEXT,
    inactive: FLAG,
    concurrent: FLAG,
    metadata: JSON_OR_VALUE,
    surface: RICH,
    context: { ...RICH, initial: undefined },
    runtime: RICH,
  };

  declare surfaceId: string;
  declare name: string;
  declare description: string;
  declare version: string;
  /** A list, or patterns separated by spaces. */
  declare routes: string | readonly string[];
  declare entityType: string;
  declare entityId: string;
  declare condition: string;
  declare inactive: boolean;
  declare concurrent: boolean;
  /** An object, or its JSON. */
  declare metadata: { readonly [key: string]: unknown } | string | null;
  /** What `defineSurface` returned: it takes the place of attributes and children. `routes` still counts. */
  declare surface: DefinedSurface<never> | null;
  /** What handlers get as their second argument: a value, or a function that is called for each request. */
  declare context: unknown;
  /** The runtime to belong to, instead of the one that is found in the page. */
  declare runtime: SurfaceRuntime | null;

  readonly [PART_HOST] = 'oui-surface';
  readonly #parts = new Set<PartElement>();
  readonly #tools = new ToolForms(this, () => this.#plan(true));
  readonly #feeds = new Map<string, { readonly source: ObservationSource; readonly release: Release }>();
  #observed: readonly ObservedPart[] = [];
  #definition: DefinedSurface | null = null;
  #found: FoundRuntime | null = null;
  #mounted: MountedSurface | null = null;
  #mountedOn: SurfaceRuntime | null = null;
  #unfollow: Release | null = null;
  #unwatch: Release | null = null;
  /** The window whose address is watched. */
  #watched: Window | null = null;
  #parsed = false;
  #planned = false;
  #dirty = true;

  constructor() {
    super();
    answerParts(this);
  }

  /** The surface while it is offered: for `pushObservation` and `observe` on one that came as `.surface`. */
  get mounted(): MountedSurface | null {
    return this.#mounted;
  }

  /** An action or observation came, went or changed. */
  partChanged(part: PartElement, present: boolean): void {
    if (present) this.#parts.add(part);
    else this.#parts.delete(part);
    this.#plan(true);
  }

  protected override enter(): void {
    this.moved();
    this.#tools.start();
    void documentParsed(this.ownerDocument).then(() => {
      this.#parsed = true;
      this.#plan();
      setTimeout(() => this.#warnUnused(), UNUSED_MS);
    });
    adoptOrphans(this);
  }

  protected override moved(): void {
    this.#watchRoute(this.ownerDocument.defaultView);
    this.#unfollow?.();
    this.#unfollow = followRuntime(this, (found) => {
      this.#found = found;
      this.#plan();
    });
  }

  protected override leave(): void {
    this.#watchRoute(null);
    this.#unfollow?.();
    this.#unfollow = this.#found = null;
    this.#tools.stop();
    // The forms' actions have ended with it.
    this.#dirty = true;
    this.#unmount();
  }

  /** The address that counts is that of the document where the element stands now. */
  #watchRoute(window: Window | null): void {
    if (window === this.#watched) return;
    this.#unwatch?.();
    this.#watched = window;
    this.#unwatch = window && watchRoute(() => this.#plan(), window);
    this.#plan();
  }

  protected override updated(): void {
    this.#plan(true);
  }

  /** Everything that happens in one task is taken together. */
  #plan(dirty = false): void {
    this.#dirty ||= dirty;
    if (this.#planned) return;
    this.#planned = true;
    void this.#whenUpdated().then(() => {
      this.#planned = false;
      this.#apply();
    });
  }

  /** Values that were set on an element before its class was there arrive with its first update. */
  async #whenUpdated(): Promise<void> {
    await Promise.resolve();
    const waited = new Set<OuiElement>();
    for (;;) {
      const connected: OuiElement[] = [this, ...this.#parts].filter((each) => each.isConnected);
      const waiting = connected.filter((each) => !each.hasUpdated && !waited.has(each));
      const preparations = this.#preparations();
      if (waiting.length + preparations.length === 0) return;
      // Each once: an element whose update throws never has updated.
      for (const each of waiting) waited.add(each);
      await Promise.all([...waiting.map((each) => each.updateComplete.catch(() => true)), ...preparations]);
    }
  }

  /** What is to be done here by code that is not loaded yet. */
  #preparations(): Promise<void>[] {
    if (this.surface) return [];
    const tools = this.#tools.forms().length > 0 ? markupPreparation() : null;
    return [tools, ...[...this.#parts].map((part) => part.isConnected ? part.preparation() : null)]
      .filter((each) => each !== null);
  }

  #apply(): void {
    const runtime = this.runtime ?? this.#found?.runtime ?? null;
    const offered = this.#parsed && this.#unfollow !== null && runtime !== null && !this.inactive;
    const changed = offered && this.#dirty;
    try {
      if (changed) {
        this.#dirty = false;
        this.#definition = null;
        this.#definition = this.#define();
      }
      const definition = offered && this.#routesMatch() ? this.#definition : null;
      if (!definition || runtime !== this.#mountedOn || definition.id !== this.#mounted?.surfaceId) this.#unmount();
      if (!definition || !runtime) return;
      if (!this.#mounted) {
        this.#mounted = runtime.mount(definition, () => this.#contextNow(), { target: this });
        this.#mountedOn = runtime;
      } else if (changed) {
        this.#dropFeeds(this.#observed);
        this.#mounted.update(definition);
      } else {
        // The context may be another.
        this.#mounted.refresh();
      }
      this.#feed(this.#mounted);
    } catch (error) {
      warnMarkup(this, `could not be offered: ${(error as Error).message}`);
    }
  }

  #unmount(): void {
    this.#dropFeeds([]);
    this.#mounted?.unmount();
    this.#mounted = this.#mountedOn = null;
  }

  #contextNow(): unknown {
    return typeof this.context === 'function' ? (this.context as () => unknown)() : this.context;
  }

  #routesMatch(): boolean {
    const routes = splitRoutes(this.routes) ?? splitRoutes(this.surface?.activation?.routes);
    const window = this.ownerDocument.defaultView;
    return !routes || !window || matchesLocation(routes, window.location, this.#found?.base ?? '');
  }

  /** Connects the observations' values, each to its newest source. */
  #feed(mounted: MountedSurface): void {
    for (const [id, element] of this.#observed) {
      const { source } = element;
      if (!source || this.#feeds.get(id)?.source === source) continue;
      try {
        this.#feeds.set(id, { source, release: mounted.observe(id, source) });
      } catch (error) {
        warnMarkup(element, `has no usable .signal: ${(error as Error).message}`);
      }
    }
  }

  /** Lets go of the values of observations that are not kept. */
  #dropFeeds(kept: readonly ObservedPart[]): void {
    for (const [id, { source, release }] of this.#feeds) {
      if (kept.some(([each, element]) => each === id && element.source === source)) continue;
      release();
      this.#feeds.delete(id);
    }
  }

  #define(): DefinedSurface | null {
    this.#observed = [];
    if (!this.surface) {
      const markup = defineFromMarkup(this, this.#parts, this.#tools);
      this.#observed = markup?.observed ?? [];
      return markup?.definition ?? null;
    }
    if (isDefinedSurface(this.surface)) {
      if (this.#parts.size > 0) warnMarkup(this, 'has a .surface; the actions and observations inside it are ignored.');
      return this.surface as unknown as DefinedSurface;
    }
    warnMarkup(this, 'has a .surface that does not come from defineSurface(…) and is not offered.');
    return null;
  }

  #warnUnused(): void {
    if (!this.isConnected || this.#mounted) return;
    if (!this.runtime && !this.#found) {
      warnMarkup(this, 'has no runtime and is not offered. Add <oui-runtime url="…"></oui-runtime> to the page.');
    } else if (!this.surface && this.#parts.size === 0 && this.#tools.forms().length === 0) {
      warnMarkup(this, this.querySelector('oui-action:not(:defined)')
        ? 'has <oui-action> children, but that element is not defined. Import "oui-elements/elements/define".'
        : 'has no <oui-action> inside, nor a form with toolname, and is not offered until it has one.');
    }
  }
}
