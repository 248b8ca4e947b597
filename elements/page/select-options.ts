import { collapse } from './read-text.js';

/** A choice as an agent knows it. */
export interface Choice {
  /** What the agent sends. An option without a value, such as "Any", goes by its label. */
  readonly value: string;
  readonly label: string;
  /** What it means: its label, and before it that of its group. */
  readonly meaning: string;
  readonly option: HTMLOptionElement;
}

/** The choices of a `<select>` that can be made now. */
export function choicesOf(select: HTMLSelectElement): Choice[] {
  const options = [...select.options].filter((option) => !isOut(option));
  const values = new Set(options.map(({ value }) => value));
  return options.flatMap((option) => {
    const label = collapse(option.label);
    const group = collapse(option.closest('optgroup')?.label ?? '');
    const choice = { label, meaning: [group, label].filter(Boolean).join(': '), option };
    if (option.value !== '') return [{ value: option.value, ...choice }];
    // The placeholder of a choice that must be made.
    if (select.required && !select.multiple) return [];
    return label === '' || values.has(label) ? [] : [{ value: label, ...choice }];
  });
}

/** What an agent would send for an option. */
export function choiceValue(option: HTMLOptionElement): string {
  return option.value || collapse(option.label);
}

function isOut(option: HTMLOptionElement): boolean {
  return option.disabled || option.hasAttribute('hidden') || option.closest('optgroup:disabled') !== null;
}
