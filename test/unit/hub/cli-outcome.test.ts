import { describe, expect, it } from 'vitest';
import { tellCuts } from '../../../src/hub/cli-outcome.js';
import type { Cut } from '../../../src/protocol/events.js';

function told(cut: Partial<Cut>, page?: string): string[] {
  const whole: Cut = { surface: 'todo-app', observation: 'list', path: '', kind: 'list', total: 90, kept: 20 };
  const lines: string[] = [];
  tellCuts([{ ...whole, ...cut }], page, { print: () => undefined, tell: (line) => void lines.push(line) });
  return lines;
}

describe('what is told of a cut value', () => {
  it('is the command that reads on where it was cut, on the page that answered', () => {
    expect(told({})).toEqual(['Cut to fit (rows here: 20 of 90); the rest: oui read todo-app list --offset 20']);
    expect(told({ path: '/rows/0', kind: 'value', kept: 0 }, 'p1')).toEqual([
      'Cut to fit (nothing of it is here); the rest: oui read todo-app list --path /rows/0 --page p1',
    ]);
  });

  it('gives a shell nothing of the page\'s words to run', () => {
    expect(told({ path: '/it\'s $(x)' })[0]).toContain(String.raw`--path '/it'\''s $(x)' --offset 20`);
  });
});
