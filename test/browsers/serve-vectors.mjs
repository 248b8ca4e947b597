import { readdir, readFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';

/**
 * What tests of vectors need.
 *
 * - `/__vectors__` is all of `test/vectors/` in one JSON object (see test/contract/vectors-suite.ts).
 * - `/__plain_http__` is this server's origin at an address that browsers do not trust: pages there are on plain http,
 *   and no secure context.
 *
 * @param {string} rootDir
 * @returns {import('@web/dev-server-core').Middleware}
 */
export function serveVectors(rootDir) {
  const vectors = new URL(`file://${rootDir}/test/vectors/`);
  return async (context, next) => {
    if (context.path === '/__vectors__') {
      context.type = 'json';
      context.body = JSON.stringify(await readVectors(vectors));
    } else if (context.path === '/__plain_http__') {
      context.body = `http://${outsideAddress()}:${context.req.socket.localPort}`;
    } else {
      await next();
    }
  };
}

/** @param {URL} folder the folder `test/vectors/` */
export async function readVectors(folder) {
  /** @param {string} path */
  const text = (path) => readFile(new URL(path, folder), 'utf8');
  /** @param {string} path @returns {Promise<any>} */
  const json = async (path) => JSON.parse(await text(path));
  /** @param {string} path */
  const names = async (path) => (await readdir(new URL(path, folder))).filter((name) => name.endsWith('.json'));
  return {
    suite: await Promise.all(
      (await names('json-schema/')).map(async (file) => ({ file, cases: await json(`json-schema/${file}`) })),
    ),
    differences: await json('json-schema-differences.json'),
    cases: (await json('cases/schemas.json')).cases,
    approval: await json('approval-vectors.json'),
    jcs: await Promise.all(
      (await names('jcs/input/')).map(async (file) => ({
        file,
        input: await text(`jcs/input/${file}`),
        output: (await text(`jcs/output/${file}`)).trim(),
      })),
    ),
    surfaces: await json('surfaces-hash-vectors.json'),
  };
}

/** An address of this machine in some network; without any, the one that stands for all of them. */
function outsideAddress() {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '0.0.0.0';
}
