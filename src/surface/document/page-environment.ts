import type { Release } from '../../protocol/ports.js';

/** The document that a runtime lives in. Its storage and locks may be missing, and may throw. Replaced in tests. */
export interface PageEnvironment {
  /** The tab's, shared by the documents that follow each other in it. */
  readonly storage?: Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'> | undefined;
  /** The origin's, shared by all of its documents, now and later. */
  readonly lasting?: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | undefined;
  /** Called when another document has written to it: with the key, or `null` when all of it was cleared. */
  onLastingChange?(listener: (key: string | null) => void): Release;
  /** Web Locks; they exist in secure contexts only. */
  readonly locks?: Pick<LockManager, 'request'> | undefined;
  /** The same for this frame after a reload, another for each frame of the tab. */
  readonly frame: string;
  /** Which places its runtimes have taken. Each runtime has one, and its successor after a reload the same. */
  readonly places: Set<string>;
  /** Unix epoch, ms. */
  wall(): number;
  /** Called when the document is being left: for good, or for the back/forward cache. */
  onLeave(listener: () => void): Release;
  /** Called when it has come back out of the back/forward cache. */
  onReturn(listener: () => void): Release;
}

let present: PageEnvironment | undefined;

/** The document of this module; in Node, one that has nothing and is never left. */
export function pageEnvironment(): PageEnvironment {
  return (present ??= {
    storage: ifAllowed(() => globalThis.document && globalThis.sessionStorage),
    lasting: ifAllowed(() => globalThis.document && globalThis.localStorage),
    onLastingChange: (listener) => listen('storage', ({ key }) => listener(key)),
    locks: ifAllowed(() => globalThis.document && globalThis.navigator.locks),
    frame: ifAllowed(framePath) ?? '',
    places: new Set(),
    wall: () => Date.now(),
    onLeave: (listener) => listen('pagehide', listener),
    onReturn: (listener) => listen('pageshow', ({ persisted }) => persisted && listener()),
  });
}

/** Storage can be forbidden altogether: then a look at it throws. */
function ifAllowed<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function listen<Type extends 'pagehide' | 'pageshow' | 'storage'>(
  type: Type,
  listener: (event: WindowEventMap[Type]) => void,
): Release {
  if (typeof window === 'undefined') return () => undefined;
  window.addEventListener(type, listener);
  return () => window.removeEventListener(type, listener);
}

/** Where this frame stands among its parent's frames, up to the top: `0.2`. Readable across origins. */
function framePath(): string {
  const path: number[] = [];
  for (let frame: Window = window; frame !== frame.parent; frame = frame.parent) {
    const { parent } = frame;
    let index = 0;
    while (index < parent.length && parent[index] !== frame) index += 1;
    path.unshift(index);
  }
  return path.join('.');
}
