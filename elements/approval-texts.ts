/** Every text of `<oui-approval>`, for translations. */
export interface ApprovalTexts {
  /** The question. `action`: its title, else its id. */
  heading(action: string): string;
  /** Who asks, and where. */
  from(surface: string): string;
  /** Above the values that run. */
  values: string;
  noValues: string;
  /** Beside a value that the agent did not send and the action adds. */
  byDefault: string;
  /** How long the user has. `time` is `m:ss`. */
  timeLeft(time: string): string;
  /** Said once to screen readers when less than a minute is left. */
  soon: string;
  /** So many questions come after this one. */
  more(count: number): string;
  deny: string;
  allow: string;
  /** The button that stops agents altogether, and what it does in more words. */
  stop: string;
  stopHint: string;
}

export const ENGLISH: ApprovalTexts = {
  heading: (action) => `Allow “${action}”?`,
  from: (surface) => `An agent asks for this in ${surface}.`,
  values: 'It runs with exactly these values:',
  noValues: 'It takes no values.',
  byDefault: 'default',
  timeLeft: (time) => `Without an answer it does not run. Time left:\u00a0${time}`,
  soon: 'Less than a minute left to answer.',
  more: (count) => (count === 1 ? 'One more question follows.' : `${count} more questions follow.`),
  deny: 'Deny',
  allow: 'Allow',
  stop: 'Stop agents',
  stopHint: 'Refuse this, end what agents are doing, and refuse what they ask for until you resume them.',
};
