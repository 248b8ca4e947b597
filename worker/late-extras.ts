import { RESERVED_SURFACE_ID } from '../src/protocol/author-ids.js';
import type { EngineInput } from '../src/protocol/engine-messages.js';
import * as LIMITS from '../src/protocol/limits.js';
import { messageOf } from '../src/protocol/error-message.js';
import { isJsonObject } from '../src/protocol/shape.js';
import { setHostTimer } from '../src/protocol/timer.js';

/** What `engine-extras.ts` exports. */
export type EngineExtras = typeof import('./engine-extras.js');

let loaded: EngineExtras | undefined;
let loading: Promise<void> | undefined;

/** What was loaded. The driver lets nothing through that needs it earlier. */
export function extras(): EngineExtras {
  if (!loaded) throw new Error('oui.extras.js is used before it was loaded');
  return loaded;
}

/** Loads the extras when an input needs them and they are not there. @returns what the input has to wait for. */
export function extrasFor(input: EngineInput, url: string | undefined): Promise<void> | undefined {
  return loaded || !needsExtras(input) ? undefined : (loading ??= load(url));
}

/** It may say yes for nothing, to a property that is called "pattern"; never no to what needs them. */
function needsExtras(input: EngineInput): boolean {
  switch (input.kind) {
    case 'mount':
    case 'define':
      return JSON.stringify(input.surface).includes('"pattern');
    case 'message':
      return isJsonObject(input.message) && isForRuntime(input.message['payload']);
    case 'execute':
      return isForRuntime(input.request);
    case 'restore':
      return input.entries.some(({ request }) => isForRuntime(request));
    default:
      return false;
  }
}

function isForRuntime(request: unknown): boolean {
  return isJsonObject(request) && request['surfaceId'] === RESERVED_SURFACE_ID;
}

function load(url: string | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string): void => reject(new Error(`its part ${url ?? 'oui.extras.js'} ${reason}`));
    if (url === undefined) return fail('has no address: give extrasUrl');
    const cancel = setHostTimer(LIMITS.extrasMs, () => fail(`has not come within ${LIMITS.extrasMs / 1000} s`));
    (import(/* @vite-ignore */ url) as Promise<EngineExtras>).then(
      (module) => {
        loaded = module;
        resolve();
      },
      (error: unknown) => fail(`could not be loaded (${messageOf(error)})`),
    ).finally(cancel);
  });
}
