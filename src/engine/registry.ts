import { utf8Length } from '../protocol/byte-length.js';
import type { OUIAction, OUIObservation, OUISurface } from '../protocol/manifest.js';
import type { ActionPolicies } from '../protocol/engine-messages.js';
import type { OfferedForm } from '../protocol/engine-config.js';
import type { JSONSchema, JsonText } from '../protocol/json.js';
import type { CompiledSchema, Validator } from '../protocol/ports.js';
import { ObservationFitter } from '../rules/observation-fitter.js';
import { OutlineMemory } from '../rules/outline-memory.js';
import { SurfaceTexts } from '../rules/surface-texts.js';
import { surfacesHashFromTexts } from '../rules/surfaces-hash.js';

/** One mount of a surface. Several may share a surface id; the newest serves. */
export interface Mount {
  readonly mountId: number;
  surface: OUISurface;
  policies: ActionPolicies;
  /** The manifest as it is offered. */
  texts: SurfaceTexts;
  readonly observations: Map<string, JsonText>;
  /** Observations whose values may be others by now, without a word of the page's; the page knows those that are not. */
  readonly silent: Set<string>;
  readonly schemas: Map<string, CompiledSchema>;
}

/** What agents are offered: the member of a result, and its JSON text. */
export interface OfferedPart {
  readonly key: 'surfaces' | 'index';
  readonly text: JsonText;
  /** UTF-8 bytes of the text. */
  readonly bytes: number;
}

/** The values of one mount. What was put together of them is stale with every change. */
class ObservationValues extends Map<string, JsonText> {
  readonly #changed: () => void;

  constructor(changed: () => void) {
    super();
    this.#changed = changed;
  }

  override set(observationId: string, value: JsonText): this {
    this.#changed();
    return super.set(observationId, value);
  }

  override delete(observationId: string): boolean {
    this.#changed();
    return super.delete(observationId);
  }
}

/**
 * What is mounted, in the order in which the ids were first mounted, and what of it is offered:
 * a surface that the user switched off is mounted, but no agent sees it.
 */
export class Registry {
  readonly #validator: Validator;
  readonly #form: OfferedForm;
  readonly #stacks = new Map<string, Mount[]>();
  readonly #byMount = new Map<number, Mount>();
  readonly #switchedOff = new Set<string>();
  readonly #actionsOff = new Set<string>();
  #hash: string | undefined;
  #offeredPart: OfferedPart | undefined;
  #observations: ObservationFitter | undefined;
  readonly #outlines = new OutlineMemory();

  constructor(validator: Validator, form: OfferedForm) {
    this.#validator = validator;
    this.#form = form;
  }

  /** @returns the number of mounts that now share the id. */
  mount(mountId: number, surface: OUISurface, policies: ActionPolicies): number {
    const mount: Mount = {
      mountId,
      surface,
      policies,
      texts: new SurfaceTexts(surface),
      observations: new ObservationValues(() => {
        this.#observations = undefined;
      }),
      silent: new Set(),
      schemas: new Map(),
    };
    const stack = this.#stacks.get(surface.id);
    if (stack) stack.push(mount);
    else this.#stacks.set(surface.id, [mount]);
    this.#byMount.set(mountId, mount);
    this.#changed();
    return this.#stacks.get(surface.id)!.length;
  }

  /** @returns the mount when its manifest really changed. Values of observations that it no longer declares go. */
  define(mountId: number, surface: OUISurface, policies?: ActionPolicies): Mount | undefined {
    const mount = this.#byMount.get(mountId);
    if (!mount || mount.surface.id !== surface.id) return undefined;
    if (policies) mount.policies = policies;
    const texts = new SurfaceTexts(surface);
    if (texts.text('full') === mount.texts.text('full')) return undefined;
    const declares = ({ observations = [] }: OUISurface, id: string) => observations.some((each) => each.id === id);
    for (const id of mount.observations.keys()) {
      if (declares(mount.surface, id) && !declares(surface, id)) mount.observations.delete(id);
    }
    mount.surface = surface;
    mount.texts = texts;
    mount.schemas.clear();
    this.#changed();
    return mount;
  }

