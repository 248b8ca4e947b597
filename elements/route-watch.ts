import type { Release } from '../src/protocol/ports.js';
import { matchesRoutes } from '../src/rules/route-globs.js';

/** The parts of a window that routes are read from. A test hands over its own. */
export interface RouteWindow extends EventTarget {
  readonly location: { readonly pathname: string; readonly hash: string };
  readonly history: History;
  readonly document?: Document;
  /** The Navigation API, where the browser has it. */
  readonly navigation?: EventTarget;
}

interface Watch {
  readonly listeners: Set<() => void>;
  readonly stop: () => void;
}

/** Attributes by which a router without components shows one page and hides another. */
const SHOWING = ['hidden', 'class', 'aria-current', 'inert', 'open'];

const watches = new WeakMap<RouteWindow, Watch>();

/**
 * Calls the listener after each change of the page's address, whichever router made it.
 * Browsers with the Navigation API tell; in others `history.pushState` and `replaceState` are wrapped while somebody
 * listens, because they fire no event, and put back as they were afterwards. A router that took them before that, or that
 * calls the prototype's, is noticed by what it then changes in the page.
 */
export function watchRoute(listener: () => void, window: RouteWindow): Release {
  let watch = watches.get(window);
  if (!watch) {
    const listeners = new Set<() => void>();
    watch = { listeners, stop: start(window, () => listeners.forEach((each) => each())) };
    watches.set(window, watch);
  }
  const { listeners, stop } = watch;
  const own = (): void => listener();
  listeners.add(own);
  return () => {
    if (!listeners.delete(own) || listeners.size > 0) return;
    watches.delete(window);
    stop();
  };
}

/**
 * Whether one of the patterns matches the page's address (specification §6.3). A pattern that starts with `#` is
 * matched against the fragment, as hash routers use it. `base` is taken off the path first, and a path outside it
 * matches nothing.
 */
export function matchesLocation(patterns: readonly string[], location: RouteWindow['location'], base: string): boolean {
  const path = withoutBase(location.pathname, base);
  const fragment = location.hash.slice(1).split('?', 1)[0] || '/';
  return patterns.some((pattern) => (pattern.startsWith('#')
    ? matchesRoutes(pattern.slice(1), fragment)
    : path !== null && matchesRoutes(pattern, path)));
}

function withoutBase(path: string, base: string): string | null {
  const prefix = base.replace(/\/+$/, '');
  if (prefix === '') return path;
  if (path === prefix) return '/';
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : null;
}

function start(window: RouteWindow, changed: () => void): () => void {
  const { navigation } = window;
  const undo: (() => void)[] = [];
  const listen = (target: EventTarget, type: string): void => {
    target.addEventListener(type, changed);
    undo.push(() => target.removeEventListener(type, changed));
  };
  listen(window, 'popstate');
  listen(window, 'hashchange');
  if (navigation) {
    listen(navigation, 'currententrychange');
  } else {
    const { history, location, document } = window;
    let last = location.pathname + location.hash;
    const look = (): void => {
      const now = location.pathname + location.hash;
      if (now === last) return;
      last = now;
      changed();
    };
    undo.push(wrap(history, 'pushState', look), wrap(history, 'replaceState', look));
    if (document) {
      const observer = new MutationObserver(look);
      observer.observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: SHOWING });
      undo.push(() => observer.disconnect());
    }
  }
  return () => undo.forEach((each) => each());
}

function wrap(history: History, name: 'pushState' | 'replaceState', changed: () => void): () => void {
  const own = Object.getOwnPropertyDescriptor(history, name);
  let active = true;
  const wrapper = function (this: History, ...args: Parameters<History['pushState']>): void {
    // Looked up at each call: somebody may have replaced the prototype's method after us.
    const original = own ? own.value as History['pushState'] : (Object.getPrototypeOf(history) as History)[name];
    original.apply(this, args);
    if (active) changed();
  };
  history[name] = wrapper;
  return () => {
    active = false;
    // A router that wrapped ours keeps it, passive, as its original: taking it away would break that router.
    if (history[name] !== wrapper) return;
    if (own) Object.defineProperty(history, name, own);
    else delete (history as Partial<History>)[name];
  };
}
