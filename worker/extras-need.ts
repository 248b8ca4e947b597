import { RESERVED_SURFACE_ID } from '../src/protocol/author-ids.js';
import type { EngineInput } from '../src/protocol/engine-messages.js';
import * as LIMITS from '../src/protocol/limits.js';
import { isJsonObject } from '../src/protocol/shape.js';

/** What a frame has around its values: ids, an error's text, the envelope. */
const AROUND_BYTES = 16 * 1024;

/**
 * Tells which inputs need `oui.extras.js`. It may say yes for nothing; the price is one small file. Never no to what
 * needs them.
 *
 * - A schema with a pattern, or an attachment. A property that is called "pattern" looks the same.
 * - A request for the runtime's own surface.
 * - The index form, and what must be cut to fit into a frame. A frame holds no more than what has come, at three bytes
 *   for a unit of text: nothing is cut, and no manifest is too large, before so much has come. It is counted and never
 *   taken back, so a page that changes for hours loads the extras in the end.
 */
export class ExtrasNeed {
  #units = 0;
  #roomBytes: number = LIMITS.frameBytes;

  of(input: EngineInput): boolean {
    return this.#isNamed(input) || this.#units * 3 + AROUND_BYTES > this.#roomBytes;
  }

  #isNamed(input: EngineInput): boolean {
    switch (input.kind) {
      case 'configure': {
        const { form, budgets } = input.config;
        this.#limit(Math.min(budgets.resultBytes, budgets.updateBytes));
        return form === 'index';
      }
      case 'connected':
        this.#limit(input.frameBytes);
        return false;
      case 'mount':
      case 'define': {
        const text = JSON.stringify(input.surface);
        this.#units += text.length;
        return text.includes('"pattern') || text.includes('oui-attachment"');
      }
      case 'message':
        return isJsonObject(input.message) && isForRuntime(input.message['payload']);
      case 'execute':
        return isForRuntime(input.request);
      case 'restore':
        this.#count(input.entries);
        return input.entries.some(({ request }) => isForRuntime(request));
      case 'observe':
      case 'observed':
      case 'returned':
      case 'dispatched':
      case 'progress':
      case 'loaded':
        this.#count(input);
        return false;
      default:
        return false;
    }
  }

  #limit(bytes = Infinity): void {
    this.#roomBytes = Math.min(this.#roomBytes, bytes);
  }

  /** The texts at any depth: JSON texts, and those of errors. */
  #count(value: unknown): void {
    if (typeof value === 'string') this.#units += value.length;
    else if (typeof value === 'object' && value !== null) for (const member of Object.values(value)) this.#count(member);
    // Digits and the like.
    else this.#units += 8;
  }
}

function isForRuntime(request: unknown): boolean {
  return isJsonObject(request) && request['surfaceId'] === RESERVED_SURFACE_ID;
}
