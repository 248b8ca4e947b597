import type { HostedSurface, MountableSurface, SurfaceHost } from './surface-host.js';

/** A surface while it is mounted in a runtime for a component. */
export interface HostedMount {
  readonly hosted: HostedSurface;
  surface: MountableSurface<never>;
  /** Where its handlers get their context from. */
  readonly context: ContextSource;
}

interface ContextSource {
  read(this: void): unknown;
}

/**
 * Mounts that no component holds any more, of each runtime, by surface id. They end a microtask later, unless a
 * component takes them over in the same step of its framework's.
 */
const released = new WeakMap<SurfaceHost, Map<string, HostedMount>>();

/**
 * Mounts a surface, or takes over the mount of a component that let go of it in the same step: effects that React's
 * StrictMode runs twice, a key that changed, a page in whose place another shows the same surface, a component that was
 * replaced while its author works on it. An agent sees none of that: the surface was there all the time.
 */
export function takeMount(host: SurfaceHost, surface: MountableSurface<never>, read: ContextSource['read']): HostedMount {
  const left = released.get(host);
  const mounted = left?.get(surface.id);
  if (!mounted) return mount(host, surface, read);
  left!.delete(surface.id);
  const isSame = mounted.surface === surface;
  if (!isSame && !mounted.hosted.update) {
    const next = mount(host, surface, read);
    mounted.hosted.unmount();
    return next;
  }
  mounted.context.read = read;
  mounted.surface = surface;
  if (!isSame) mounted.hosted.update!(surface as never);
  return mounted;
}

/** Lets go of a mount. */
export function releaseMount(host: SurfaceHost, mounted: HostedMount): void {
  let left = released.get(host);
  if (!left) released.set(host, (left = new Map()));
  const { id } = mounted.surface;
  // Where several components had mounted one id, only one of the mounts can be taken over.
  left.get(id)?.hosted.unmount();
  left.set(id, mounted);
  queueMicrotask(() => {
    if (left.get(id) !== mounted) return;
    left.delete(id);
    mounted.hosted.unmount();
  });
}

function mount(host: SurfaceHost, surface: MountableSurface<never>, read: ContextSource['read']): HostedMount {
  // The runtime may ask for the context before `mount` returns.
  const context: ContextSource = { read };
  return { surface, context, hosted: host.mount(surface as never, () => context.read() as never) };
}
