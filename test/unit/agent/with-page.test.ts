import { afterEach, expect, it } from 'vitest';
import { createAgentRuntime } from '../../../src/entries/agent.js';
import type { AgentRuntime } from '../../../src/entries/agent.js';
import { createSurfaceRuntime, defineSurface } from '../../../src/entries/core.js';
import { createDirectTransportPair } from '../../../src/entries/transport.js';

/** Both ends as they are: what the page leaves out, the agent fetches. */

const rows = Array.from({ length: 4_000 }, (_, index) => ({ id: index, text: `Row ${index} `.repeat(20) }));
const ended: (() => void)[] = [];
afterEach(() => {
  for (const end of ended.splice(0)) end();
});

function open(form: 'full' | 'index'): AgentRuntime {
  const { page: pageEnd, agent: agentEnd } = createDirectTransportPair();
  const runtime = createSurfaceRuntime({ worker: false, form });
  const mounted = runtime.mount(
    defineSurface({
      id: 'list-page',
      name: 'List',
      description: 'A long list.',
      actions: [
        {
          id: 'find_row',
          description: 'Finds a row. By its number.',
          effect: 'view',
          input: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
          handler: ({ id }: { id: number }) => ({ text: rows[id]?.text }),
        },
      ],
      observations: [{ id: 'all_rows', description: 'All rows.', schema: {} }],
    }),
  );
  mounted.pushObservation('all_rows', rows);
  runtime.attach(pageEnd);
  const agent = createAgentRuntime({ transport: agentEnd });
  ended.push(() => agent.dispose(), () => runtime.dispose());
  return agent;
}

function until(agent: AgentRuntime, satisfied: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const release = agent.subscribe(() => satisfied() && resolve());
    ended.push(release);
    if (satisfied()) resolve();
  });
}

it.each(['full', 'index'] as const)('a call in %s form is checked and answered', async (form) => {
  const agent = open(form);
  await until(agent, () => agent.tools().length > 0);
  expect(agent.tools()[0]?.indexed).toBe(form === 'index' ? true : undefined);
  const wrong = await agent.call('list-page__find_row', { id: 'one' });
  expect(wrong.result.error?.code).toBe('VALIDATION_ERROR');
  const right = await agent.call('list-page__find_row', { id: 3 });
  expect(right.result).toMatchObject({ success: true, data: { text: rows[3]?.text } });
  expect(agent.tools()[0]).toMatchObject({ inputSchema: { required: ['id'] } });
  expect(right.result.surfaces ?? right.result.index).toBeUndefined();
});

it('a value too large for a frame is read whole, and in parts', async () => {
  const agent = open('full');
  await until(agent, () => agent.observation('list-page', 'all_rows')?.hasValue === true);
  expect(agent.observation('list-page', 'all_rows')?.cuts).toMatchObject([{ kind: 'list', total: 4_000 }]);
  expect(await agent.read('list-page', 'all_rows')).toEqual(rows);
  const part = await agent.read('list-page', 'all_rows', { offset: 3_990 });
  expect(part).toEqual({ rows: rows.slice(3_990), total: 4_000, offset: 3_990 });
  await expect(agent.read('list-page', 'all_rows', { path: '/9/none' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
