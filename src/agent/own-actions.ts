import { RESERVED_SURFACE_ID } from '../protocol/author-ids.js';
import type { OUIAction, OUISurface } from '../protocol/manifest.js';

const own = (id: string, description: string): OUIAction => ({ id, description, effect: 'view', input: true });

/** The actions of the page's runtime itself (PROTOCOL.md §7). No page declares them; they run beside everything. */
export const OWN_SURFACE: OUISurface = {
  id: RESERVED_SURFACE_ID,
  name: 'Runtime',
  description: 'What the runtime of the page tells of it.',
  concurrent: true,
  actions: [
    own('describe', 'The definitions of actions that are known by their index entries.'),
    own('read', 'A part of an observation.'),
  ],
};

export const DESCRIBE = { surfaceId: RESERVED_SURFACE_ID, actionId: 'describe' } as const;
export const READ = { surfaceId: RESERVED_SURFACE_ID, actionId: 'read' } as const;
