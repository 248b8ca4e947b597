import * as LIMITS from '../../src/protocol/limits.js';

/**
 * Hands the user a file to keep. Its address stays good for a while: browsers read it in their own time, after a question
 * where to put it, for one, and none of them says when it is done. It goes with the document at the latest.
 */
export function saveFile(document: Document, name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), LIMITS.savedFileMs);
}
