import { warnOnce } from '../protocol/warn-once.js';
import * as WARNINGS from '../protocol/warning-codes.js';

/** One line of the hub's log. */
export interface HubLogEntry {
  /** `info`: pages and agents come and go. `warn`: something was refused or failed; `code` is then present. */
  readonly level: 'info' | 'warn';
  readonly code?: string;
  readonly message: string;
}

export type HubLog = (entry: HubLogEntry) => void;

/** The log of a hub whose owner gave none: warnings, once each. */
export const defaultHubLog: HubLog = ({ level, code, message }) => {
  if (level === 'warn') warnOnce(code ?? WARNINGS.HUB_FAULT, message);
};

/** Text from a stranger, safe to write to a terminal: no control characters, at most 200 UTF-16 units. */
export function printable(text: string): string {
  const clean = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, '\ufffd');
  return clean.length > 200 ? `${clean.slice(0, 199)}…` : clean;
}
