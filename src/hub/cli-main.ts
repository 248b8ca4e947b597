import type { CommandIo } from './cli-io.js';
import { CliError, EXIT, processOutput } from './cli-output.js';
import { USAGE } from './cli-usage.js';
import { packageVersion } from './package-version.js';

type Command = (args: readonly string[], io: CommandIo) => Promise<number>;

/** Loaded when they are run: half of a short command's time would go into modules that it does not need. */
const COMMANDS: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ['hub', async () => (await import('./cli-hub.js')).runHub],
  ['mcp', async () => (await import('./cli-mcp.js')).runMcp],
  ['ls', async () => (await import('./cli-ls.js')).runLs],
  ['call', async () => (await import('./cli-call.js')).runCall],
  ['read', async () => (await import('./cli-read.js')).runRead],
  ['validate', async () => (await import('./cli-validate.js')).runValidate],
  ['describe', async () => (await import('./cli-describe.js')).runDescribe],
]);

/** Runs one command line; resolves with the exit code. Errors are told, not thrown. */
export async function runCommand(args: readonly string[], io: CommandIo): Promise<number> {
  const [name, ...rest] = args;
  const { output } = io;
  if (name === '--version' || name === '-v') {
    output.print(packageVersion());
    return EXIT.ok;
  }
  if (name === undefined || name === '--help' || name === '-h' || name === 'help' || rest.includes('--help')) {
    (name === undefined ? output.tell : output.print)(USAGE);
    return name === undefined ? EXIT.usage : EXIT.ok;
  }
  const command = COMMANDS.get(name);
  try {
    if (command !== undefined) return await (await command())(rest, io);
    throw new CliError(`oui: there is no command ${JSON.stringify(name)}\n\n${USAGE}`, EXIT.usage);
  } catch (error) {
    if (error instanceof CliError) {
      output.tell(error.message);
      return error.exitCode;
    }
    output.tell(`oui ${name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    return EXIT.failed;
  }
}

/** The `oui` command of this process. Ends the process when the command has ended. */
export async function main(): Promise<void> {
  const stopped = new Promise<void>((resolve) => {
    let asked = false;
    const stop = (): void => {
      // Asked a second time, nothing is waited for any more.
      if (asked) process.exit(EXIT.failed);
      asked = true;
      resolve();
    };
    process.on('SIGINT', stop);
    process.on('SIGTERM', stop);
  });
  const code = await runCommand(process.argv.slice(2), { output: processOutput(), env: process.env, stopped });
  // Nothing of ours is open now, and an idle keep-alive connection need not delay the end; what was printed goes first.
  process.stdout.write('', () => process.exit(code));
}
