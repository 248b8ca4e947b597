import { messageOf } from '../protocol/error-message.js';
import { parseArgs } from 'node:util';
import type { ParseArgsConfig } from 'node:util';
import { checkAllowedHosts, checkAllowedOrigins, checkOpaqueOrigin } from './access-rules.js';
import { CliError, EXIT } from './cli-output.js';
import type { HubOptions } from './create-hub.js';
import { oneToken } from './page-authentication.js';
import { DEFAULT_HOST, DEFAULT_PORT } from './hub-address.js';
import type { StaticFolder } from './static-files.js';

export type Environment = { readonly [name: string]: string | undefined };
type Options = NonNullable<ParseArgsConfig['options']>;
type Values = { readonly [name: string]: string | boolean | (string | boolean)[] | undefined };

/** Options by which a command finds its hub. `OUI_HUB_PORT` and `OUI_HUB_HOST` stand for the first two. */
export const ADDRESS_OPTIONS = { port: { type: 'string' }, host: { type: 'string' } } as const satisfies Options;
/** Options of a command that can be a hub. */
export const HUB_OPTIONS = {
  ...ADDRESS_OPTIONS,
  'allow-origin': { type: 'string', multiple: true },
  'allow-opaque-origin': { type: 'boolean' },
  'allow-host': { type: 'string', multiple: true },
  token: { type: 'string' },
  serve: { type: 'string', multiple: true },
} as const satisfies Options;

export interface CommandLine {
  readonly values: Values;
  readonly positionals: readonly string[];
}

/** @throws {CliError} exit 2, for an option that there is not or a value that is missing. */
export function readCommandLine(command: string, args: readonly string[], options: Options): CommandLine {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true }) as CommandLine;
  } catch (error) {
    throw usageError(command, messageOf(error));
  }
}

export function usageError(command: string, problem: string): CliError {
  return new CliError(`oui ${command}: ${problem}\nSee: oui --help`, EXIT.usage);
}

export interface HubAddress {
  readonly port: number;
  readonly host: string;
}

/** @throws {CliError} exit 2, for a port that is none. */
export function readAddress(command: string, { values }: CommandLine, env: Environment): HubAddress {
  const host = text(values['host']) ?? env['OUI_HUB_HOST'] ?? DEFAULT_HOST;
  const given = text(values['port']) ?? env['OUI_HUB_PORT'];
  if (given === undefined || given === '') return { port: DEFAULT_PORT, host };
  const port = Number(given);
  if (Number.isInteger(port) && port >= 0 && port <= 65535) return { port, host };
  const source = values['port'] === undefined ? 'OUI_HUB_PORT' : '--port';
  throw usageError(command, `${source} ${JSON.stringify(given)} is no port; it must be a whole number up to 65535`);
}

/** @throws {CliError} exit 2, for a malformed port, origin or host name, or pages without origin and without a token. */
export function readHubOptions(command: string, line: CommandLine, env: Environment): HubOptions & HubAddress {
  const allowOrigin = texts(line.values['allow-origin']);
  const allowHost = texts(line.values['allow-host']);
  const allowOpaqueOrigin = line.values['allow-opaque-origin'] === true;
  const token = readToken(command, line, env);
  try {
    checkAllowedOrigins(allowOrigin);
    checkAllowedHosts(allowHost);
    checkOpaqueOrigin(allowOpaqueOrigin, token.authenticate !== undefined);
  } catch (error) {
    throw usageError(command, messageOf(error));
  }
  const folders = texts(line.values['serve']).map(readFolder);
  const address = readAddress(command, line, env);
  return { ...address, allowOrigin, allowOpaqueOrigin, allowHost, static: folders, ...token };
}

/** `OUI_HUB_TOKEN` is the better place for it: other programs can read a command line. */
function readToken(command: string, { values }: CommandLine, env: Environment): Pick<HubOptions, 'authenticate'> {
  const given = text(values['token']);
  if (given === '') throw usageError(command, '--token is empty; it must be a text that pages know');
  const token = given ?? env['OUI_HUB_TOKEN'];
  return token === undefined || token === '' ? {} : { authenticate: oneToken(token) };
}

/** `DIR` or `DIR:/prefix`. A single letter before the colon is a drive of Windows. */
export function readFolder(entry: string): StaticFolder {
  const [, folder, prefix] = /^(.{2,}?):(\/.*)$/.exec(entry) ?? [];
  return folder === undefined || prefix === undefined ? { folder: entry } : { folder, prefix };
}

export function text(value: Values[string]): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function texts(value: Values[string]): string[] {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];
}
