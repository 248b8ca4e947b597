import type { JSONSchema } from '../src/protocol/json.js';
import type { OUIActionEffect } from '../src/protocol/manifest.js';
import type {
  ActionCall,
  ActionDefinition,
  ActionHandler,
  ActionParams,
  ActionPolling,
} from '../src/surface/definition/definition.js';
import { declaredSchema, schemaScript } from './declared-schema.js';
import { given } from './given-members.js';
import { markupModule, markupPreparation } from './markup-loader.js';
import { allowedValue, describeElement, warnMarkup } from './markup-warning.js';
import { ACCESSOR, FLAG, JSON_OR_VALUE, RICH, TEXT } from './oui-element.js';
import { dispatchAction, OuiActionEvent } from './oui-action-event.js';
import { OuiParamElement } from './oui-param.js';
import { adoptOrphans, answerParts, inDocumentOrder, isPart, PART_HOST, PartElement } from './part-element.js';
import type { PartHost } from './part-element.js';
import type { PageAction } from './page/markup-alone.js';

export { OuiActionEvent } from './oui-action-event.js';

const EFFECTS: readonly OUIActionEffect[] = [
  'view', 'selection', 'navigate', 'open', 'edit', 'file', 'mutate', 'job', 'transaction',
];

/**
 * An action that the surface around it offers to agents (specification §4.1).
 *
 * Its input is declared in one of these places, looked at in this order: the `input` attribute or property,
 * `input-from`, `<oui-param>` children, a child `<script type="application/schema+json">`. Without any, the action
 * takes no parameters.
 * Its work is done by the `.handler` property, or by a listener of `oui-action` on it or around it.
 *
 * With `for` it needs neither: the form that has this id is filled in and submitted, the button or link pressed. One in
 * the shadow root of another component is given as `.target`, or the action stands in there, next to it. The
 * input follows from the form's controls, unless it is declared. The form's own `submit` listener may answer with
 * `event.respondWith(data)`; otherwise the observations are the answer.
 *
 * @tag oui-action
 * @attr {string} action-id - Lowercase letters, digits and `_`; unique within the surface. Required.
 * @attr {string} label - A short title, for people.
 * @attr {string} description - What it does, for the agent. Required.
 * @attr {string} for - Id of the form, button or link that does it: in the element's own document or shadow root, else in
 * one around it.
 * @attr {'view'|'selection'|'navigate'|'open'|'edit'|'file'|'mutate'|'job'|'transaction'} effect - What it does to the
 * page or beyond: `view` to `open` only read, the others write. A `transaction` always asks the user.
 * @attr {boolean} confirm - The user is asked first.
 * @attr {boolean} async - Acknowledged at once, answered again when it ends.
 * @attr {boolean} single-flight - A new job of it ends the older one.
 * @attr {boolean} resumable - Its job goes on through a reload; needs `.polling` to be followed by.
 * @attr {'sync'|'none'} settle - What the result waits for: `sync` rendering only, `none` nothing; by default a quiet
 * page.
 * @attr {string} usage - When to use it.
 * @attr {string} preconditions - What must be true first.
 * @attr {string} estimated-duration - `instant`, `1-5s`, …
 * @attr {string} tags - Separated by spaces or commas.
 * @attr {boolean} disabled - Declared, but not available now.
 * @attr {string} disabled-reason - Why, for the agent.
 * @attr {string} input - JSON Schema of the parameters.
 * @attr {string} input-from - Selector of an element whose text is that schema.
 * @attr {string} output - JSON Schema of the result's data.
 * @fires {OuiActionEvent} oui-action - An agent wants it run. Answer with `event.respondWith(…)`.
 */
export class OuiActionElement extends PartElement implements PartHost {
  static override readonly tag = 'oui-action';

  static override properties = {
    actionId: TEXT,
    label: TEXT,
    description: TEXT,
    for: TEXT,
    effect: TEXT,
    confirm: FLAG,
    async: FLAG,
    singleFlight: FLAG,
    resumable: FLAG,
    polling: RICH,
    settle: TEXT,
    usage: TEXT,
    preconditions: TEXT,
    estimatedDuration: TEXT,
    tags: TEXT,
    disabled: FLAG,
    disabledReason: TEXT,
    input: JSON_OR_VALUE,
    inputFrom: TEXT,
    output: JSON_OR_VALUE,
    handler: RICH,
    target: ACCESSOR,
  };

  declare actionId: string;
  declare label: string;
  declare description: string;
  declare for: string;
  declare effect: string;
  declare confirm: boolean;
  declare async: boolean;
  declare singleFlight: boolean;
  declare resumable: boolean;
  /** How the job that the handler starts is followed. */
  declare polling: ActionPolling | null;
  declare settle: string;
  declare usage: string;
  declare preconditions: string;
  declare estimatedDuration: string;
  /** A list, or words separated by spaces or commas. */
  declare tags: string | readonly string[];
  declare disabled: boolean;
  declare disabledReason: string;
  /** The schema, or its JSON. */
  declare input: JSONSchema | string | null;
  declare inputFrom: string;
  /** The schema, or its JSON. */
  declare output: JSONSchema | string | null;
  /** Does the work. Without one, the `oui-action` event asks for it. */
  declare handler: ActionHandler<unknown> | null;

  readonly [PART_HOST] = 'oui-action';
  protected override readonly hostTag = 'oui-surface';
  readonly #params = new Set<OuiParamElement>();
  #target: Element | null = null;
  #page: { readonly target: string | Element; readonly root: Node; readonly action: PageAction } | null = null;

  constructor() {
    super();
    answerParts(this);
  }

