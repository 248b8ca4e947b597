import type { Cut, OUIError } from '../protocol/events.js';
import type { CliOutput } from './cli-output.js';
import { printable } from './hub-log.js';
import { keptOf, restOf } from './read-on-text.js';
import type { RestPlace } from './read-on-text.js';

/** Tells an error, and the single reasons of a `VALIDATION_ERROR` (PROTOCOL.md §2.8). */
export function tellError({ code, message, details }: OUIError, { tell }: CliOutput): void {
  tell(`${code}: ${message}`);
  for (const issue of issuesOf(details)) tell(`  ${issue}`);
}

/** Tells where values were cut to fit, and the command that reads the rest. `page`: where several are connected. */
export function tellCuts(cuts: readonly Cut[] = [], page: string | undefined, { tell }: CliOutput): void {
  for (const cut of cuts) tell(`Cut to fit (${keptOf(cut)}); the rest: ${readCommand(restOf(cut, page))}`);
}

function readCommand({ surface, observation, path, offset, page }: RestPlace): string {
  const options = [
    ...(path ? ['--path', path] : []),
    ...(offset === undefined ? [] : ['--offset', String(offset)]),
    ...(page === undefined ? [] : ['--page', page]),
  ];
  return ['oui read', ...[surface, observation, ...options].map(shellWord)].join(' ');
}

/** A page chose these words and a person may paste the line: a shell must read nothing into them. */
function shellWord(word: string): string {
  return /^[\w./~-]+$/.test(word) ? word : `'${printable(word).replaceAll('\'', '\'\\\'\'')}'`;
}

function issuesOf(details: unknown): string[] {
  const errors = (details as { errors?: unknown } | undefined)?.errors;
  if (!Array.isArray(errors)) return [];
  return errors.filter(isIssue).map(({ path, message }) => {
    return message.startsWith(path) ? message : `${path}: ${message}`;
  });
}

function isIssue(value: unknown): value is { readonly path: string; readonly message: string } {
  const issue = value as { path?: unknown; message?: unknown } | null;
  return typeof issue?.path === 'string' && typeof issue.message === 'string';
}
