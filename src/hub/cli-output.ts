import type { HubLog } from './hub-log.js';

/** Where the command line writes: results on one stream, everything else on the other. */
export interface CliOutput {
  /** Writes one line of the result. */
  readonly print: (line: string) => void;
  /** Writes one line for the person watching. */
  readonly tell: (line: string) => void;
}

/** The process's own streams. A reader that has gone (`oui ls | head -1`) is no error. */
export function processOutput(): CliOutput {
  process.stdout.on('error', () => undefined);
  return {
    print: (line) => void process.stdout.write(`${line}\n`),
    tell: (line) => void process.stderr.write(`${line}\n`),
  };
}

/** How the command ended. */
export const EXIT = {
  ok: 0,
  /** The action failed, or something went wrong on the way. */
  failed: 1,
  /** The command line itself was wrong. */
  usage: 2,
  /** There is no hub to talk to. */
  noHub: 3,
} as const;

/** An error that is told in its own words, without a stack, and ends the command. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exitCode: number;

  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** A log for people: each warning once, since a page that is refused tries again and again. */
export function cliLog({ tell }: CliOutput): HubLog {
  const seen = new Set<string>();
  return ({ level, code, message }) => {
    if (level === 'info') return tell(message);
    if (seen.has(message)) return;
    if (seen.size > 1000) seen.clear();
    seen.add(message);
    tell(code === undefined ? message : `[${code}] ${message}`);
  };
}
