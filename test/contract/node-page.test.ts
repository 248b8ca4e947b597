import { afterEach, expect, it } from 'vitest';
import { createSurfaceRuntime, defineSurface } from '../../src/entries/core.js';
import { createHub } from '../../src/entries/hub.js';

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0)) await undo();
});

it('a page in Node meets its agent in a hub, on any Node that is supported', async () => {
  const hub = await createHub({ port: 0 });
  const runtime = createSurfaceRuntime({ url: hub.pageUrl });
  cleanUp.push(() => runtime.dispose(), () => hub.close());
  let count = 0;
  const counter = defineSurface({
    id: 'counter',
    name: 'Counter',
    description: 'A number',
    actions: [
      {
        id: 'add',
        description: 'Add',
        settle: 'sync',
        input: { type: 'object', properties: { amount: { type: 'integer' } }, required: ['amount'] },
        handler({ amount }: { amount: number }) {
          count += amount;
          mounted.pushObservation('count', count);
        },
      },
    ],
    observations: [{ id: 'count', description: 'The count', schema: { type: 'integer' } }],
  });
  const offered = new Promise<void>((resolve) => {
    hub.pages.onChange(() => {
      if (hub.pages.pages().some((page) => page.tools().length > 0)) resolve();
    });
  });
  const mounted = runtime.mount(counter);
  await offered;
  const { result, changed } = await hub.pages.pages()[0]!.call('counter__add', { amount: 2 });
  expect(result).toMatchObject({ success: true, settled: true });
  expect(changed).toEqual({ counter: { count: 2 } });
});
