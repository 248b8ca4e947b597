/**
 * `npm start`: the demo, a todo list and a chart wizard, with a hub, so that an agent can use them; and the
 * documentation.
 * `npm start -- --port 8000` takes another port, `--port 0` any free one. Ends with Ctrl-C.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const print = (line = '') => process.stdout.write(`${line}\n`);

function fail(message, code = 1) {
  process.stderr.write(`${message}\n`);
  process.exit(code);
}

const asked = readPort();
const HUB = new URL('../dist/src/entries/hub.js', import.meta.url);
if (!existsSync(HUB)) fail('The library is not built yet. Run: npm run build');

const { createHub, PortTakenError } = await import(HUB.href);

let hub;
try {
  hub = await createHub({
    port: asked,
    static: [
      { folder: fileURLToPath(new URL('.', import.meta.url)) },
      { folder: fileURLToPath(new URL('../dist/docs', import.meta.url)), prefix: '/docs' },
    ],
    onLog: ({ message }) => print(message),
  });
} catch (error) {
  if (!(error instanceof PortTakenError)) throw error;
  fail(`The demo could not start. ${error.owner.kind === 'hub'
    ? `A hub is running on port ${asked} already; end it first, or take another port: npm start -- --port 0`
    : `Port ${asked} is in use by another program. Take another one: npm start -- --port 0`}`);
}

const port = Number(new URL(hub.url).port);
const flag = port === 7410 ? '' : ` --port ${port}`;
print();
print(`  Open the demo:  ${hub.url}/todos`);
print(`      and charts: ${hub.url}/studio/dataviz`);
print(`  Read about it:  ${hub.url}/docs/`);
print();
print('  Then let an agent use it. In an MCP client, paste this configuration:');
print();
print(indent({ mcpServers: { oui: { type: 'http', url: hub.mcpUrl } } }));
print();
print('  or, for clients that start a command:');
print();
print(indent({ mcpServers: { oui: { command: process.execPath, args: commandLine() } } }));
print();
print('  or try it from another terminal, in this folder:');
print();
print(`    node dist/src/entries/cli.js call${flag} todo-app__add_todo title="Water the plants" priority=high`);
print();
print('  Ctrl-C ends it.');
print();

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    void hub.close().then(() => process.exit(0));
  });
}

function readPort() {
  try {
    const { values } = parseArgs({ options: { port: { type: 'string', default: '7410' } } });
    if (/^\d+$/.test(values.port) && Number(values.port) < 65_536) return Number(values.port);
    const rule = 'it must be a whole number from 0 to 65535; 0 takes any free one';
    return fail(`--port ${JSON.stringify(values.port)} is no port: ${rule}.`, 2);
  } catch (error) {
    return fail(`${error.message}\nUsage: npm start -- [--port N]`, 2);
  }
}

function commandLine() {
  const cli = fileURLToPath(new URL('../dist/src/entries/cli.js', import.meta.url));
  return [cli, 'mcp', ...(port === 7410 ? [] : ['--port', String(port)])];
}

function indent(value) {
  return JSON.stringify(value, null, 2).replace(/^/gm, '    ');
}
