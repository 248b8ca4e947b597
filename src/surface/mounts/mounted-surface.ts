import type { EngineInput } from '../../protocol/engine-messages.js';
import { assertDefinedSurface } from '../definition/define-surface.js';
import { actionPolicies } from '../definition/manifest.js';
import type { Mount, Mounts } from './mounts.js';
import type { ObservationPublisher } from './observations.js';
import type { Redefinitions } from './redefinitions.js';
import type { MountedSurface } from '../runtime.js';

export interface MountedSurfacePorts {
  readonly mounts: Mounts;
  readonly publisher: ObservationPublisher;
  readonly redefinitions: Redefinitions;
  post(inputs: readonly EngineInput[]): void;
  /** What is offered changed. */
  changed(): void;
}

/** What `mount` hands back to the page. */
export function createMountedSurface<Ctx>(mount: Mount, ports: MountedSurfacePorts): MountedSurface<Ctx> {
  const { mounts, publisher, redefinitions } = ports;
  const { mountId } = mount;
  return {
    surfaceId: mount.surface.id,
    pushObservation(id, value) {
      if (mounts.has(mount)) publisher.push(mountId, mount.declaring(id), id, value);
    },
    observe(id, source) {
      return mounts.has(mount) ? publisher.observe(mountId, mount.declaring(id), id, source) : () => {};
    },
    update(surface) {
      assertDefinedSurface(surface);
      if (surface.id !== mount.surface.id) {
        const way = 'unmount it and mount the other';
        throw new Error(`Surface "${mount.surface.id}" cannot become "${surface.id}": ${way}.`);
      }
      if (!mounts.has(mount)) return;
      const before = offerText(mount);
      mount.surface = surface;
      redefinitions.watch(mount);
      // Frameworks update with each rendering, mostly for the sake of new handlers.
      if (offerText(mount) === before) return;
      publisher.redefine(mountId, mount.manifest);
      redefinitions.changed(mount);
    },
    refresh() {
      if (mounts.has(mount)) redefinitions.refresh([mount]);
    },
    unmount() {
      if (!mounts.remove(mount)) return;
      publisher.unmount(mountId, mount.manifest);
      redefinitions.release(mount);
      ports.post([{ kind: 'unmount', mountId }]);
      ports.changed();
    },
  };
}

/** What of a surface concerns the engine: two that agree in it differ in their handlers at most. */
function offerText({ manifest, surface }: Mount): string {
  return JSON.stringify([manifest, actionPolicies(surface)]);
}

/** How the engine hears of a mount. */
export function mountInput({ mountId, manifest, surface }: Mount): EngineInput {
  return { kind: 'mount', mountId, surface: manifest, policies: actionPolicies(surface) };
}
