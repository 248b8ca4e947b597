import type { Release } from '../../../protocol/ports.js';
import { OWN_TIMER } from '../../../protocol/timer.js';
import type { BeginWork, PageScope } from './begin-work.js';
import { WatchedFunction } from './watched-function.js';
import type { Around, Callable } from './watched-function.js';

/** A response is there with its head. Reading the rest is work too; an endless stream is read by other means. */
const BODY_READERS = ['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text'] as const;

/** Everything that starts work by a call, each telling `begin` when it starts and what it got back when it ends. */
export function watchedFunctions(scope: PageScope, begin: BeginWork): WatchedFunction[] {
  const promised: Around = (target, self, args) => {
    const end = begin({ kind: 'request' });
    if (!end) return Reflect.apply(target, self, args);
    try {
      return whenSettled(Reflect.apply(target, self, args), end);
    } catch (error) {
      end();
      throw error;
    }
  };
  const page = (): object => scope;
  const timers = watchedTimers(begin);
  return [
    new WatchedFunction(page, 'fetch', promised),
    ...BODY_READERS.map((name) => new WatchedFunction(() => scope.Response?.prototype, name, promised)),
    new WatchedFunction(() => scope.XMLHttpRequest?.prototype, 'send', (target, self, args) => {
      const result = Reflect.apply(target, self, args);
      const request = self as XMLHttpRequest;
      // A synchronous one is done by now, and a listener of the page's may have aborted it.
      if (request.readyState > 0 && request.readyState < 4) {
        const end = begin({ kind: 'request' });
        if (end) request.addEventListener('loadend', end, { once: true });
      }
      return result;
    }),
    new WatchedFunction(page, 'setTimeout', timers.set),
    new WatchedFunction(page, 'clearTimeout', timers.clear),
    // Either clears the other's.
    new WatchedFunction(page, 'clearInterval', timers.clear),
    new WatchedFunction(() => scope.Document?.prototype, 'startViewTransition', (target, self, args) => {
      const transition = Reflect.apply(target, self, args) as ViewTransition;
      const end = begin({ kind: 'transition' });
      // Its rejection is never unhandled: the browser says so of the promise of the callback.
      if (end) transition.finished.then(end, end);
      return transition;
    }),
  ];
}

/**
 * Calls `end` when a promise has settled. A plain promise is followed by one that takes its place, so that a rejection
 * which the page does not handle is still reported as unhandled; any other thenable is the page's own and stays.
 */
function whenSettled(result: unknown, end: Release): unknown {
  if (isPlainPromise(result)) {
    return result.then(
      (value) => {
        end();
        return value;
      },
      (error: unknown) => {
        end();
        throw error;
      },
    );
  }
  const then = (result as Partial<PromiseLike<unknown>> | null | undefined)?.then;
  if (typeof then === 'function') then.call(result, end, end);
  else end();
  return result;
}

function isPlainPromise(value: unknown): value is Promise<unknown> {
  if (!(value instanceof Promise)) return false;
  return Object.getPrototypeOf(value) === Promise.prototype && Reflect.ownKeys(value).length === 0;
}

function watchedTimers(begin: BeginWork): { readonly set: Around; readonly clear: Around } {
  const ends = new Map<unknown, Release>();
  return {
    set(target, self, args) {
      const [callback, delay] = args;
      const counts = typeof callback === 'function' && !(OWN_TIMER in callback);
      const end = counts ? begin({ kind: 'timer', timerMs: waitOf(delay) }) : undefined;
      if (!end) return Reflect.apply(target, self, args);
      let timer: unknown;
      const ended = (): void => {
        ends.delete(timer);
        end();
      };
      const fired = function (this: unknown, ...given: unknown[]): unknown {
        try {
          return Reflect.apply(callback as Callable, this, given);
        } finally {
          ended();
        }
      };
      try {
        timer = Reflect.apply(target, self, [fired, ...args.slice(1)]);
      } catch (error) {
        end();
        throw error;
      }
      ends.set(timer, ended);
      return timer;
    },
    clear(target, self, args) {
      ends.get(args[0])?.();
      return Reflect.apply(target, self, args);
    },
  };
}

/** What a browser makes of a delay, for the kinds of values that are written there. */
function waitOf(delay: unknown): number {
  const ms = typeof delay === 'number' || typeof delay === 'string' ? Number(delay) : 0;
  return ms > 0 ? ms : 0;
}
