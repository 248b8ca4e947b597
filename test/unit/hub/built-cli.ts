import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The built command. Node does not run TypeScript: the package is built first, as `npm test` does. */
export const CLI = fileURLToPath(new URL('../../../dist/src/entries/cli.js', import.meta.url));
if (!existsSync(CLI)) throw new Error(`${CLI} is missing: run "npm run build" first.`);

export interface CliRun {
  readonly child: ChildProcessWithoutNullStreams;
  readonly out: () => string;
  readonly err: () => string;
  /** The exit code. */
  readonly ended: Promise<number | null>;
  /** Waits until what was written matches. */
  until(stream: 'out' | 'err', pattern: RegExp): Promise<void>;
}

export function startCli(args: readonly string[], env: Record<string, string> = {}): CliRun {
  const child = spawn(process.execPath, [CLI, ...args], { env: { ...process.env, ...env } });
  const text = { out: '', err: '' };
  const waiting = new Set<() => void>();
  const collect = (stream: 'out' | 'err') => (chunk: Buffer) => {
    text[stream] += chunk.toString();
    for (const look of [...waiting]) look();
  };
  child.stdout.on('data', collect('out'));
  child.stderr.on('data', collect('err'));
  return {
    child,
    out: () => text.out,
    err: () => text.err,
    ended: once(child, 'close').then(([code]) => code as number | null),
    until(stream, pattern) {
      return new Promise((resolve, reject) => {
        const look = (): void => {
          if (!pattern.test(text[stream])) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        child.on('close', () => reject(new Error(`ended before ${pattern} came; stderr: ${text.err}`)));
        look();
      });
    },
  };
}
