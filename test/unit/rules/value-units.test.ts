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

it('weighs what JSON has no form for by what it holds, without listing it', () => {
  const bytes = new Uint8Array(5_000);
  Object.defineProperty(bytes, 'listed', { enumerable: true, get: () => expect.fail('its members were listed') });
  expect(valueUnits({ bytes }, Infinity)).toBeGreaterThanOrEqual(5_000);
  expect(valueUnits(bytes.buffer, Infinity)).toBe(5_002);
  expect(valueUnits(new DataView(bytes.buffer), Infinity)).toBe(5_002);
  expect(valueUnits(Object('x'.repeat(5_000)), Infinity)).toBe(5_002);
  expect(valueUnits(new Map([['a', new Set(['x'.repeat(5_000)])]]), Infinity)).toBeGreaterThan(5_000);
});