  override preparation(): Promise<void> | null {
    return this.#target ?? this.for ? markupPreparation() : null;
  }

  /**
   * The form, button or link that does it: the one that was set, else the one that `for` names; `null` while there is none.
   * Set it where `for` does not reach, such as in the shadow root of another component.
   */
  get target(): Element | null {
    return this.#target ?? this.#page?.action.target ?? null;
  }

  set target(target: Element | null) {
    this.#target = target ?? null;
    this.requestUpdate();
  }

  /** A parameter came, went or changed. */
  partChanged(part: PartElement, present: boolean): void {
    if (!isPart(part, OuiParamElement.tag)) return;
    if (present) this.#params.add(part as OuiParamElement);
    else this.#params.delete(part as OuiParamElement);
    this.requestUpdate();
  }

  /** What the surface declares for it; `null` when the markup is not enough for an action, which is warned about. */
  definition(surfaceId: string): ActionDefinition | null {
    const { actionId, description, disabled } = this;
    if (!actionId) return this.#refuse('needs an action-id, such as action-id="add_todo"');
    if (!description) return this.#refuse('needs a description: the agent chooses by it');
    const page = this.#pageAction();
    if (page === null) return null;
    const input = this.#input(page);
    const output = this.#outputSchema();
    if (input === null || output === null) return null;
    const tags = typeof this.tags === 'string' ? this.tags.split(/[\s,]+/).filter(Boolean) : this.tags;
    const effect = allowedValue(this, 'effect', this.effect, EFFECTS);
    const settle = allowedValue(this, 'settle', this.settle, ['none', 'sync'] as const);
    const { label: title, confirm, async, singleFlight, resumable, polling } = this;
    const { usage, preconditions, estimatedDuration, disabledReason } = this;
    return {
      id: actionId,
      description,
      input,
      ...given({ title, confirm, async, singleFlight, resumable, polling, effect }),
      ...given({ usage, preconditions, estimatedDuration, settle }),
      ...(output !== undefined && { output }),
      ...(tags.length > 0 && { tags }),
      ...(page && { enabled: () => page.enabled() }),
      ...(disabled && { enabled: false, ...given({ disabledReason }) }),
      handler: (params, context, call) => page?.run(params, call) ?? this.#run(surfaceId, params, context, call),
    };
  }

  protected override enter(): void {
    super.enter();
    adoptOrphans(this);
  }

  protected override leave(): void {
    super.leave();
    this.#release();
  }

  /** What `for` or `.target` makes of it; `undefined` without both, `null` when the code for it could not be loaded. */
  #pageAction(): PageAction | null | undefined {
    const target = this.#target ?? this.for;
    const root = (this.#target ?? this).getRootNode();
    if (this.#page?.target !== target || this.#page.root !== root) this.#release();
    if (!target) return undefined;
    if (this.handler) {
      const name = typeof target === 'string' ? `for="${target}"` : 'a .target';
      warnMarkup(this, `has ${name} and a .handler, which is not called: that element does the work. Keep one of the two.`);
    }
    const module = markupModule();
    if (!module) return null;
    const action = this.#page?.action ?? module.createTargetAction(this, target, () => this.requestUpdate());
    this.#page ??= { target, root, action };
    return action;
  }

  #release(): void {
    this.#page?.action.release();
    this.#page = null;
  }

  #input(page: PageAction | undefined): JSONSchema | null {
    // Asked even when another is declared: what it depends on is followed from then on.
    const derived = page?.input();
    const places = { value: this.input, attribute: 'input', from: this.inputFrom, fromAttribute: 'input-from' };
    const names = new Set<string>();
    const params = inDocumentOrder(this.#params).filter((param) => this.#hasOwnName(param, names));
    if (params.length > 0) {
      if (this.input === null && !this.inputFrom) {
        schemaScript(this, '<oui-param> children');
        return fromParams(params);
      }
      warnMarkup(this, 'has a schema and <oui-param> children; the children are ignored. Keep one of the two.');
    }
    const schema = declaredSchema(this, places);
    return schema === undefined ? derived ?? { type: 'object', properties: {} } : schema;
  }

  /** By its attribute or property alone: the child script is the input's. */
  #outputSchema(): JSONSchema | null | undefined {
    if (this.output === null || this.output === '') return undefined;
    return declaredSchema(this, { value: this.output, attribute: 'output', from: '', fromAttribute: '' });
  }

  #hasOwnName(param: OuiParamElement, names: Set<string>): boolean {
    const { name } = param;
    if (name && !names.has(name)) return Boolean(names.add(name));
    warnMarkup(param, `of ${describeElement(this)} ${name ? 'is there twice; the first counts' : 'needs a name and is ignored'}.`);
    return false;
  }

  #refuse(text: string): null {
    warnMarkup(this, `${text}. Until then it is left out of its surface.`);
    return null;
  }

  #run(surfaceId: string, params: ActionParams, context: unknown, call: ActionCall): unknown {
    if (this.handler) return this.handler(params, context, call);
    const answer = dispatchAction(this, new OuiActionEvent(surfaceId, this.actionId, params, call));
    if (answer) return answer.value;
    throw new Error(`${describeElement(this)} of surface "${surfaceId}" has no handler: set its .handler property, or `
      + 'listen for "oui-action" on it or on an element around it and call event.respondWith(…) before any await.');
  }
}

function fromParams(params: readonly OuiParamElement[]): JSONSchema {
  const required = params.filter((param) => param.required).map((param) => param.name);
  return {
    type: 'object',
    properties: Object.fromEntries(params.map((param) => [param.name, param.schema()])),
    ...(required.length > 0 && { required }),
  };
}
