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

/** What elements of one document know of each other. */
interface DocumentRuntimes {
  /** The `<oui-runtime>` elements that are connected, oldest first, in whatever tree they stand. */
  readonly providers: Set<RuntimeProvider>;
  readonly seekers: Set<() => void>;
}

/**
 * Kept on the document itself: another copy of this library in the page, and elements that came from another window,
 * find the same. Other versions read it too, so its shape stays.
 */
const IN_DOCUMENT: unique symbol = Symbol.for('oui-elements/runtimes');

function runtimesOf(document: Document): DocumentRuntimes {
  const holder = document as { [IN_DOCUMENT]?: DocumentRuntimes };
  return holder[IN_DOCUMENT] ??= { providers: new Set(), seekers: new Set() };
}

/** Makes a runtime element known to its document. Call `announceRuntimes` when its runtime comes, changes or goes. */
export function addProvider(provider: RuntimeProvider): Release {
  const { ownerDocument } = provider;
  const { providers } = runtimesOf(ownerDocument);
  providers.add(provider);
  return () => {
    providers.delete(provider);
    announceRuntimes(ownerDocument);
  };
}

/** The other runtime elements of the same document, oldest first. */
export function otherProviders(provider: RuntimeProvider): readonly RuntimeProvider[] {
  return [...runtimesOf(provider.ownerDocument).providers].filter((each) => each !== provider);
}

/** Everybody in the document who follows a runtime looks again. */
export function announceRuntimes(document: Document): void {
  for (const seek of [...runtimesOf(document).seekers]) seek();
}

/** Calls the listener whenever a runtime of the document has come, changed or gone. */
export function whenRuntimesChange(document: Document, listener: () => void): Release {
  const { seekers } = runtimesOf(document);
  seekers.add(listener);
  return () => seekers.delete(listener);
}

/** The runtimes of all `<oui-runtime>` elements of a document. */
export function runtimesIn(document: Document): SurfaceRuntime[] {
  return [...runtimesOf(document).providers].flatMap(({ runtime }) => runtime ?? []);
}

/**
 * Tells which runtime an element belongs to, now and whenever that changes: the one that answers a `context-request`
 * on the way up, else that of the document's first `<oui-runtime>`, wherever it stands and however late it comes.
 */
export function followRuntime(element: Element, listener: (found: FoundRuntime | null) => void): Release {
  let unsubscribe: (() => void) | undefined;
  let last: FoundRuntime | null | undefined;
  let round = 0;
  const { providers } = runtimesOf(element.ownerDocument);
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
      found = value ? { runtime: value as SurfaceRuntime, base: baseOf(value, providers) } : null;
      if (!seeking) tell(found);
    }, true));
    seeking = false;
    tell(found ?? firstOf(providers));
  };
  const release = whenRuntimesChange(element.ownerDocument, seek);
  seek();
  return () => {
    round += 1;
    release();
    unsubscribe?.();
  };
}

function firstOf(providers: Iterable<RuntimeProvider>): FoundRuntime | null {
  for (const { runtime, base } of providers) if (runtime) return { runtime, base };
  return null;
}

function baseOf(runtime: unknown, providers: Iterable<RuntimeProvider>): string {
  for (const provider of providers) if (provider.runtime === runtime) return provider.base;
  return '';
}
