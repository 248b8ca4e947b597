import type { EngineInput } from '../src/protocol/engine-messages.js';
import * as LIMITS from '../src/protocol/limits.js';
import { messageOf } from '../src/protocol/error-message.js';
import { setHostTimer } from '../src/protocol/timer.js';
import { ExtrasNeed } from './extras-need.js';

/** What `engine-extras.ts` exports. */
export type EngineExtras = typeof import('./engine-extras.js');

/** All that it must have: a script of another version, such as one from a cache, may lack some of it. */
const PARTS: { readonly [name in keyof EngineExtras]: true } = {
  OwnActions: true,
  attachmentUses: true,
  cutValues: true,
  guardedPatterns: true,
  misplacedAttachments: true,
  outlineValue: true,
  surfaceIndex: true,
};

let loaded: EngineExtras | undefined;
let loading: Promise<void> | undefined;
const need = new ExtrasNeed();

export function loadedExtras(): EngineExtras | undefined {
  return loaded;
}

/** What was loaded. The driver lets nothing through that needs it earlier. */
export function extras(): EngineExtras {
  if (!loaded) throw new Error('oui.extras.js is used before it was loaded');
  return loaded;
}

/** Loads the extras when an input needs them and they are not there. @returns what the input has to wait for. */
export function extrasFor(input: EngineInput, url: string | undefined): Promise<void> | undefined {
  return loaded || !need.of(input) ? undefined : (loading ??= load(url));
}

function load(url: string | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string): void => reject(new Error(`its part ${url ?? 'oui.extras.js'} ${reason}`));
    if (url === undefined) return fail('has no address: give extrasUrl');
    const cancel = setHostTimer(LIMITS.extrasMs, () => fail(`has not come within ${LIMITS.extrasMs / 1000} s`));
    (import(/* @vite-ignore */ url) as Promise<EngineExtras>).then(
      (module) => {
        const missing = Object.keys(PARTS).find((name) => typeof module[name as keyof EngineExtras] !== 'function');
        if (missing !== undefined) return fail(`has no ${missing}: it is another script, or of another version`);
        loaded = module;
        resolve();
      },
      (error: unknown) => fail(`could not be loaded (${messageOf(error)})`),
    ).finally(cancel);
  });
}
