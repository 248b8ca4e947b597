import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { messageOf } from '../protocol/error-message.js';
import { isJsonObject } from '../protocol/shape.js';
import type { ManifestProblem } from '../validation/schema-problems.js';
import { validateManifest } from '../validation/validate-manifest.js';
import type { ManifestReport } from '../validation/validate-manifest.js';
import { readCommandLine, usageError } from './cli-arguments.js';
import type { CommandIo } from './cli-io.js';
import { CliError, EXIT } from './cli-output.js';
import { printable } from './hub-log.js';

interface NamedReport extends ManifestReport {
  /** Its id, or its place in the list. */
  readonly surface: string;
}

/** `oui validate`: prints what is wrong with one manifest, or with each of a list, and what could be better. */
export async function runValidate(args: readonly string[], { output }: CommandIo): Promise<number> {
  const line = readCommandLine('validate', args, { json: { type: 'boolean' } });
  const [file, ...others] = line.positionals;
  if (file === undefined || others.length > 0) throw usageError('validate', 'name one file, or - for standard input');
  const reports = readReports(await readJson(file));
  if (reports.length === 0) throw new CliError(`oui validate: ${file} holds an empty list: there is no manifest to check`, EXIT.failed);
  if (line.values['json'] === true) output.print(JSON.stringify(reports));
  else for (const report of reports) for (const text of linesOf(report)) output.print(text);
  return reports.every(({ valid }) => valid) ? EXIT.ok : EXIT.failed;
}

async function readJson(file: string): Promise<unknown> {
  const name = file === '-' ? 'standard input' : file;
  let json: string;
  try {
    json = await (file === '-' ? text(process.stdin) : readFile(file, 'utf8'));
  } catch (error) {
    throw new CliError(`oui validate: ${name} cannot be read (${messageOf(error)})`, EXIT.failed);
  }
  try {
    return JSON.parse(json.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new CliError(`oui validate: ${name} is not JSON (${messageOf(error)})`, EXIT.failed);
  }
}

/** One manifest, a list of them, or a snapshot that has such a list. */
function readReports(value: unknown): NamedReport[] {
  const inside = isJsonObject(value) && value['actions'] === undefined ? value['surfaces'] : undefined;
  const list = Array.isArray(inside) ? inside : Array.isArray(value) ? value : [value];
  const taken = new Map<string, number>();
  return list.map((manifest: unknown, index) => {
    const id = isJsonObject(manifest) ? manifest['id'] : undefined;
    const report = validateManifest(manifest);
    if (typeof id !== 'string') return { surface: `#${index + 1}`, ...report };
    const other = taken.get(id);
    if (other !== undefined) return { surface: id, ...report, valid: false, problems: [...report.problems, doubled(other)] };
    taken.set(id, index + 1);
    return { surface: id, ...report };
  });
}

/** Specification §3.2. */
function doubled(other: number): ManifestProblem {
  return { path: '/id', rule: 'unique', message: `is the id of surface ${other} of the list too` };
}

function linesOf({ surface, valid, problems, warnings }: NamedReport): string[] {
  const lines = [
    ...problems.map((problem) => lineOf('error', problem)),
    ...warnings.map((warning) => lineOf('warning', warning)),
  ];
  const verdict = valid ? 'valid' : `${problems.length} problem${problems.length === 1 ? '' : 's'}`;
  const rest = warnings.length === 0 ? '' : `, ${warnings.length} warning${warnings.length === 1 ? '' : 's'}`;
  return [`${printable(surface)}: ${verdict}${rest}`, ...lines];
}

/** A manifest may come from a stranger: nothing in it reaches the terminal but text. */
function lineOf(kind: string, { path, rule, message }: ManifestProblem): string {
  return `  ${kind} ${printable(path === '' ? '(the manifest)' : path)} ${whole(message)} [${rule}]`;
}

/** Advice may be longer than what is otherwise shown of a stranger's text. */
function whole(message: string): string {
  return (message.match(/.{1,200}/gsu) ?? []).map(printable).join('');
}
