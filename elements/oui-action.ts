import type { JSONSchema } from '../src/protocol/json.js';
import type { OUIActionEffect } from '../src/protocol/manifest.js';
import type {
  ActionCall,
  ActionDefinition,
  ActionHandler,
  ActionParams,
  ActionPolling,
} from '../src/surface/definition/definition.js';
import { declaredSchema } from './declared-schema.js';
import { given } from './given-members.js';
import { allowedValue, describeElement, warnMarkup } from './markup-warning.js';
import { FLAG, JSON_OR_VALUE, RICH, TEXT } from './oui-element.js';
import { dispatchAction, OuiActionEvent } from './oui-action-event.js';
import { OuiParamElement } from './oui-param.js';
import { adoptOrphans, inDocumentOrder, PART_HOST, PartElement } from './part-element.js';
import type { PartHost } from './part-element.js';

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
 * @tag oui-action
 * @attr {string} action-id - Lowercase letters, digits and `_`; unique within the surface. Required.
 * @attr {string} label - A short title, for people.
 * @attr {string} description - What it does, for the agent. Required.
 * @attr {string} effect - `view`, `selection`, `navigate`, `open`, `edit`, `file`, `mutate`, `job` or `transaction`.
 * @attr {boolean} confirm - The user is asked first.
 * @attr {boolean} async - Acknowledged at once, answered again when it ends.
 * @attr {boolean} single-flight - A new job of it ends the older one.
 * @attr {boolean} resumable - Its job goes on through a reload; needs `.polling` to be followed by.
 * @attr {string} settle - What the result waits for: `sync` rendering only, `none` nothing; by default a quiet page.
 * @attr {string} usage - When to use it.
 * @attr {string} preconditions - What must be true first.
 * @attr {string} estimated-duration - `instant`, `1-5s`, …
 * @attr {string} tags - Separated by spaces.
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
  };

  declare actionId: string;
  declare label: string;
  declare description: string;
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
  /** A list, or words separated by spaces. */
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

  /** A parameter came, went or changed. */
  partChanged(part: PartElement, present: boolean): void {
    if (!(part instanceof OuiParamElement)) return;
    if (present) this.#params.add(part);
    else this.#params.delete(part);
    this.requestUpdate();
  }

  /** What the surface declares for it; `null` when the markup is not enough for an action, which is warned about. */
  definition(surfaceId: string): ActionDefinition | null {
    const { actionId, description, disabled } = this;
    if (!actionId) return this.#refuse('needs an action-id, such as action-id="add_todo"');
    if (!description) return this.#refuse('needs a description: the agent chooses by it');
    const input = this.#input();
    const output = declaredSchema(this, { value: this.output, attribute: 'output', from: '', fromAttribute: '' });
    if (input === null || output === null) return null;
    const tags = typeof this.tags === 'string' ? this.tags.split(/\s+/).filter(Boolean) : this.tags;
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
      ...(disabled && { enabled: false, ...given({ disabledReason }) }),
      handler: (params, context, call) => this.#run(surfaceId, params, context, call),
    };
  }

  protected override enter(): void {
    super.enter();
    adoptOrphans();
  }

  #input(): JSONSchema | null {
    const places = { value: this.input, attribute: 'input', from: this.inputFrom, fromAttribute: 'input-from' };
    const params = inDocumentOrder(this.#params).filter((param) => param.name || this.#nameless(param));
    if (params.length > 0) {
      if (this.input === null && !this.inputFrom) return fromParams(params);
      warnMarkup(this, 'has a schema and <oui-param> children; the children are ignored. Keep one of the two.');
    }
    const schema = declaredSchema(this, places);
    return schema === undefined ? { type: 'object', properties: {} } : schema;
  }

  #nameless(param: OuiParamElement): false {
    warnMarkup(param, `of ${describeElement(this)} needs a name and is ignored.`);
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
