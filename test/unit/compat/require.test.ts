import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../pins/project-sources.js';

const run = promisify(execFile);

/** On the built files, in a Node of its own: what a CommonJS host does. */
async function inCommonJs(code: string): Promise<string> {
  const { stdout, stderr } = await run(process.execPath, ['--input-type=commonjs', '--eval', code], { cwd: ROOT });
  // Node up to 22 says that requiring a module is an experiment.
  expect(stderr.split('\n').filter((line) => line && !/ExperimentalWarning|--trace-warnings/.test(line))).toEqual([]);
  return stdout;
}

describe('require', () => {
  it('gives a CommonJS host every module of the drop-in, and what its runtime answers', async () => {
    const names = await inCommonJs(`
      const { defineSurface, createSurfaceRuntime } = require('oui-elements/compat');
      for (const part of ['core', 'spec', 'transport']) Object.assign({}, require('oui-elements/compat/' + part));
      const runtime = createSurfaceRuntime({ settle: { quietMs: 0 } });
      const handler = async () => ({ success: true, data: 'from CommonJS' });
      const actions = [{ id: 'go_on', description: 'D', input: {}, handler }];
      runtime.mount(defineSurface({ id: 'host-app', name: 'H', description: 'D', actions }), () => undefined);
      const request = { requestId: 'r1', surfaceId: 'host-app', actionId: 'go_on', params: {}, timestamp: 1 };
      runtime.execute(request).then(({ data }) => {
        process.stdout.write(data);
        runtime.dispose();
      });
    `);
    expect(names).toBe('from CommonJS');
  });

  it('gives the vectors of approvals', async () => {
    const count = await inCommonJs(`process.stdout.write(String(require('oui-elements/approval-vectors.json').vectors.length))`);
    expect(Number(count)).toBeGreaterThan(5);
  });
});
