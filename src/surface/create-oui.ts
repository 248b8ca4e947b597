import type { Transport } from '../protocol/ports.js';
import { createSocketTransport } from '../transports/socket-io.js';
import type { SocketLike } from '../transports/socket-like.js';
import { createRuntime } from './create-runtime.js';
import { assertDefinedSurface } from './definition/define-surface.js';
import type { DefinedSurface, SURFACE_BRAND } from './definition/definition.js';
import type { SurfaceRuntimeOptions } from './runtime-options.js';
import type { MountedSurface, RuntimeWiring, SurfaceRuntime } from './runtime.js';

declare const OUI_BRAND: unique symbol;

/** A transport that `createOUI` has made. None made by hand can stand in for it: only the library knows the wire. */
export interface OwnedTransport extends Transport {
  readonly [OUI_BRAND]: 'transport';
}

type AnySurface = DefinedSurface<never>;

/** What a surface's handlers get as their second argument. */
type ContextOf<Surface> = Surface extends {
  readonly [SURFACE_BRAND]: { readonly context?: (context: infer Ctx) => void };
}
  ? Ctx
  : never;

type ValuesOf<Surface> = Surface extends {
  readonly [SURFACE_BRAND]: { readonly values?: infer Values extends { readonly [id: string]: unknown } };
}
  ? Values
  : { readonly [id: string]: unknown };

/** Ids of the surfaces whose handlers cannot do without a context. */
type NeedingContext<Surfaces extends readonly AnySurface[]> = {
  [Index in keyof Surfaces]: undefined extends ContextOf<Surfaces[Index]> ? never : Surfaces[Index]['id'];
}[number];

type Contexts<Surfaces extends readonly AnySurface[]> = {
  readonly [Surface in Surfaces[number] as Surface['id']]?: () => ContextOf<Surface>;
} & { readonly [Id in NeedingContext<Surfaces>]: unknown };

/** The first id that a list has twice; `never` when there is none, or the ids are not known to the compiler. */
type DoubledId<Surfaces extends readonly unknown[], Seen = never> = Surfaces extends readonly [
  infer First extends AnySurface,
  ...infer Rest,
]
  ? string extends First['id']
    ? DoubledId<Rest, Seen>
    : First['id'] extends Seen
      ? First['id']
      : DoubledId<Rest, Seen | First['id']>
  : never;

/** The surfaces, or why they cannot be had: the text is in the compiler's message. */
type CheckedSurfaces<Surfaces extends readonly AnySurface[]> = Surfaces extends readonly []
  ? 'createOUI needs at least one surface: without any there is nothing that an agent could do.'
  : [DoubledId<Surfaces>] extends [never]
    ? unknown
    : `Two surfaces have the id "${DoubledId<Surfaces>}": the second would take the place of the first.`;

/** Options of `createOUI`: those of a runtime, on a socket of the application's own. */
export interface OUIOptions<Surfaces extends readonly AnySurface[]>
  extends Omit<SurfaceRuntimeOptions, 'url' | 'insecureUrl' | 'socket' | 'transport' | 'token'> {
  /** Socket.IO-shaped. The application connects it and ends it. */
  readonly socket: SocketLike;
  /** At least one, from `defineSurface`, each with an id of its own. All of them are mounted at once. */
  readonly surfaces: Surfaces & CheckedSurfaces<Surfaces>;
  readonly transport?: {
    /** What the names of all events on the socket begin with. Default `oui`. */
    readonly namespace?: string;
  };
}

/** A getter for the context of each surface that needs one, by its id; called for each request. */
export type OUIContexts<Surfaces extends readonly AnySurface[]> = [NeedingContext<Surfaces>] extends [never]
  ? { readonly contexts?: Contexts<Surfaces> }
  : { readonly contexts: Contexts<Surfaces> };

/** What `createOUI` gives back: its surfaces are mounted, and requests for them answered. */
export interface OUIInstance<Surfaces extends readonly AnySurface[]> {
  readonly transport: OwnedTransport;
  readonly runtime: SurfaceRuntime;
  /** The mounted surfaces by id: their observations are pushed there. */
  readonly surfaces: {
    readonly [Surface in Surfaces[number] as Surface['id']]: MountedSurface<ContextOf<Surface>, ValuesOf<Surface>>;
  };
  /** Ends the runtime and stops listening. The socket is left as it is. Idempotent. */
  dispose(): void;
}

/** `createOUI`, as an entry gives it its wiring. */
export function createInstance<const Surfaces extends readonly AnySurface[]>(
  options: OUIOptions<Surfaces> & OUIContexts<Surfaces>,
  wiring: RuntimeWiring,
): OUIInstance<Surfaces> {
  const { socket, surfaces, transport: settings, contexts, ...rest } = options as LooseOptions;
  assertSocket(socket);
  assertSurfaces(surfaces);
  const transport = createSocketTransport(socket, { namespace: settings?.namespace });
  const runtime = createRuntime({ ...rest, transport }, wiring);
  const mounted = surfaces.map((surface) => {
    return [surface.id, runtime.mount(surface as DefinedSurface, contexts?.[surface.id] as () => unknown)] as const;
  });
  return Object.freeze({
    transport: transport as OwnedTransport,
    runtime,
    surfaces: Object.freeze(Object.fromEntries(mounted)) as OUIInstance<Surfaces>['surfaces'],
    dispose: () => runtime.dispose(),
  });
}

/** The options as a caller without a compiler may have written them. */
interface LooseOptions extends Omit<SurfaceRuntimeOptions, 'url' | 'socket' | 'transport'> {
  readonly socket: unknown;
  readonly surfaces: unknown;
  readonly transport?: { readonly namespace?: string };
  readonly contexts?: { readonly [id: string]: (() => unknown) | undefined };
}

function assertSocket(socket: unknown): asserts socket is SocketLike {
  const { on, off, emit } = (socket ?? {}) as { readonly [member: string]: unknown };
  if ([on, off, emit].every((method) => typeof method === 'function')) return;
  throw new TypeError('createOUI needs a socket that is Socket.IO-shaped, with on, off and emit: { socket: io(), … }.');
}

function assertSurfaces(surfaces: unknown): asserts surfaces is readonly DefinedSurface<never>[] {
  if (!Array.isArray(surfaces) || surfaces.length === 0) {
    throw new TypeError('createOUI needs at least one surface: { surfaces: [defineSurface({ … })], … }.');
  }
  const taken = new Set<string>();
  for (const surface of surfaces as readonly unknown[]) {
    assertDefinedSurface(surface);
    if (taken.has(surface.id)) {
      throw new TypeError(`createOUI got two surfaces with the id "${surface.id}"; ids are unique within a page.`);
    }
    taken.add(surface.id);
  }
}
