import type { Release } from '../protocol/ports.js';
import type { PageClock } from './clock.js';
import { randomId } from '../protocol/random-id.js';

/** A lock that the document before this one still holds is free by then; a duplicated tab's stays held. */
const HANDOVER_MS = 300;

/** Which runtime of this document: the id belongs to one runtime of one frame. */
const taken = new Set<number>();

/** The parts of a page that a client id needs. All may be missing, and all may throw. */
export interface ClientIdHost {
  readonly storage?: Pick<Storage, 'getItem' | 'setItem'> | undefined;
  readonly locks?: Pick<LockManager, 'request'> | undefined;
  /** The same for this frame after a reload, another for each frame of the tab. */
  readonly frame: string;
}

export interface ClaimedClientId {
  /** Never rejects. */
  readonly id: Promise<string>;
  /** Gives the id back. */
  readonly release: Release;
}

/**
 * The id by which an agent knows this page again after a reload (PROTOCOL.md §1): kept in sessionStorage, and claimed
 * with a Web Lock that is held as long as the document lives, because a duplicated tab copies sessionStorage. Whoever
 * finds the lock held elsewhere takes a new id. Without storage or locks the id is new each time.
 */
export function claimClientId(clock: PageClock, host: ClientIdHost = pageHost()): ClaimedClientId {
  let index = 0;
  while (taken.has(index)) index += 1;
  taken.add(index);
  const key = `oui:client:${host.frame}:${index}`;
  let unlock: Release = () => {};
  const released = new Promise<void>((resolve) => (unlock = resolve));

  const claim = async (): Promise<string> => {
    const fresh = randomId();
    if (!host.locks || !host.storage) return fresh;
    const kept = host.storage.getItem(key);
    if (kept && (await lock(host.locks, clock, kept, released))) return kept;
    host.storage.setItem(key, fresh);
    await lock(host.locks, clock, fresh, released);
    return fresh;
  };
  return {
    id: claim().catch(() => randomId()),
    release: () => {
      taken.delete(index);
      unlock();
    },
  };
}

/** Whether the lock was granted; it is then held until `released`. */
function lock(
  locks: Pick<LockManager, 'request'>,
  clock: PageClock,
  id: string,
  released: Promise<void>,
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const waiting = new AbortController();
    const giveUp = clock.setTimer(HANDOVER_MS, () => {
      waiting.abort();
      resolve(false);
    });
    const held = (): Promise<void> => {
      giveUp();
      resolve(true);
      return released;
    };
    // The rejection that follows `abort` comes after `resolve` and changes nothing.
    locks.request(`oui:client:${id}`, { signal: waiting.signal }, held).catch((error: unknown) => {
      giveUp();
      reject(error);
    });
  });
}

function pageHost(): ClientIdHost {
  try {
    if (typeof document === 'undefined') return { frame: '' };
    return { storage: sessionStorage, locks: navigator.locks, frame: framePath() };
  } catch {
    // Storage can be forbidden altogether.
    return { frame: '' };
  }
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
