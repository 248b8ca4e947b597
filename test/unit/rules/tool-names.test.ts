import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toolName } from '../../../src/rules/tool-names.js';

const LONG_SURFACE = 'customer-relationship-management-console-with-a-very-long-name-x';
const LONG_ACTION = 'synchronise_every_outstanding_invoice_with_the_accounting_system1';

describe('toolName', () => {
  it('joins the two ids', () => {
    expect(toolName('todo-app', 'add_todo')).toBe('todo-app__add_todo');
    expect(toolName('a'.repeat(31), 'b'.repeat(31))).toHaveLength(64);
  });

  it('shortens what is too long, the same every time', () => {
    const name = toolName(LONG_SURFACE, LONG_ACTION);
    expect(name).toBe('customer-relations_03e16874af19759c__synchronise_every_outstandi');
    expect(name).toHaveLength(64);
    expect(toolName('ab', LONG_ACTION)).toMatch(/^ab_[0-9a-f]{16}__synchronise_every_outstanding_invoice_with_/);
    expect(toolName(LONG_SURFACE, 'ab')).toMatch(/^customer-relationship-management-console-wi_[0-9a-f]{16}__ab$/);
  });

  it('replaces characters that providers refuse', () => {
    expect(toolName('app:navigation', 'go.to')).toMatch(/^app-navigation_[0-9a-f]{16}__go-to$/);
  });

  it('keeps pairs apart that join to the same text', () => {
    const pairs = ['a _b', 'a_ b', 'a__b c', 'a b__c', 'a.b c', 'a-b c'].map((pair) => pair.split(' '));
    const names = pairs.map(([surface, action]) => toolName(surface as string, action as string));
    expect(new Set(names).size).toBe(pairs.length);
  });

  it('is short, allowed everywhere and different for different pairs', () => {
    const id = fc.oneof(
      fc.string({ unit: fc.constantFrom('a', '_', '-', ':', 'é'), minLength: 1, maxLength: 5 }),
      fc.string({ unit: fc.constantFrom('a', 'b', '_', '-'), minLength: 1, maxLength: 160 }),
      fc.string({ unit: 'binary', minLength: 1 }),
    );
    fc.assert(
      fc.property(id, id, id, id, (surfaceA, actionA, surfaceB, actionB) => {
        const name = toolName(surfaceA, actionA);
        expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
        if (surfaceA === surfaceB && actionA === actionB) return;
        expect(toolName(surfaceB, actionB)).not.toBe(name);
      }),
      { numRuns: 500 },
    );
  });
});
