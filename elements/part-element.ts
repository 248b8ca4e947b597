import { closestComposed } from './composed-tree.js';
import { documentParsed } from './document-parsed.js';
import { describeElement, warnMarkup } from './markup-warning.js';
import { isElement } from './node-kind.js';
import { OuiElement } from './oui-element.js';
import { ContextRequestEvent } from './runtime-context.js';

/** Marks an element that other elements are parts of, in every copy of this library. The value is the usual name of its tag. */
export const PART_HOST: unique symbol = Symbol.for('oui-elements/part-host');

/** An element that is made of parts: a surface of its actions, an action of its parameters. */
export interface PartHost extends Element {
  readonly [PART_HOST]: string;
  /** A part has arrived, has left, or says something else than before. */
  partChanged(part: PartElement, present: boolean): void;
}

/**
 * Parts whose host is not there yet: its class may be registered later than theirs, by another copy of this library too.
 * Kept on their document.
 */
const ORPHANS: unique symbol = Symbol.for('oui-elements/orphans');

function orphansIn(document: Document): Set<PartElement> {
  const holder = document as { [ORPHANS]?: Set<PartElement> };
  return holder[ORPHANS] ??= new Set();
}

/** Answers parts that ask which element of the host's kind is the nearest around them. */
export function answerParts(host: PartHost): void {
  const context = hostContext(host[PART_HOST]);
  host.addEventListener('context-request', (event) => {
    const request = event as ContextRequestEvent;
    if (request.context !== context) return;
    event.stopImmediatePropagation();
    request.callback(host);
  });
}

/** Lets parts that were there first find a host that has just been connected. */
export function adoptOrphans(host: PartHost): void {
  for (const part of [...orphansIn(host.ownerDocument)]) part.seekHost();
}

/** Whether a part is of this kind, whichever copy of this library it is from. `tag`: the usual name. */
export function isPart(part: PartElement, tag: string): boolean {
  return (part.constructor as typeof PartElement).tag === tag;
}

function hostContext(hostTag: string): symbol {
  return Symbol.for(`oui-elements/${hostTag}`);
}

/** An event passes closed shadow roots too, where nobody can look from outside. */
function hostAround(part: Element, hostTag: string): PartHost | null {
  let host: PartHost | null = null;
  part.dispatchEvent(new ContextRequestEvent(hostContext(hostTag), part, (found) => {
    host = found as PartHost;
  }, false));
  return host;
}

/** Parts in the order in which they stand in the document; a shadow root comes before its host's own children. */
export function inDocumentOrder<T extends PartElement>(parts: Iterable<T>): T[] {
  return [...parts].sort((a, b) => (comesBefore(a, b) ? -1 : 1));
}

function comesBefore(a: Node, b: Node): boolean {
  const position = a.compareDocumentPosition(b);
  const follows = Boolean(position & Node.DOCUMENT_POSITION_FOLLOWING);
  if (!(position & Node.DOCUMENT_POSITION_DISCONNECTED)) return follows;
  // In different trees browsers answer as they like: compared are the hosts in the outermost tree in which they differ.
  const [from, to] = [hosts(a), hosts(b)];
  const depth = from.findIndex((each, at) => each !== to[at]);
  const [first, second] = [from[depth], to[depth]];
  if (!first || !second) return !first;
  return first === a && second === b ? follows : comesBefore(first, second);
}

/** The node itself, behind the hosts of the shadow roots that it is in, outermost first. */
function hosts(node: Node): Node[] {
  const list: Node[] = [];
  for (let at: Node | undefined = node; at; at = (at.getRootNode() as Partial<ShadowRoot>).host) list.unshift(at);
  return list;
}

/** An element that says something about the nearest element of another kind around it, through shadow roots too. */
export abstract class PartElement extends OuiElement {
  /** The usual tag of the elements it is a part of. */
  protected abstract readonly hostTag: string;

  #host: PartHost | null = null;
  #orphanIn: Set<PartElement> | null = null;

  /** The element it is a part of, once found. */
  get host(): PartHost | null {
    return this.#host;
  }

  /** What must be loaded before it can say what it declares, if anything: the code that works on the page. */
  preparation(): Promise<void> | null {
    return null;
  }

  /** Looks for the host again. For `adoptOrphans`. */
  seekHost(): void {
    const host = hostAround(this, this.hostTag);
    if (host !== this.#host) this.#host?.partChanged(this, false);
    this.#host = host;
    const orphans = host ? null : orphansIn(this.ownerDocument);
    const before = this.#orphanIn;
    if (before !== orphans) before?.delete(this);
    this.#orphanIn = orphans?.add(this) ?? null;
    if (host) host.partChanged(this, true);
    else if (before === null) void documentParsed(this.ownerDocument).then(() => this.#warnOrphan());
  }

  protected override enter(): void {
    this.seekHost();
  }

  protected override moved(): void {
    this.seekHost();
  }

  protected override leave(): void {
    this.#orphanIn?.delete(this);
    this.#orphanIn = null;
    this.#host?.partChanged(this, false);
    this.#host = null;
  }

  protected override updated(): void {
    this.#host?.partChanged(this, true);
  }

  #warnOrphan(): void {
    if (!this.#orphanIn) return;
    // An element around it that is not defined yet may turn out to be the host.
    const undefinedAbove = closestComposed(this, (node): node is Element => (
      isElement(node) && node.matches(':not(:defined)')));
    if (undefinedAbove) return;
    warnMarkup(this, `stands outside of any <${this.hostTag}> and is ignored; put it inside one, next to `
      + `${describeElement(this) === `<${this.localName}>` ? 'its' : 'the'} others.`);
  }
}
