import { messageOf } from '../protocol/error-message.js';
import { EXTENSION } from '../protocol/events.js';
import type { OUIAttachmentRequest, OUIEvent } from '../protocol/events.js';
import * as LIMITS from '../protocol/limits.js';

/** So many bytes are turned to text at once: a call takes a limited number of arguments. */
const CHUNK = 8_192;

/**
 * The answer to a page that asks for bytes of an attachment. It may have any offset of what its call brings along,
 * and nothing else: what the call does not name, or has ended, is not there for it.
 *
 * @param attachment what the open call brings under this id
 */
export async function attachmentPart(
  { requestId, id, offset }: OUIAttachmentRequest,
  attachment: Blob | undefined,
): Promise<OUIEvent> {
  const type = EXTENSION.attachmentPart;
  const failed = (error: string): OUIEvent => ({ type, payload: { requestId, id, error } });
  if (!attachment) return failed('the agent has no attachment with this id; it may have expired, or be for another call');
  const { size: total, type: mediaType } = attachment;
  if (total > LIMITS.attachmentBytes) return failed(`it has ${total} bytes, and ${LIMITS.attachmentBytes} is the most`);
  if (!Number.isInteger(offset) || offset < 0 || offset > total) return failed(`it has ${total} bytes, and none at ${offset}`);
  try {
    const bytes = await attachment.slice(offset, offset + LIMITS.attachmentPartBytes).arrayBuffer();
    const data = toBase64(new Uint8Array(bytes));
    return { type, payload: { requestId, id, offset, total, name: nameOf(attachment), mediaType, data } };
  } catch (error) {
    return failed(`the agent could not read it: ${messageOf(error)}`);
  }
}

function nameOf(attachment: Blob): string {
  const { name } = attachment as { readonly name?: unknown };
  return typeof name === 'string' && name !== '' ? name : 'attachment';
}

function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += CHUNK) text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(text);
}
