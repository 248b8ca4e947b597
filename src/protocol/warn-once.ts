/**
 * The one place that writes to the console. Each warning has a stable code, so that it can be searched for,
 * and is written once per code and key: a warning repeated sixty times a second helps nobody.
 */
export const WARNINGS = {
  /** A worker could not start; the engine runs in the page. */
  WORKER_UNAVAILABLE: 'OUI1001',
  /** A worker died and was replaced. */
  WORKER_LOST: 'OUI1002',
  /** A frame was ignored: binary, too large, not JSON, or malformed. */
  FRAME_IGNORED: 'OUI1003',
  /** Two mounts share one surface id. */
  DUPLICATE_SURFACE: 'OUI1004',
  /** A result does not fit its action's output schema. */
  OUTPUT_MISMATCH: 'OUI1005',
  /** An observation's value is not JSON. */
  OBSERVATION_NOT_JSON: 'OUI1006',
  /** An insecure or malformed URL was refused. */
  URL_REFUSED: 'OUI1007',
  /** A definition is legal but will serve its agent badly. */
  DEFINITION_ADVICE: 'OUI1008',
  /** A listener or callback of the application threw. */
  CALLBACK_THREW: 'OUI1009',
  /** A frame could not be sent whole. */
  FRAME_TRIMMED: 'OUI1010',
  /** A schema could not be compiled. */
  SCHEMA_BROKEN: 'OUI1011',
  /** A transport that was given to an agent runtime did not connect, or failed while sending. */
  PAGE_UNREACHABLE: 'OUI1401',
  /** A surface that a page registered, or a part of it, was not taken. */
  MANIFEST_IGNORED: 'OUI1402',
  /** A page sent more state than an agent's side keeps, or state of nothing that it registered. */
  PAGE_STATE_IGNORED: 'OUI1403',
  /** What a handler handed over is not JSON; what could be told of it was sent. */
  DATA_NOT_JSON: 'OUI1201',
  /** No engine could start, in a worker or in the page: nothing is answered. */
  ENGINE_UNAVAILABLE: 'OUI1202',
  /** A pattern of a stranger's schema has no linear-time form and is not checked. */
  PATTERN_SKIPPED: 'OUI1101',
  /** A mistake in markup: the element, the attribute and the way out are in the message. */
  MARKUP: 'OUI2001',
  /** The library was loaded twice. */
  LOADED_TWICE: 'OUI2002',
  /** The hub refused a page because of where it comes from. */
  ORIGIN_REFUSED: 'OUI1501',
  /** The hub refused a request whose Host header names another machine. */
  HOST_REFUSED: 'OUI1502',
  /** The hub holds as many pages or MCP sessions as it may. */
  HUB_FULL: 'OUI1503',
  /** Two live pages claim one client id; the hub keeps them apart. */
  CLIENT_ID_SHARED: 'OUI1504',
  /** Something inside the hub failed; it goes on. */
  HUB_FAULT: 'OUI1505',
  /** A frame was too large to be sent at all. */
  FRAME_NOT_SENT: 'OUI1301',
  /** The page handed its worker something that cannot be copied to another thread. */
  INPUT_NOT_CLONEABLE: 'OUI1302',
  /** The engine let an exception out; it goes on with the next input. */
  ENGINE_FAULT: 'OUI1303',
} as const;

export type WarningCode = (typeof WARNINGS)[keyof typeof WARNINGS];

declare const console: { warn(message: string): void };

const seen = new Set<string>();
const REMEMBERED = 1000;

/** Writes `[OUI1003] message` to the console, once per code and key (by default the message itself). */
export function warnOnce(code: WarningCode | string, message: string, key: string = message): void {
  const id = `${code} ${key}`;
  if (seen.has(id)) return;
  if (seen.size >= REMEMBERED) seen.clear();
  seen.add(id);
  console.warn(`[${code}] ${message}`);
}

/** Forgets what was warned about. For tests. */
export function resetWarnings(): void {
  seen.clear();
}
