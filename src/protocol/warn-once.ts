/**
 * The one place that writes to the console. Each warning has a stable code (`warning-codes.ts`), and is written
 * once per code and key: a warning repeated sixty times a second helps nobody.
 */

declare const console: { warn(message: string): void };

const seen = new Set<string>();
const REMEMBERED = 1000;

/** Writes `[OUI1003] message` to the console, once per code and key (by default the message itself). */
export function warnOnce(code: string, message: string, key: string = message): void {
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
