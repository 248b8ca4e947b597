import type { Release } from '../src/protocol/ports.js';
import { keptPause } from './kept-pause.js';
import { runtimesIn } from './runtime-context.js';

/** What an `<oui-presence>` is to those who want agents stopped. */
export interface StopSign extends Element {
  /** Stops agents as its button does. */
  stop(): void;
  /** The user can see it, or will once an agent does something: they can resume by it. */
  readonly serves: boolean;
  /** Its word is about every runtime of the document. */
  readonly speaksForAll: boolean;
}

/** The signs of a document, in whatever tree they stand; and the one that was made because there was none. */
interface DocumentSigns {
  readonly signs: Set<StopSign>;
  made: Element | null;
}

const TAG = 'oui-presence';

/** Kept on the document itself, for other copies of this library: its shape stays. */
const IN_DOCUMENT: unique symbol = Symbol.for('oui-elements/signs');

function signsOf(document: Document): DocumentSigns {
  const holder = document as { [IN_DOCUMENT]?: DocumentSigns };
  return holder[IN_DOCUMENT] ??= { signs: new Set(), made: null };
}

/** Makes a sign known to its document. One of the page's own that speaks for all takes the place of one that was made here. */
export function addSign(sign: StopSign): Release {
  const known = signsOf(sign.ownerDocument);
  known.signs.add(sign);
  if (known.made && known.made !== sign && sign.serves && sign.speaksForAll) {
    known.made.remove();
    known.made = null;
  }
  return () => known.signs.delete(sign);
}

/**
 * What stops the agents of a document in a way that its user can take back: its signs, or one that is made at that
 * moment. `null` where there is neither a sign nor its class, or no runtime that a new one would speak for.
 */
export function agentStopper(document: Document): (() => void) | null {
  if (serving(document).length === 0 && !(isDefined(document) && runtimesIn(document).length > 0)) return null;
  return () => {
    if (!hasSignForAll(document) && runtimesIn(document).length > 0) makeSign(document);
    for (const sign of serving(document)) sign.stop();
  };
}

/** A page whose agents were stopped in an earlier document shows by what they are resumed, with or without its own. */
export function seeToSign(document: Document): void {
  if (keptPause() && !hasSignForAll(document) && isDefined(document)) makeSign(document);
}

function serving(document: Document): StopSign[] {
  return [...signsOf(document).signs].filter(({ serves }) => serves);
}

/** One of one runtime's stops no other. */
function hasSignForAll(document: Document): boolean {
  return serving(document).some(({ speaksForAll }) => speaksForAll);
}

function isDefined({ defaultView }: Document): boolean {
  return defaultView?.customElements.get(TAG) !== undefined;
}

/** Beside the body: a page that replaces all of it does not take away the only way to resume. */
function makeSign(document: Document): void {
  const sign = document.createElement(TAG);
  signsOf(document).made = sign;
  document.documentElement.append(sign);
}
