import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { messageOf } from '../protocol/error-message.js';
import type { JsonObject } from '../protocol/json.js';
import { usageError } from './cli-arguments.js';
import { CliError, EXIT } from './cli-output.js';
import type { StoredAttachment } from './attachment-store.js';
import type { OpenedHub } from './cli-client.js';
import { ATTACHMENTS_PATH } from './hub-address.js';
import { mediaTypeOf } from './static-files.js';

/** A file for a property of a tool's arguments. */
export interface FileArgument {
  readonly property: string;
  readonly path: string;
  readonly mediaType: string;
}

/** @param given `property=path`, with `;type=image/png` behind it where the name's ending does not tell. */
export function readFileArgument(given: string): FileArgument {
  const [, property, path, mediaType] = /^([^=]+)=(.+?)(?:;type=([^;]+))?$/.exec(given) ?? [];
  if (property === undefined || path === undefined) {
    throw usageError('call', `--attach ${JSON.stringify(given)} is not PROPERTY=FILE`);
  }
  return { property, path, mediaType: mediaType ?? mediaTypeOf(path) };
}

/** Hands files in, for this session alone. @returns params with their ids: in a list where the property is one. */
export async function attachFiles(
  files: readonly FileArgument[],
  params: JsonObject,
  schema: JsonObject | undefined,
  hub: OpenedHub,
): Promise<JsonObject> {
  const ids = new Map<string, string[]>();
  for (const file of files) ids.set(file.property, [...(ids.get(file.property) ?? []), await handIn(file, hub)]);
  const properties = (schema?.['properties'] ?? {}) as { readonly [name: string]: { readonly type?: unknown } };
  const added = [...ids].map(([property, list]) => {
    const wantsList = Object.hasOwn(properties, property) && properties[property]?.type === 'array';
    return [property, wantsList || list.length > 1 ? list : list[0]];
  });
  return { ...params, ...Object.fromEntries(added) };
}

async function handIn({ path, mediaType }: FileArgument, { url, sessionId }: OpenedHub): Promise<string> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    throw usageError('call', `--attach: ${messageOf(error)}`);
  }
  const address = `${url}${ATTACHMENTS_PATH}?name=${encodeURIComponent(basename(path))}`;
  const headers = { 'Content-Type': mediaType, ...(sessionId === undefined ? {} : { 'Mcp-Session-Id': sessionId }) };
  const response = await fetch(address, { method: 'POST', headers, body: new Uint8Array(bytes) });
  if (!response.ok) throw new CliError(`The hub did not take ${path}: ${(await response.text()).trim()}`, EXIT.failed);
  return ((await response.json()) as StoredAttachment).attachment;
}
