import type { Environment } from './cli-arguments.js';
import type { CliOutput } from './cli-output.js';

/** What a command has to do with the world. */
export interface CommandIo {
  readonly output: CliOutput;
  readonly env: Environment;
  /** Resolves when the command shall stop: Ctrl-C, or the process is being ended. */
  readonly stopped: Promise<void>;
}
