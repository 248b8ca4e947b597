/** Pages that hear of a push, by channel. @type {Map<string, import('node:http').ServerResponse>} */
const listeners = new Map();

/** Pages that are being sent, by channel. @type {Map<string, import('node:http').ServerResponse>} */
const streams = new Map();

/** Some browsers show nothing of a page before so much of it is there. */
const PADDING = `<!doctype html><meta charset="utf-8"><!-- ${'.'.repeat(2048)} -->`;

/**
 * A server that takes its time, for the patterns of settling:
 *
 * - `/__slow__/200` answers after 200 ms with JSON; `/__slow__/200/body` sends the head at once and the rest then;
 * - `/__events__/<channel>` is a stream of server-sent events; `/__push__/<channel>/80` puts one into it after 80 ms.
 * - `/__streamed__/<channel>` is a page that comes piece by piece: `/__chunk__/<channel>/<URI-encoded HTML>` sends the
 *   next one, and without HTML its end.
 *
 * @param {string} path
 * @param {import('node:http').ServerResponse} response
 * @returns {boolean} whether it answers this path
 */
export function answerSlowly(path, response) {
  const [, service, name = '', detail = ''] = path.split('/');
  if (service === '__slow__') {
    const head = () => response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
    // A first byte, since browsers do not hand over a head alone.
    if (detail === 'body') head().write(' ');
    const rest = JSON.stringify({ after: Number(name) });
    setTimeout(() => (response.headersSent ? response : head()).end(rest), Number(name));
    return true;
  }
  if (service === '__events__') {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' }).write(': open\n\n');
    listeners.set(name, response);
    response.on('close', () => listeners.delete(name));
    return true;
  }
  if (service === '__push__') {
    response.writeHead(204).end();
    setTimeout(() => listeners.get(name)?.write('data: pushed\n\n'), Number(detail));
    return true;
  }
  if (service === '__streamed__') {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }).write(PADDING);
    streams.set(name, response);
    return true;
  }
  if (service === '__chunk__') {
    response.writeHead(204).end();
    const stream = streams.get(name);
    if (detail) stream?.write(decodeURIComponent(detail));
    else stream?.end();
    return true;
  }
  return false;
}

/**
 * The same for web-test-runner.
 *
 * @type {import('@web/dev-server-core').Middleware}
 */
export const serveSlowAnswers = async (context, next) => {
  if (!answerSlowly(context.path, context.res)) return next();
  // The answer is on its way, and is none of the runner's "not found".
  context.respond = false;
  context.status = 200;
};