  /** @returns the mount that went away. */
  unmount(mountId: number): Mount | undefined {
    const mount = this.#byMount.get(mountId);
    if (!mount) return undefined;
    this.#byMount.delete(mountId);
    const stack = this.#stacks.get(mount.surface.id)!;
    stack.splice(stack.indexOf(mount), 1);
    if (stack.length === 0) this.#stacks.delete(mount.surface.id);
    this.#changed();
    return mount;
  }

  byMount(mountId: number): Mount | undefined {
    return this.#byMount.get(mountId);
  }

  /** The mount that serves a surface id, switched off or not. */
  mounted(surfaceId: string): Mount | undefined {
    return this.#stacks.get(surfaceId)?.at(-1);
  }

  /** The mount that serves a surface id, when agents may see it. */
  offered(surfaceId: string): Mount | undefined {
    return this.#switchedOff.has(surfaceId) ? undefined : this.mounted(surfaceId);
  }

  /** Every mount that agents may see, in order. */
  allOffered(): Mount[] {
    const mounts: Mount[] = [];
    for (const [surfaceId, stack] of this.#stacks) {
      if (!this.#switchedOff.has(surfaceId)) mounts.push(stack.at(-1)!);
    }
    return mounts;
  }

  /** Sets a switch of the user's. @returns whether it changed. */
  setConsent(surfaceId: string, actionId: string | undefined, allowed: boolean): boolean {
    const [switches, key] =
      actionId === undefined
        ? ([this.#switchedOff, surfaceId] as const)
        : ([this.#actionsOff, `${surfaceId} ${actionId}`] as const);
    if (switches.has(key) !== allowed) return false;
    if (allowed) switches.delete(key);
    else switches.add(key);
    this.#changed();
    return true;
  }

  isActionOff(surfaceId: string, actionId: string): boolean {
    return this.#actionsOff.has(`${surfaceId} ${actionId}`);
  }

  /**
   * The check for an action's input or output, compiled once per mount.
   * @throws {Error} when the schema is broken.
   */
  schemaOf(mount: Mount, action: OUIAction, part: 'input' | 'output'): CompiledSchema {
    const key = `${part} ${action.id}`;
    let check = mount.schemas.get(key);
    if (!check) {
      check = this.#validator.compile(action[part] ?? true);
      mount.schemas.set(key, check);
    }
    return check;
  }

  /** @throws {Error} when the schema is broken. */
  compile(schema: JSONSchema): CompiledSchema {
    return this.#validator.compile(schema);
  }

  /** PROTOCOL.md §4, of what is offered, in the form in which it is. */
  hash(): string {
    this.#hash ??= surfacesHashFromTexts(this.allOffered().map(({ texts }) => texts.sorted(this.#form)));
    return this.#hash;
  }

  /** The array of what is offered, in the runtime's form. */
  offeredPart(): OfferedPart {
    if (this.#offeredPart === undefined) {
      const text = `[${this.allOffered().map(({ texts }) => texts.text(this.#form)).join(',')}]`;
      const key = this.#form === 'index' ? 'index' : 'surfaces';
      this.#offeredPart = { key, text, bytes: utf8Length(text) };
    }
    return this.#offeredPart;
  }

  /** Every value of every offered surface, to be fitted into frames. */
  observations(): ObservationFitter {
    if (this.#observations === undefined) {
      const mounts = this.allOffered().filter(({ observations }) => observations.size > 0);
      const texts = new Map(mounts.map(({ surface, observations }) => [surface.id, observations]));
      this.#observations = new ObservationFitter(texts, this.#outlines);
    }
    return this.#observations;
  }

  #changed(): void {
    this.#hash = this.#offeredPart = this.#observations = undefined;
  }
}

export function findAction(surface: OUISurface, actionId: string): OUIAction | undefined {
  return surface.actions.find((action) => action.id === actionId);
}

export function findObservation(mount: Mount, observationId: string): OUIObservation | undefined {
  return mount.surface.observations?.find(({ id }) => id === observationId);
}

/** Whether the page must be asked for the value of the moment. */
export function isAsked(mount: Mount, observationId: string): boolean {
  return mount.silent.has(observationId) || isPolling(mount, observationId);
}

export function isPolling(mount: Mount, observationId: string): boolean {
  return findObservation(mount, observationId)?.updateFrequency === 'polling';
}
