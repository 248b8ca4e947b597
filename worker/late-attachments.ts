import type { misplacedAttachments as misplacedWhole } from '../src/rules/attachment-schema.js';
import type { attachmentUses as usesWhole } from '../src/rules/declared-attachments.js';
import { loadedExtras } from './late-extras.js';

/**
 * In the worker's script in the place of `attachment-schema.ts` and `declared-attachments.ts`, which come with the
 * extras: until then no schema has declared an attachment.
 */
export const misplacedAttachments: typeof misplacedWhole = (input) => loadedExtras()?.misplacedAttachments(input) ?? [];

export const attachmentUses: typeof usesWhole = (...of) => loadedExtras()?.attachmentUses(...of) ?? [];
