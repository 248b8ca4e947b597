import { messageOf } from '../src/protocol/error-message.js';
import { warnOnce } from '../src/protocol/warn-once.js';
import * as WARNINGS from '../src/protocol/warning-codes.js';

/** What lets plugins in frames take part in a page: the agent's side of them, and all that forwards. */
export type FrameModule = typeof import('../src/bridges/mount-frame.js');

let loading: Promise<FrameModule | null> | undefined;

/** Loads the module, once: most pages have no plugins. Never rejects; without it one warning says so. */
export function loadFrames(): Promise<FrameModule | null> {
  return loading ??= import('../src/bridges/mount-frame.js').catch((error: unknown) => {
    warnOnce(WARNINGS.FRAMES_UNAVAILABLE, `The code for plugins in frames could not be loaded (${messageOf(error)}): `
      + 'what <oui-frame> shows takes no part in the page. Put oui.frame.js beside oui.js.');
    return null;
  });
}
