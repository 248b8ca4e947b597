import type { Release } from '../../../protocol/ports.js';
import { ActionWork } from './action-work.js';
import type { ActionWorkPorts } from './action-work.js';
import { watchNavigation } from './navigation.js';
import { watchedFunctions } from './watched-functions.js';
import type { WatchedFunction } from './watched-function.js';
import type { PageScope, BeginWork } from './begin-work.js';

/**
 * What is under way on a page, as far as it can be seen from outside: navigations always; requests, short timers and
 * view transitions where they are tracked (DESIGN.md, "Settle"). The page's functions are listened to only then, and
 * only while an action runs. Whose work it is cannot be told: it counts for every action that was running when it
 * began.
 */
export class PageWork {
  readonly #scope: PageScope;
  /** Not navigations only: when nothing is under way, the page has done what it had to do. */
  readonly tracked: boolean;
  readonly #actions = new Set<ActionWork>();
  #functions: readonly WatchedFunction[] | undefined;
  #leaveNavigation: Release | undefined;

  constructor(scope: PageScope, tracked: boolean) {
    this.#scope = scope;
    this.tracked = tracked;
  }

  /** A handler starts. What it returns is to be ended in any case. */
  begin(ports: ActionWorkPorts): ActionWork {
    const action = new ActionWork(ports, () => {
      if (this.#actions.delete(action) && this.#actions.size === 0) this.#stopListening();
    });
    this.#actions.add(action);
    if (this.#actions.size === 1) this.#listen();
    return action;
  }

  readonly #beginWork: BeginWork = (work) => {
    const actions = [...this.#actions].filter((action) => action.begun(work));
    if (actions.length === 0) return undefined;
    return () => {
      for (const action of actions) action.ended(work);
    };
  };

  #listen(): void {
    this.#functions ??= this.tracked ? watchedFunctions(this.#scope, this.#beginWork) : [];
    for (const each of this.#functions) each.install();
    this.#leaveNavigation = watchNavigation(this.#scope, this.#beginWork);
  }

  #stopListening(): void {
    this.#leaveNavigation?.();
    for (const each of this.#functions ?? []) each.remove();
  }
}

let trackedWork: PageWork | undefined;
let navigations: PageWork | undefined;

/** That of this page: several runtimes put one listener on a function, not one on top of the other. */
export function pageWork(tracked: boolean): PageWork {
  if (tracked) return (trackedWork ??= new PageWork(globalThis, true));
  return (navigations ??= new PageWork(globalThis, false));
}
