import * as ERROR_CODES from '../protocol/error-codes.js';
import type { AttachmentStore } from './attachment-store.js';
import { ATTACHMENTS_PATH } from './hub-address.js';
import type { ListedTool } from './listed-tool.js';
import type { ToolOutcome } from './tool-outcome.js';
import type { ToolInputSchema } from './tool-schema.js';

export const ATTACH_TOOL = 'oui_attach';

/** What the description of a tool that takes attachments says beside the page's words. */
export const ATTACH_HINT = `Hand the file in with ${ATTACH_TOOL} first: it gives the id.`;

export const ATTACH_SCHEMA = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 255, description: 'Its file name, such as "logo.png".' },
    mediaType: {
      type: 'string',
      pattern: '^[^\\s/]+/[^\\s/]+$',
      description: 'What it is, such as "image/png" or "text/csv".',
    },
    text: { type: 'string', description: 'All of it, when it is a text.' },
    base64: { type: 'string', description: 'All of it in Base64, when it is no text.' },
  },
  required: ['name', 'mediaType'],
  additionalProperties: false,
} as const satisfies ToolInputSchema;

export const ATTACH: ListedTool = {
  name: ATTACH_TOOL,
  title: 'Hand in a file',
  description:
    'Hands in a file for tools that take an attachment, and gives the id that their parameters want: {attachment}. ' +
    'Give its content as "text" or as "base64", one of the two. The id is yours alone, and good for an hour. A file ' +
    `of more than 3 MB, or one on this machine, can be posted to ${ATTACHMENTS_PATH}?name=NAME of this hub instead, ` +
    'with its Content-Type, which answers with the id too.',
  inputSchema: ATTACH_SCHEMA,
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  _meta: {},
};

interface AttachArgs {
  readonly name: string;
  readonly mediaType: string;
  readonly text?: string;
  readonly base64?: string;
}

/** @param caller whose the attachment is */
export function attach(store: AttachmentStore, args: AttachArgs, caller: string | undefined): ToolOutcome {
  const { name, mediaType, text, base64 } = args;
  if ((text === undefined) === (base64 === undefined)) return failed('Give its content as "text" or as "base64".');
  const bytes = text === undefined ? fromBase64(base64 ?? '') : Buffer.from(text);
  if (!bytes) return failed('"base64" is not Base64: give the bytes alone, without a prefix such as "data:".');
  const data = store.add({ name, mediaType, bytes }, caller);
  return typeof data === 'string' ? failed(data) : { data, settled: true, observations: {} };
}

/** Node skips what is no Base64; a file with holes helps nobody. */
function fromBase64(text: string): Buffer | undefined {
  const bare = text.replace(/\s+/g, '');
  return /^[A-Za-z0-9+/]*={0,2}$/.test(bare) && bare.length % 4 === 0 ? Buffer.from(bare, 'base64') : undefined;
}

function failed(message: string): ToolOutcome {
  return { error: { code: ERROR_CODES.INVALID_PARAMS, message }, settled: true, observations: {} };
}
