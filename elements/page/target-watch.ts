import type { Release } from '../../src/protocol/ports.js';
import type { TextSources } from './control-texts.js';
import { elementsOf } from './form-controls.js';
import type { Control } from './form-controls.js';
import { watchTree } from './tree-watch.js';

/** Attributes of a form's elements that its schema comes from. Styles are not among them. */
const CONTENT = ('accept aria-description aria-describedby aria-hidden aria-label aria-labelledby checked '
  + 'data-oui-private disabled for form hidden id inert label list max maxlength min minlength multiple name pattern '
  + 'placeholder readonly required role selected size step title toolparamdescription toolparamtitle type value')
  .split(' ');
/** Attributes of what stands around an element by which it comes within reach and out of it. */
const REACH = ['hidden', 'inert', 'open', 'class', 'style', 'disabled', 'aria-disabled'];

export interface TargetEvents {
  /** The element that it is now. */
  find(): HTMLElement | null;
  /** Its content says something else, or it is another element. */
  changed(): void;
  /** It may be within reach now, or out of it. */
  moved(): void;
}

/** Follows an element that an action works on: which one it is, what it holds, and whether it is within reach. */
export class TargetWatch {
  readonly #events: TargetEvents;
  readonly #content = new MutationObserver(() => this.#events.changed());
  readonly #reach = new MutationObserver(() => this.#events.moved());
  readonly #unwatch: readonly Release[];
  #target: HTMLElement | null = null;
  #controls: readonly Control[] = [];
  #missing: ReadonlySet<string> = new Set();
  /** Names of elements that are waited for: once defined, they may be controls. */
  readonly #undefined = new Set<string>();
  #ended = false;

  /** `roots`: the trees that the target, or what stands around it, may be in. */
  constructor(roots: readonly Node[], events: TargetEvents) {
    this.#events = events;
    this.#unwatch = roots.map((root) => watchTree(root, 'structure', (records) => {
      if (this.#differs(records)) this.#events.changed();
    }));
  }

  /** What the last look found is what is followed from here on. */
  follow(target: HTMLElement | null, sources: TextSources): void {
    this.#target = target;
    this.#missing = sources.missing;
    this.#controls = target?.localName === 'form' ? elementsOf(target as HTMLFormElement) : [];
    this.#content.disconnect();
    this.#reach.disconnect();
    if (!target) return;
    for (const { localName } of target.querySelectorAll(':not(:defined)')) this.#awaitDefinition(localName);
    const outside = this.#controls.filter((control) => !target.contains(control));
    const all = { attributes: true, childList: true, subtree: true, characterData: true, attributeFilter: CONTENT };
    for (const each of [target, ...outside, ...sources.outside]) this.#content.observe(each, all);
    for (let at: Element | null = target; at; at = at.parentElement) {
      this.#reach.observe(at, { attributes: true, attributeFilter: REACH });
    }
  }

  end(): void {
    this.#ended = true;
    for (const unwatch of this.#unwatch) unwatch();
    this.#content.disconnect();
    this.#reach.disconnect();
  }

  #awaitDefinition(name: string): void {
    if (this.#undefined.has(name)) return;
    this.#undefined.add(name);
    void customElements.whenDefined(name).then(() => {
      if (!this.#ended) this.#events.changed();
    }, () => {});
  }

  /** Whether something came or went that matters here. The form's own content is followed by itself. */
  #differs(records: readonly MutationRecord[]): boolean {
    const target = this.#events.find();
    if (target !== this.#target) return true;
    if (target?.localName !== 'form') return false;
    const controls = elementsOf(target as HTMLFormElement);
    if (controls.length !== this.#controls.length || controls.some((each, at) => each !== this.#controls[at])) return true;
    const root = target.getRootNode() as Partial<Document | ShadowRoot>;
    if ([...this.#missing].some((id) => root.getElementById?.(id))) return true;
    return records.some(({ addedNodes, removedNodes, target: at }) => (
      !target.contains(at) && [...addedNodes, ...removedNodes].some(hasLabel)));
  }
}

/** Told by its kind: a node that came from another window is no `Element` of this one. */
function hasLabel(node: Node): boolean {
  if (node.nodeType !== Node.ELEMENT_NODE) return false;
  const { localName } = node as Element;
  return localName === 'label' || (node as Element).querySelector('label') !== null;
}
