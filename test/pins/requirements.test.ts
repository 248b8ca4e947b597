import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ROOT } from './project-sources.js';
import { listProblems, listText } from './requirement-list.js';
import type { Requirement, RequirementList } from './requirement-list.js';
import { testTitles } from './test-titles.js';

const text = readFileSync(`${ROOT}/test/requirements.json`, 'utf8');
const list = JSON.parse(text) as RequirementList;

describe('the requirements', () => {
  it('are each shown by tests that are there, or owed to an area that is not done', () => {
    expect(listProblems(list)).toEqual([]);
  });

  it('are of every chapter of the specification, of the README and of PROTOCOL.md', () => {
    const chapters = new Set(Object.values(list.sections).map((name) => /^\S+( §\d+)?/.exec(name)?.[0]));
    const numbered = (source: string, first: number, last: number): string[] =>
      Array.from({ length: last - first + 1 }, (_, index) => `${source} §${first + index}`);
    const expected = [...numbered('SPEC', 3, 10), 'README', 'PROTOCOL', ...numbered('PROTOCOL', 1, 12)];
    expect([...chapters]).toEqual(expected);
  });

  it('stand one to a line', () => {
    expect(text).toBe(listText(list));
  });
});

const TEST = `
describe('a group', () => {
  it('does it', () => {});
  it.each([['one', 1]])('does %s', () => {});
  describe.each(['x'])('$name', () => test(\`does \${name} well\`, async () => {}));
});
other('is no test');
`;

describe('a list of requirements', () => {
  const tests = ['test/a.ts > does it'];
  const row: Requirement = { id: 'S1-01', source: 'SPEC §1', level: 'MUST', text: 'It does.', tests };
  const good: RequirementList = { sections: { S1: 'SPEC §1' }, areas: { later: 'x' }, done: ['later'], rows: [row] };
  const problems = (changes: Partial<RequirementList>): string[] =>
    listProblems({ ...good, ...changes }, (path) => (path === 'test/a.ts' ? TEST : undefined));
  const rowProblems = (changes: Partial<Requirement>): string[] => problems({ rows: [{ ...row, ...changes }] });

  it('reads the titles of tests with those of their groups', () => {
    expect(testTitles(TEST)).toEqual([
      'a group > does it',
      'a group > does %s',
      'a group > $name > does ${name} well',
    ]);
  });

  it('is good', () => {
    expect(problems({})).toEqual([]);
    const references = ['test/a.ts > a group > does %s # one', 'test/a.ts > does ${name} well'];
    expect(rowProblems({ tests: references, departs: 'PROTOCOL §12 4.5' })).toEqual([]);
    for (const source of ['SPEC §1 step 2', 'SPEC §1, a place']) expect(rowProblems({ source })).toEqual([]);
  });

  it.each<[what: string, changes: Partial<Requirement>, problem: string]>([
    ['neither tests nor an area', { tests: [] }, 'no test shows it, and no area owes it'],
    ['a file that is not there', { tests: ['test/b.ts > does it'] }, 'there is no file test/b.ts'],
    ['a title that is not there', { tests: ['test/a.ts > does not'] }, 'test/a.ts has no test "does not"'],
    ['a call that is no test', { tests: ['test/a.ts > is no test'] }, 'test/a.ts has no test "is no test"'],
    ['a title of several tests', { tests: ['test/a.ts > does'] }, 'test/a.ts has 3 tests "does"; name the one'],
    ['a case that is not there', { tests: ['test/a.ts > does % # two'] }, 'test/a.ts has no case "two"'],
    ['a file without a title', { tests: ['test/a.ts'] }, '"test/a.ts" is not "test/….ts > title"'],
    ['a level that is none', { level: 'MAY' }, 'level "MAY" is none of MUST, MUST NOT, SHOULD, SHOULD NOT'],
    ['another section', { source: 'SPEC §12' }, 'source "SPEC §12" is not "SPEC §1" and a place in it'],
    ['a place that is none', { source: 'SPEC §1, |' }, 'source "SPEC §1, |" is not "SPEC §1" and a place in it'],
    ['no text', { text: '' }, 'text is a sentence'],
    ['a section that is not listed', { id: 'S2-01' }, 'its section is not listed'],
    ['an area beside tests', { owed: 'later' }, 'tests show it: nothing is owed; split it when they show a part'],
    ['an area that is done', { owed: 'later', tests: [] }, 'it is owed to "later", which is done'],
    ['an area that is not listed', { owed: 'never', tests: [] }, 'no area "never" is listed'],
    ['a departure without a place', { departs: 'somewhere' }, 'departs "somewhere" is no place in PROTOCOL'],
  ])('is refused with %s', (_what, changes, problem) => {
    expect(rowProblems(changes)).toContain(`${changes.id ?? 'S1-01'}: ${problem}`);
  });

  it('is refused with an id that is used twice, a section without rows, an area that nothing is owed to', () => {
    expect(problems({ rows: [row, row] })).toEqual(['S1-01: numbers go up within a section, and each is used once']);
    const sections = { S0: 'SPEC §0', ...good.sections };
    expect(problems({ sections })).toEqual(['SPEC §0: no row is of it']);
    const later = { ...row, id: 'S0-01', source: 'SPEC §0' };
    expect(problems({ sections, rows: [row, later] })).toEqual(['S0-01: it stands behind a later section']);
    expect(problems({ done: [] })).toEqual(['area "later": nothing is owed to it; list it as done']);
    expect(problems({ areas: {} })).toEqual(['area "later" is done and not listed']);
  });
});
