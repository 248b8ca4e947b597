import type { ActionDefinition } from '../src/surface/definition/definition.js';
import { closestComposed } from './composed-tree.js';
import { markupModule } from './markup-loader.js';
import { warnMarkup } from './markup-warning.js';
import { memberIdOf } from './member-id.js';
import { PART_HOST } from './part-element.js';
import type { PartHost } from './part-element.js';
import type { PageAction } from './page/markup-alone.js';

const TOOLS = 'form[toolname]';
const ATTRIBUTES = ['toolname', 'tooldescription', 'toolautosubmit'];

/** An action that a form's own attributes declare. */
export interface ToolForm {
  readonly form: HTMLFormElement;
  readonly definition: ActionDefinition;
}

/** The forms within a surface that WebMCP's attributes make actions: `toolname` and `tooldescription`. */
export class ToolForms {
  readonly #surface: PartHost;
  readonly #changed: () => void;
  #observer: MutationObserver | null = null;
  readonly #actions = new Map<HTMLFormElement, PageAction>();

  constructor(surface: PartHost, changed: () => void) {
    this.#surface = surface;
    this.#changed = changed;
  }

  start(): void {
    this.#observer ??= new MutationObserver((records) => {
      if (records.some(isTelling)) this.#changed();
    });
    this.#observer.observe(this.#surface, {
      subtree: true, childList: true, attributes: true, attributeFilter: ATTRIBUTES,
    });
  }

  stop(): void {
    this.#observer?.disconnect();
    this.#keep([]);
  }

  /** Those that belong to no surface further in. */
  forms(): HTMLFormElement[] {
    const isHost = (node: Node): node is PartHost => (node as Partial<PartHost>)[PART_HOST] === 'oui-surface';
    return [...this.#surface.querySelectorAll<HTMLFormElement>(TOOLS)]
      .filter((form) => closestComposed(form, isHost) === this.#surface);
  }

  /** What they declare. `taken`: forms that an `<oui-action>` speaks for. */
  definitions(taken: ReadonlySet<Element>): ToolForm[] {
    const module = markupModule();
    const forms = module ? this.forms().filter((form) => !taken.has(form)) : [];
    this.#keep(forms);
    return forms.flatMap((form) => {
      // Tools are called `addTodo`, `search-cars`, `Search flights`; actions `add_todo`.
      const id = memberIdOf(form.getAttribute('toolname')!);
      const description = form.getAttribute('tooldescription')?.trim();
      // Ids have two characters at least.
      if (id.length < 2 || !description) {
        warnMarkup(form, description
          ? 'has a toolname without letters, or with only one, and is left out of its surface. Write one such as '
            + 'toolname="search_cars".'
          : 'has a toolname and no tooldescription: it is left out of its surface until it says what it does.');
        return [];
      }
      let action = this.#actions.get(form);
      if (!action) this.#actions.set(form, action = module!.createToolAction(form, this.#changed));
      const kept = action;
      const definition: ActionDefinition = {
        id,
        description,
        input: kept.input(),
        enabled: () => kept.enabled(),
        handler: (params, _context, call) => kept.run(params, call),
      };
      return [{ form, definition }];
    });
  }

  #keep(forms: readonly HTMLFormElement[]): void {
    for (const [form, action] of this.#actions) {
      if (forms.includes(form)) continue;
      action.release();
      this.#actions.delete(form);
    }
  }
}

function isTelling({ type, addedNodes, removedNodes }: MutationRecord): boolean {
  // Nodes that came from another window are no `Element` of this one.
  return type === 'attributes' || [...addedNodes, ...removedNodes].some((node) => (
    isElement(node) && (node.matches(TOOLS) || node.querySelector(TOOLS) !== null)));
}

function isElement(node: Node): node is Element {
  return node.nodeType === Node.ELEMENT_NODE;
}
