import type { JSONSchema } from '../../src/protocol/json.js';
import type { ActionCall, ActionParams } from '../../src/surface/definition/definition.js';
import { describeElement, warnMarkup } from '../markup-warning.js';
import { withAgentEvents } from './agent-event.js';
import type { TextSources } from './control-texts.js';
import { elementsOf } from './form-controls.js';
import { fillForm, isSubmitButton, refused, submitButton, submitForm, whyInvalid } from './fill-form.js';
import { formSchema } from './form-schema.js';
import { isPressable, press, whyBehindDialog, whyNotPressable, whyOutOfReach } from './press.js';
import { TargetWatch } from './target-watch.js';

/** A target that is not there after this (ms) gets a warning: rendering is over by then. */
const LATE_MS = 1000;

/** An action that a form, a button or a link of the page does. */
export interface PageAction {
  /** The element that does it; `null` while there is none. */
  readonly target: Element | null;
  /** The input that follows from a form; that of a button has no properties. */
  input(): JSONSchema;
  /** Whether it can be used now, or why not. */
  enabled(): true | string;
  /** Fills in and submits, or presses. */
  run(params: ActionParams, call: ActionCall): Promise<unknown>;
  release(): void;
}

export interface PageActionOptions {
  /** The element that declares the action, for warnings. */
  readonly element: Element;
  /** The target as it is now. */
  find(): HTMLElement | null;
  /** What is missing when there is none, in words. */
  readonly missing: string;
  /** `false`: the form is filled in, and the person submits it. */
  submits(): boolean;
  /** Its input or its availability is another now. */
  changed(): void;
}

/**
 * The action of a given element, or of the one that `for` names. That is looked up anew whenever it matters: in the tree
 * of the element that declares the action, then in the trees around it, the document's last.
 */
export function createTargetAction(element: Element, target: string | Element, changed: () => void): PageAction {
  if (typeof target !== 'string') {
    const find = (): HTMLElement | null => (target.isConnected ? target as HTMLElement : null);
    const missing = `its .target, ${describeElement(target)}, is not in the page`;
    return new TargetAction([target.getRootNode()], { element, find, missing, submits: () => true, changed });
  }
  const id = target.replace(/^#/, '');
  if (id !== target) warnMarkup(element, `has for="${target}": that is taken for the id "${id}". Write for="${id}".`);
  const roots = rootsAround(element);
  const find = (): HTMLElement | null => {
    for (const root of roots) {
      const found = root.getElementById?.(id);
      if (found) return found;
    }
    return null;
  };
  const same = roots[0]?.querySelectorAll?.(`#${CSS.escape(id)}`).length ?? 0;
  if (same > 1) warnMarkup(element, `has for="${id}", an id that ${same} elements have; the first of them is used.`);
  const missing = `no element of the page has the id "${id}"`;
  return new TargetAction(roots, { element, find, missing, submits: () => true, changed });
}

function rootsAround(element: Element): (Document | ShadowRoot)[] {
  const roots: (Document | ShadowRoot)[] = [];
  for (let at: Element | undefined = element; at; at = (roots.at(-1) as Partial<ShadowRoot>).host) {
    roots.push(at.getRootNode() as Document | ShadowRoot);
  }
  return roots;
}

/** The action of a form that WebMCP's attributes declare. */
export function createToolAction(form: HTMLFormElement, changed: () => void): PageAction {
  const submits = (): boolean => form.hasAttribute('toolautosubmit');
  const find = (): HTMLElement | null => (form.isConnected ? form : null);
  return new TargetAction([form.getRootNode()], { element: form, find, missing: 'its form is gone', submits, changed });
}

class TargetAction implements PageAction {
  readonly #options: PageActionOptions;
  readonly #watch: TargetWatch;
  readonly #late: ReturnType<typeof setTimeout>;
  /** What was said last, and of which element. */
  #enabled: true | string = true;
  #input = '';

  constructor(roots: readonly Node[], options: PageActionOptions) {
    const { changed, find } = this.#options = options;
    const look = (): void => {
      const before = this.#enabled;
      if (before !== this.enabled()) changed();
    };
    this.#watch = new TargetWatch(roots, {
      find,
      changed: () => {
        const before = this.#input;
        this.input();
        if (before === this.#input) look();
        else changed();
      },
      moved: look,
    });
    this.#late = setTimeout(() => {
      if (find()) return;
      warnMarkup(options.element, `cannot be used: ${options.missing}. It is offered as not available until there is one.`);
    }, LATE_MS);
  }

  get target(): HTMLElement | null {
    return this.#options.find();
  }

  input(): JSONSchema {
    const target = this.#options.find();
    const sources: TextSources = { outside: new Set(), missing: new Set() };
    const schema = isForm(target) ? formSchema(target, sources) : { type: 'object', properties: {} };
    if (target && !isForm(target)) this.#checkPressable(target);
    this.#watch.follow(target, sources);
    this.#input = JSON.stringify(schema);
    return schema;
  }

  enabled(): true | string {
    return (this.#enabled = this.#reason() || true);
  }

  async run(params: ActionParams, { signal }: ActionCall): Promise<unknown> {
    const target = this.#target();
    const reason = whyBehindDialog(target);
    if (reason) return refused(reason);
    if (!isForm(target)) return pressed(target);
    const failure = await fillForm(() => this.#form(), params, signal);
    if (failure) return failure;
    if (this.#options.submits()) return submitForm(this.#form());
    submitButton(this.#form())?.focus();
    return { submitted: false, message: 'The form is filled in. It is for the user to check and to submit it.' };
  }

  release(): void {
    clearTimeout(this.#late);
    this.#watch.end();
  }

  /** Why a person could not use it now. */
  #reason(): string {
    const { find, missing } = this.#options;
    const target = find();
    if (!target) return missing;
    if (!isForm(target)) return whyNotPressable(target);
    return whyOutOfReach(target, [target, ...elementsOf(target)]);
  }

  #target(): HTMLElement {
    const target = this.#options.find();
    if (target) return target;
    throw new Error(`${describeElement(this.#options.element)} cannot go on: ${this.#options.missing} any more. `
      + 'See with the observations what the page shows now.');
  }

  #form(): HTMLFormElement {
    const target = this.#target();
    if (isForm(target)) return target;
    throw new Error(`${describeElement(target)} has taken the form's place while it was being filled in.`);
  }

  #checkPressable(target: HTMLElement): void {
    if (isPressable(target)) return;
    warnMarkup(this.#options.element, `is for ${describeElement(target)}, which is neither a form nor anything to be `
      + 'pressed. Give for the id of a <form>, a <button> or a link.');
  }
}

/** A button that submits is not pressed in vain: what the browser would refuse is told. */
function pressed(target: HTMLElement): unknown {
  const { form } = target as Partial<HTMLButtonElement>;
  const refusal = form && isSubmitButton(target) ? whyInvalid(form, target) : undefined;
  return refusal ?? withAgentEvents(target, () => press(target)).answer?.value;
}

function isForm(target: HTMLElement | null): target is HTMLFormElement {
  return target?.localName === 'form';
}
