import { expect, it } from 'vitest';
import * as LIMITS from '../../../src/protocol/limits.js';
import { inspectedFrame, inspectedMessage } from '../../../src/rules/inspected-frame.js';

it('measures the whole frame and keeps what can be read of it', () => {
  const payload = JSON.stringify('x'.repeat(LIMITS.inspectedFrameLength));
  const frame = inspectedFrame('out', 'oui:event', payload, 7);
  expect(frame).toMatchObject({ direction: 'out', type: 'oui:event', cut: true, at: 7 });
  expect(frame.payload).toHaveLength(LIMITS.inspectedFrameLength);
  expect(frame.bytes).toBe(JSON.stringify({ type: 'oui:event', payload: JSON.parse(payload) as string }).length);
});

it('takes any message that another window can post', () => {
  const cycle: unknown[] = [];
  cycle.push(cycle);
  const deep = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000)) as unknown;
  for (const payload of [cycle, { id: 1n }, deep, undefined]) {
    expect(inspectedMessage({ type: 'x-a', payload }, 7)).toMatchObject({ type: 'x-a', payload: 'null' });
  }
  for (const message of [null, undefined, 'text', { type: 5 }]) {
    expect(inspectedMessage(message, 7)).toMatchObject({ direction: 'in', type: '', payload: 'null' });
  }
});
