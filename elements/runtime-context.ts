import type { Release } from '../src/protocol/ports.js';
import type { SurfaceRuntime } from '../src/surface/runtime.js';

/** The key of a runtime in the context protocol. The same in every copy of this library. */
export const RUNTIME_CONTEXT: symbol = Symbol.for('oui-elements/runtime');

type ContextCallback = (value: unknown, unsubscribe?: () => void) => void;

/** The `context-request` event of the web components community protocol. */
export class ContextRequestEvent extends Event {
  readonly context: unknown;
  readonly contextTarget: Element;
  readonly callback: ContextCallback;
  readonly subscribe: boolean;

  constructor(context: unknown, contextTarget: Element, callback: ContextCallback, subscribe: boolean) {
    super('context-request', { bubbles: true, composed: true });
    this.context = context;
    this.contextTarget = contextTarget;
    this.callback = callback;
    this.subscribe = subscribe;
  }
}

/** What an `<oui-runtime>` is to those who look for a runtime. */
export interface RuntimeProvider extends Element {
  readonly runtime: SurfaceRuntime | null;
  /** Prefix that routes are relative to. */
  readonly base: string;
}

/** Where a surface belongs. `base` comes with an `<oui-runtime>`, not with a runtime from elsewhere. */
export interface FoundRuntime {
  readonly runtime: SurfaceRuntime;
  readonly base: string;
}

/** The `<oui-runtime>` elements that are connected, oldest first, in whatever tree they stand. */
const providers = new Set<RuntimeProvider>();
const seekers = new Set<() => void>();

/** Makes a runtime element known. Call `announceRuntimes` when its runtime comes, changes or goes. */
export function addProvider(provider: RuntimeProvider): Release {
  providers.add(provider);
  return () => {
    providers.delete(provider);
    announceRuntimes();
  };
}

/** The other runtime elements of the same document, oldest first. */
export function otherProviders(provider: RuntimeProvider): readonly RuntimeProvider[] {
  return [...providers].filter((each) => each !== provider && each.ownerDocument === provider.ownerDocument);
}

/** Everybody who follows a runtime looks again. */
export function announceRuntimes(): void {
  for (const seek of [...seekers]) seek();
}

/**
 * Tells which runtime an element belongs to, now and whenever that changes: the one that answers a `context-request`
 * on the way up, else that of the document's first `<oui-runtime>`, wherever it stands and however late it comes.
 */
export function followRuntime(element: Element, listener: (found: FoundRuntime | null) => void): Release {
  let unsubscribe: (() => void) | undefined;
  let last: FoundRuntime | null | undefined;
  let round = 0;
  const tell = (found: FoundRuntime | null): void => {
    if (last !== undefined && found?.runtime === last?.runtime && found?.base === last?.base) return;
    last = found;
    listener(found);
  };
  const seek = (): void => {
    unsubscribe?.();
    unsubscribe = undefined;
    const current = ++round;
    let found: FoundRuntime | null = null;
    let seeking = true;
    element.dispatchEvent(new ContextRequestEvent(RUNTIME_CONTEXT, element, (value, stop) => {
      // An answer to a question that was asked again since.
      if (current !== round) return stop?.();
      unsubscribe = stop;
      found = value ? { runtime: value as SurfaceRuntime, base: baseOf(value) } : null;
      if (!seeking) tell(found);
    }, true));
    seeking = false;
    tell(found ?? ofDocument(element));
  };
  seekers.add(seek);
  seek();
  return () => {
    round += 1;
    seekers.delete(seek);
    unsubscribe?.();
  };
}

function ofDocument(element: Element): FoundRuntime | null {
  for (const { ownerDocument, runtime, base } of providers) {
    if (runtime && ownerDocument === element.ownerDocument) return { runtime, base };
  }
  return null;
}

function baseOf(runtime: unknown): string {
  for (const provider of providers) if (provider.runtime === runtime) return provider.base;
  return '';
}
