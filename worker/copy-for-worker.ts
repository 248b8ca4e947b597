import type { EngineInput } from '../src/protocol/engine-messages.js';
import { warnOnce } from '../src/protocol/warn-once.js';
import * as WARNINGS from '../src/protocol/warning-codes.js';
import type { ToWorker } from './port-messages.js';

/**
 * Posts a message to the worker. An input that cannot be copied, because the application put a function or a DOM node
 * into params or metadata, is sent as its JSON; one that has no JSON either is left out and reported (`OUI1302`).
 * Those that came with it are not affected.
 */
export function copyForWorker(message: ToWorker, post: (message: ToWorker) => void): void {
  try {
    post(message);
  } catch {
    post({ ...message, inputs: (message.inputs ?? []).flatMap(copyOfInput) });
  }
}

function copyOfInput(input: EngineInput): EngineInput[] {
  try {
    return [JSON.parse(JSON.stringify(input)) as EngineInput];
  } catch (error) {
    warnOnce(
      WARNINGS.INPUT_NOT_CLONEABLE,
      `Something of kind "${input.kind}" could not be given to the worker: ${String(error)}. Use JSON values only.`,
    );
    return [];
  }
}
