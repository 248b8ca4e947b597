import * as LIMITS from '../protocol/limits.js';
import { warnOnce } from '../protocol/warn-once.js';
import * as WARNINGS from '../protocol/warning-codes.js';
import { createRuntime } from '../surface/create-runtime.js';
import type { RuntimeWiring } from '../surface/runtime.js';
import type { SurfaceRuntimeOptions as CoreOptions } from '../surface/runtime-options.js';
import { createSocketTransport } from '../transports/socket-io.js';
import type { SocketLike } from '../transports/socket-like.js';
import { COMPAT_POLICY, VALIDATING_POLICY } from './policy.js';
import type { SurfaceForm, SurfaceRuntime, SurfaceRuntimeOptions } from './runtime-types.js';
import { SeenExecutions } from './seen-executions.js';

/** A runtime with the options, names and behaviour of `oui-spec`'s, over the engine of this library. */
export function createCompatRuntime(
  options: SurfaceRuntimeOptions,
  wiring: RuntimeWiring,
): SurfaceRuntime<SurfaceForm> {
  const { validate = false, transport: { namespace } = {} } = options;
  const runtime = createRuntime(coreOptions(options), {
    ...wiring,
    policy: validate ? VALIDATING_POLICY : COMPAT_POLICY,
  });
  const seen = new SeenExecutions(runtime, options.dedupeWindow ?? LIMITS.dedupeWindow);
  let attached: SocketLike | null = null;
  const compat: SurfaceRuntime<SurfaceForm> = {
    mount: (surface, getContext) => runtime.mount(surface as never, getContext as never),
    attach(socket) {
      if (socket === attached) return;
      attached = socket;
      runtime.attach(socket && createSocketTransport(socket, { namespace }));
    },
    snapshot: () => runtime.snapshot() as never,
    execute: (request) => seen.execute(request),
    hold: () => runtime.hold(),
    grantApproval: (grant) => runtime.grantApproval(grant),
    onSettled: (listener) => runtime.onSettled(listener),
    subscribe(listener) {
      return runtime.subscribe(({ type }) => {
        if (type === 'surfaces' || type === 'observation') listener();
      });
    },
    forget: () => runtime.forget(),
    dispose: () => runtime.dispose(),
  };
  if (options.socket) compat.attach(options.socket);
  return compat;
}

/** The core's options that say the same. `oui-spec` takes every number; those that cannot work are replaced. */
function coreOptions(options: SurfaceRuntimeOptions): CoreOptions {
  const { settle, accept, form, announce, dedupeWindow, reanswerAfterMs, budgets, session, attachments } = options;
  const given: { [name: string]: unknown } = {
    form,
    announce,
    session,
    attachments,
    dedupeWindow: atLeast(1, 'dedupeWindow', dedupeWindow),
    reanswerAfterMs: atLeast(1, 'reanswerAfterMs', reanswerAfterMs),
    // A promise of no would be a yes.
    accept: accept && (async (request: never) => Boolean(await accept(request))),
    settle: withValues({
      quietMs: atLeast(1, 'settle.quietMs', settle?.quietMs),
      timeoutMs: atLeast(1, 'settle.timeoutMs', settle?.timeoutMs),
    }),
    budgets: withValues({
      resultBytes: atLeast(LIMITS.budgetMinBytes, 'budgets.answerBytes', budgets?.answerBytes),
      snapshotBytes: atLeast(LIMITS.budgetMinBytes, 'budgets.snapshotBytes', budgets?.snapshotBytes),
    }),
  };
  return { ...withValues(given), confirmBy: 'grant', timeoutMs: LIMITS.compatActionMs, worker: false };
}

function withValues(members: { readonly [name: string]: unknown }): { [name: string]: unknown } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

function atLeast(least: number, name: string, value: number | undefined): number | undefined {
  if (value === undefined || (Number.isFinite(value) && value >= least)) return value;
  const nearest = value === Infinity ? Number.MAX_SAFE_INTEGER : least;
  // No quiet at all is what tests ask for, and a ms of it is as good.
  if (value !== Infinity && !(value === 0 && least === 1)) {
    const message = `Option ${name} is ${String(value)}; ${nearest} is taken, the nearest value that works.`;
    warnOnce(WARNINGS.OPTION_REPLACED, message, name);
  }
  return nearest;
}
