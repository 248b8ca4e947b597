import type { Cut, OUIError } from '../protocol/events.js';
import type { CliOutput } from './cli-output.js';

/** Tells an error, and the single reasons of a `VALIDATION_ERROR` (PROTOCOL.md §2.8). */
export function tellError({ code, message, details }: OUIError, { tell }: CliOutput): void {
  tell(`${code}: ${message}`);
  for (const issue of issuesOf(details)) tell(`  ${issue}`);
}

/** Tells where values were cut to fit, and how to read the rest. */
export function tellCuts(cuts: readonly Cut[] = [], { tell }: CliOutput): void {
  for (const { surface, observation, path, kind, total, kept } of cuts) {
    const at = path === '' ? '' : ` --path ${JSON.stringify(path)}`;
    const what = kind === 'value' ? 'nothing of it is here' : `${kept} of ${total} ${kind === 'list' ? 'rows' : 'characters'}`;
    tell(`Cut to fit (${what}); the rest: oui read ${surface} ${observation}${at}`);
  }
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
