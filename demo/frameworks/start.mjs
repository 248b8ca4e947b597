/**
 * `npm run demo:frameworks`: installs and builds the notes application of each framework, and serves them, with a hub
 * for agents. Ends with Ctrl-C.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { buildDemos } from './build.mjs';
import { createAppServer } from './serve.mjs';

const print = (line = '') => process.stdout.write(`${line}\n`);

const FRAMEWORKS = ['react', 'vue', 'svelte', 'angular'];

await buildDemos(print);
const { createHub } = await import('../../dist/src/entries/hub.js');
const hub = await createHub({ port: 7410, onLog: ({ message }) => print(message) });

const servers = [];
for (const name of [...FRAMEWORKS, 'html', 'htmx']) {
  const server = createAppServer(name).listen(0, '127.0.0.1');
  // The page's own address leads to the hub.
  server.on('upgrade', (request, socket, head) => {
    const { port } = new URL(hub.url);
    const upstream = connect(Number(port), '127.0.0.1', () => {
      const headers = Object.entries(request.headers).map(([key, value]) => `${key}: ${value}`);
      upstream.write(`GET ${request.url} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
      upstream.write(head);
      socket.pipe(upstream).pipe(socket);
    });
    upstream.on('error', () => socket.destroy());
    socket.on('error', () => upstream.destroy());
  });
  await once(server, 'listening');
  servers.push(server);
  const url = `http://127.0.0.1:${server.address().port}/`;
  print(`  ${name.padEnd(8)} ${url}${FRAMEWORKS.includes(name) ? `   with the elements: ${url}?way=elements` : ''}`);
}
print(`\n  An MCP client finds them all at ${hub.mcpUrl}. Ctrl-C ends it.`);

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    for (const server of servers) server.close();
    void hub.close().then(() => process.exit(0));
  });
}
