import * as WARNINGS from '../src/protocol/warning-codes.js';
import { loadOnce } from './load-once.js';

/** Loads what lets plugins in frames take part in a page: the agent's side of them, and all that forwards. */
export const loadFrames = loadOnce(
  () => import('../src/bridges/mount-frame.js'),
  WARNINGS.FRAMES_UNAVAILABLE,
  (why) => `The code for plugins in frames could not be loaded (${why}): what <oui-frame> shows takes no part in the page. `
    + 'Put oui.frame.js beside oui.js.',
);
