import fc from 'fast-check';
import { expect, it } from 'vitest';
import { valueUnits } from '../../../src/rules/value-units.js';

it('is near the length of the JSON text', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      const length = JSON.stringify(value).length;
      const units = valueUnits(value, Infinity);
      // Numbers and escapes are longer than they count; a constant for each.
      expect(units).toBeGreaterThan(length / 12);
      expect(units).toBeLessThan(4 * length + 4);
    }),
  );
});

it('stops soon after there is too much, also in what has no end', () => {
  const cycle: unknown[] = [];
  cycle.push(cycle, cycle);
  expect(valueUnits(cycle, 1_000)).toBeGreaterThan(1_000);
  expect(valueUnits('x'.repeat(5_000), 1_000)).toBe(5_002);
  let read = 0;
  const item = { get text() { read += 1; return 'x'.repeat(100); } };
  valueUnits(Array.from({ length: 500 }, () => item), 1_000);
  expect(read).toBeLessThan(20);
});
