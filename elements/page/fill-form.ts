import * as ERROR_CODES from '../../src/protocol/error-codes.js';
import type { OUIValidationIssue } from '../../src/protocol/events.js';
import type { ActionParams } from '../../src/surface/definition/definition.js';
import { withAgentEvents } from './agent-event.js';
import { withCleared } from './clear-fields.js';
import { elementsOf, fieldsOf } from './form-controls.js';
import type { Control, Field } from './form-controls.js';
import { fillField } from './fill-field.js';
import { press, whyBehindDialog, whyNotPressable } from './press.js';
import { isSecret } from './read-text.js';

/** What a handler returns in place of data: the whole result. */
interface Failure {
  readonly success: false;
  readonly error: { readonly code: string; readonly message: string; readonly details?: unknown };
}

/** Which keyword of JSON Schema a constraint of HTML's is. */
const KEYWORDS: { readonly [flag in keyof ValidityState]?: string } = {
  valueMissing: 'required',
  typeMismatch: 'format',
  patternMismatch: 'pattern',
  tooLong: 'maxLength',
  tooShort: 'minLength',
  rangeUnderflow: 'minimum',
  rangeOverflow: 'maximum',
  stepMismatch: 'multipleOf',
  badInput: 'type',
};

/**
 * Fills in what the params name, field by field in the form's order. Between two fields the page has its turn: a
 * framework renders anew, and other fields appear. `find` is asked for the form before each, since it may be another
 * element by then.
 * @returns what is wrong, if anything: nothing is submitted then.
 */
export async function fillForm(
  find: () => HTMLFormElement,
  given: ActionParams,
  signal: AbortSignal,
): Promise<Failure | undefined> {
  const params = withCleared(fieldsOf(find()), given);
  const waiting = new Set(Object.keys(params).filter((key) => params[key] !== undefined));
  const issues: OUIValidationIssue[] = [];
  while (waiting.size > 0) {
    const fields = fieldsOf(find());
    const field = fields.find(({ key }) => waiting.has(key));
    if (!field) {
      const present = fields.map(({ key }) => key).join(', ') || 'none';
      for (const key of waiting) {
        const message = `cannot be filled in now; the form has ${present}`;
        issues.push({ path: `/${pointer(key)}`, keyword: 'additionalProperties', message });
      }
      break;
    }
    waiting.delete(field.key);
    const issue = fillField(field, params[field.key]);
    if (issue) issues.push(issue);
    await pageTurn();
    signal.throwIfAborted();
  }
  return issues.length > 0 ? invalid(issues) : undefined;
}

/**
 * Submits the form as a person would: by its first submit button, or without one. The browser's own validation goes
 * first, and no bubble of it is shown: the agent is told instead.
 * @returns what the page answered the agent, a failure, or nothing: then what the page shows is the answer.
 */
export function submitForm(form: HTMLFormElement): unknown {
  const button = submitButton(form);
  // While it was being filled in, a dialog may have come.
  const reason = (button && whyNotPressable(button)) || whyBehindDialog(button ?? form);
  if (reason) return refused(`The form was filled in and not submitted: ${reason}.`);
  const refusal = whyInvalid(form, button);
  if (refusal) return refusal;
  const { answer } = withAgentEvents(form, () => {
    if (button) press(button);
    else HTMLFormElement.prototype.requestSubmit.call(form);
  });
  return answer?.value;
}

/** What the browser would refuse to submit by this button, and why. Pages that validate by themselves say so. */
export function whyInvalid(form: HTMLFormElement, button: Element | undefined): Failure | undefined {
  if (form.hasAttribute('novalidate') || button?.hasAttribute('formnovalidate')) return undefined;
  const issues = findInvalid(form);
  return issues.length > 0 ? invalid(issues) : undefined;
}

/** The button that Enter presses: the first one that submits. */
export function submitButton(form: HTMLFormElement): HTMLButtonElement | HTMLInputElement | undefined {
  const buttons = elementsOf(form).filter(isSubmitButton) as Element[];
  const image = form.querySelector('input[type="image"]');
  if (image) buttons.push(image);
  buttons.sort((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
  return buttons[0] as HTMLButtonElement | undefined;
}

/** Whether pressing it submits the form that it belongs to. */
export function isSubmitButton(element: Element): boolean {
  return /^(button|input)$/.test(element.localName) && /^(submit|image)$/.test((element as HTMLButtonElement).type);
}

/** What the browser's validation finds. It fires `invalid`, on which pages may still set messages of their own. */
function findInvalid(form: HTMLFormElement): OUIValidationIssue[] {
  const failing: Control[] = [];
  const collect = ({ target }: Event): void => void failing.push(target as Control);
  const root = form.getRootNode();
  root.addEventListener('invalid', collect, true);
  try {
    HTMLFormElement.prototype.checkValidity.call(form);
  } finally {
    root.removeEventListener('invalid', collect, true);
  }
  const fields = fieldsOf(form);
  const seen = new Set<Field | Control>();
  return failing.flatMap((control) => {
    const field = fields.find(({ controls }) => (controls as readonly Control[]).includes(control));
    // Each button of a radio group fails by itself.
    if (seen.has(field ?? control)) return [];
    seen.add(field ?? control);
    return [issueOf(control, field)];
  });
}

function issueOf(control: Control, field: Field | undefined): OUIValidationIssue {
  const path = `/${pointer(field?.key ?? (control.getAttribute('name') || control.id || control.localName))}`;
  const { validity } = control;
  const flag = Object.keys(KEYWORDS).find((name) => validity?.[name as keyof ValidityState]) as keyof ValidityState;
  const keyword = KEYWORDS[flag] ?? 'custom';
  if (isSecret(control)) return { path, keyword, message: 'is for the user to fill in' };
  const said = control.validationMessage || 'is not valid';
  return { path, keyword, message: field ? said : `${said} (It cannot be filled in by an agent.)` };
}

function invalid(issues: readonly OUIValidationIssue[]): Failure {
  const list = issues.map(({ path, message }) => `${path.slice(1)}: ${message}`).join('; ');
  const message = `The form was not submitted. ${list}`;
  return failure(ERROR_CODES.VALIDATION_ERROR, message, { errors: issues });
}

/** The answer when a person could not do it now either. */
export function refused(reason: string): Failure {
  return failure(ERROR_CODES.PRECONDITION_FAILED, reason);
}

function failure(code: string, message: string, details?: unknown): Failure {
  return { success: false, error: { code, message, ...(details !== undefined && { details }) } };
}

const pointer = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** The next task. Not a timer: those are slow in hidden tabs. */
function pageTurn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
