import { closestComposed } from './composed-tree.js';
import { documentParsed } from './document-parsed.js';
import { describeElement, warnMarkup } from './markup-warning.js';
import { OuiElement } from './oui-element.js';

/** Marks an element that other elements are parts of. The value is the usual name of its tag. */
export const PART_HOST: unique symbol = Symbol('oui-part-host');

/** An element that is made of parts: a surface of its actions, an action of its parameters. */
export interface PartHost extends Element {
  readonly [PART_HOST]: string;
  /** A part has arrived, has left, or says something else than before. */
  partChanged(part: PartElement, present: boolean): void;
}

/** Parts whose host is not there yet: its class may be registered later than theirs. */
const orphans = new Set<PartElement>();

/** Lets parts that were there first find a host that has just been connected. */
export function adoptOrphans(): void {
  for (const part of [...orphans]) part.seekHost();
}

/** Parts in the order in which they stand in the document. */
export function inDocumentOrder<T extends PartElement>(parts: Iterable<T>): T[] {
  return [...parts].sort((a, b) => (
    a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
}

/** An element that says something about the nearest element of another kind around it, through shadow roots too. */
export abstract class PartElement extends OuiElement {
  /** The usual tag of the elements it is a part of. */
  protected abstract readonly hostTag: string;

  #host: PartHost | null = null;

  /** The element it is a part of, once found. */
  get host(): PartHost | null {
    return this.#host;
  }

  /** Whether it works on other parts of the page, for which code must be loaded first. */
  get needsMarkup(): boolean {
    return false;
  }

  /** Looks for the host again. For `adoptOrphans`. */
  seekHost(): void {
    const host = closestComposed(this, (node): node is PartHost => (
      (node as Partial<PartHost>)[PART_HOST] === this.hostTag));
    if (host !== this.#host) this.#host?.partChanged(this, false);
    this.#host = host;
    if (host) {
      orphans.delete(this);
      host.partChanged(this, true);
    } else if (!orphans.has(this)) {
      orphans.add(this);
      void documentParsed(this.ownerDocument).then(() => this.#warnOrphan());
    }
  }

  protected override enter(): void {
    this.seekHost();
  }

  protected override moved(): void {
    this.seekHost();
  }

  protected override leave(): void {
    orphans.delete(this);
    this.#host?.partChanged(this, false);
    this.#host = null;
  }

  protected override updated(): void {
    this.#host?.partChanged(this, true);
  }

  #warnOrphan(): void {
    if (!orphans.has(this)) return;
    // An element around it that is not defined yet may turn out to be the host.
    const undefinedAbove = closestComposed(this, (node): node is Element => (
      node instanceof Element && node.matches(':not(:defined)')));
    if (undefinedAbove) return;
    warnMarkup(this, `stands outside of any <${this.hostTag}> and is ignored; put it inside one, next to `
      + `${describeElement(this) === `<${this.localName}>` ? 'its' : 'the'} others.`);
  }
}
