import type { InputOf } from '../protocol/engine-messages.js';
import type { JsonText } from '../protocol/json.js';
import * as WARNINGS from '../protocol/warning-codes.js';
import type { EngineContext } from './context.js';
import type { Execution } from './execution.js';
import type { Approvals } from './approvals.js';
import type { LedgerEntry } from './ledger.js';
import { surfaceGone } from './engine-errors.js';
import { ObservationChecks } from './observation-checks.js';
import { findObservation, isAsked, isPolling } from './registry.js';

/**
 * What is mounted, and what agents are told of it. The deregistration of a surface waits behind the results of its
 * running requests: an action whose effect is to leave the page is the commonest of all (PROTOCOL.md §2, unmounting).
 */
export class Surfaces {
  readonly #context: EngineContext;
  readonly #execution: Execution;
  readonly #approvals: Approvals;
  readonly #checks: ObservationChecks;
  /** Gone from the page, not yet deregistered. */
  readonly #departing = new Set<string>();

  constructor(context: EngineContext, execution: Execution, approvals: Approvals) {
    this.#context = context;
    this.#execution = execution;
    this.#approvals = approvals;
    this.#checks = new ObservationChecks(context);
    execution.onReleased = (entry) => this.#afterRequest(entry);
  }

  mount({ mountId, surface, policies }: InputOf<'mount'>): void {
    const { registry, peer } = this.#context;
    const mounts = registry.mount(mountId, surface, policies);
    if (mounts > 1) {
      const message = `Surface "${surface.id}" is mounted ${mounts} times; the newest one serves until it goes.`;
      this.#context.emit({ kind: 'warn', code: WARNINGS.DUPLICATE_SURFACE, message });
    }
    if (this.#departing.delete(surface.id)) {
      if (registry.offered(surface.id)) peer.forget(surface.id);
      else peer.deregister(surface.id);
    }
    this.#announce(surface.id);
    this.#askAnew(surface.id);
  }

  define({ mountId, surface, policies }: InputOf<'define'>): void {
    const mount = this.#context.registry.define(mountId, surface, policies);
    if (!mount) return;
    this.#announce(surface.id);
    this.#askAnew(surface.id);
  }

  unmount({ mountId }: InputOf<'unmount'>): void {
    const { registry, peer, ledger } = this.#context;
    const mount = registry.unmount(mountId);
    if (!mount) return;
    const surfaceId = mount.surface.id;
    if (registry.mounted(surfaceId)) {
      // An older mount serves again, with values of its own.
      peer.forget(surfaceId);
      this.#announce(surfaceId);
      this.#askAnew(surfaceId);
      return;
    }
    for (const entry of ledger.open()) {
      const waits = entry.stage === 'queued';
      if (waits && entry.request.surfaceId === surfaceId) this.#execution.abandon(entry, surfaceGone(surfaceId));
    }
    this.#askAnew(surfaceId);
    this.#approvals.withdrawAsked(surfaceId);
    if (ledger.runningOn(surfaceId).length > 0) this.#departing.add(surfaceId);
    else peer.deregister(surfaceId);
  }

  /**
   * `forced`: an answer to a request for the value; it is sent even when it is the last one again.
   * @returns what may be told of the value.
   */
  observe(input: InputOf<'observe'> | InputOf<'observed'>, forced: boolean): JsonText {
    const { registry, peer } = this.#context;
    const { mountId, observationId } = input;
    const mount = registry.byMount(mountId);
    if (!mount) return input.value;
    const surfaceId = mount.surface.id;
    const value = this.#checks.pass(mount, input);
    // One that has another source by now is asked for without need.
    if (input.silent) mount.silent.add(observationId);
    // A `polling` value is true at the moment it is read: it is sent then and not kept.
    const another = !isPolling(mount, observationId) && mount.observations.get(observationId) !== value;
    if (another) mount.observations.set(observationId, value);
    if ((another || forced) && registry.offered(surfaceId) === mount) peer.update(surfaceId, observationId, value, forced);
    return value;
  }

  /** An agent asks for a value: one that is `polling` or silent is read in the page, any other is known here. */
  pull(surfaceId: string, observationId: string): void {
    const { registry, peer } = this.#context;
    const mount = registry.offered(surfaceId);
    if (!mount) return;
    const value = mount.observations.get(observationId);
    if (isAsked(mount, observationId)) {
      this.#context.emit({ kind: 'read', mountId: mount.mountId, observationId });
    } else if (value !== undefined || findObservation(mount, observationId)) {
      // Declared, but nothing has set it yet: `null` says so.
      peer.update(surfaceId, observationId, value ?? 'null', true);
    }
  }

  consent({ surfaceId, actionId, allowed }: InputOf<'consent'>): void {
    const { registry, peer } = this.#context;
    if (!registry.setConsent(surfaceId, actionId, allowed)) return;
    this.#askAnew(surfaceId);
    if (actionId !== undefined || !registry.mounted(surfaceId)) return;
    if (allowed) this.#announce(surfaceId);
    else peer.deregister(surfaceId);
  }

  /** What the user is being asked about a surface is what it is now, or is not asked. */
  #askAnew(surfaceId: string): void {
    for (const { entry, verdict } of this.#approvals.redefined(surfaceId)) {
      if (verdict !== 'admitted') this.#execution.abandon(entry, verdict);
    }
  }

  #announce(surfaceId: string): void {
    const mount = this.#context.registry.offered(surfaceId);
    if (mount) this.#context.peer.register(mount);
  }

  #afterRequest(entry: LedgerEntry): void {
    const { surfaceId } = entry.request;
    if (!this.#departing.has(surfaceId) || this.#context.ledger.runningOn(surfaceId).length > 0) return;
    this.#departing.delete(surfaceId);
    this.#context.peer.deregister(surfaceId);
  }
}
