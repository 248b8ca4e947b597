import { existsSync, readFileSync } from 'node:fs';
import { ROOT } from './project-sources.js';
import { testTitles } from './test-titles.js';

/** One requirement of the specification, of the reference's README or of PROTOCOL.md. */
export interface Requirement {
  /** The id of its section, `-`, a number. It is never given to another requirement. */
  readonly id: string;
  /** The name of its section, and where in it. */
  readonly source: string;
  readonly level: string;
  /** What is required; where we depart from the source, what is done instead. */
  readonly text: string;
  /** Where it is written that we depart from the source. */
  readonly departs?: string;
  /** The tests that would fail if it were broken: `file > title`, or `file > title # a text of its table of cases`. */
  readonly tests?: readonly string[];
  /** The area of work that still owes it. */
  readonly owed?: string;
}

/** What test/requirements.json holds. */
export interface RequirementList {
  /** Every section that has requirements, by the id with which those of its rows begin, in the order of the file. */
  readonly sections: { readonly [id: string]: string };
  /** What is still to be built, or shown. */
  readonly areas: { readonly [name: string]: string };
  /** Areas of which nothing may be owed any more. */
  readonly done: readonly string[];
  readonly rows: readonly Requirement[];
}

const LEVELS = ['MUST', 'MUST NOT', 'SHOULD', 'SHOULD NOT'];
const MEMBERS = ['id', 'source', 'level', 'text', 'departs', 'tests', 'owed'];

/** The text of the file with each entry on a line of its own, so that a change of one row is a change of one line. */
export function listText({ sections, areas, done, rows }: RequirementList): string {
  const entries = (table: object): string =>
    Object.entries(table).map(([key, value]) => `    ${JSON.stringify(key)}: ${JSON.stringify(value)}`).join(',\n');
  const lines = rows.map((row) => `    ${JSON.stringify(row, MEMBERS)}`).join(',\n');
  return [
    '{',
    `  "sections": {\n${entries(sections)}\n  },`,
    `  "areas": {\n${entries(areas)}\n  },`,
    `  "done": ${JSON.stringify(done)},`,
    `  "rows": [\n${lines}\n  ]`,
    '}\n',
  ].join('\n');
}

/** Reads a test file; undefined when there is none. */
export type ReadTest = (path: string) => string | undefined;

export function readTest(path: string): string | undefined {
  return existsSync(`${ROOT}/${path}`) ? readFileSync(`${ROOT}/${path}`, 'utf8') : undefined;
}

/** What is wrong with a reference to a test. */
function testProblem(reference: string, titlesOf: (path: string) => readonly string[], read: ReadTest): string {
  const [, path = '', wanted = '', words] = /^(test\/\S+\.ts) > (.+?)(?: # (.+))?$/.exec(reference) ?? [];
  if (path === '') return `"${reference}" is not "test/….ts > title"`;
  const text = read(path);
  if (text === undefined) return `there is no file ${path}`;
  const all = titlesOf(path);
  const exact = all.filter((title) => title === wanted || title.endsWith(` > ${wanted}`));
  const found = exact.length > 0 ? exact : all.filter((title) => title.includes(wanted));
  if (found.length === 0) return `${path} has no test "${wanted}"`;
  if (found.length > 1) return `${path} has ${found.length} tests "${wanted}"; name the one`;
  return words === undefined || text.includes(words) ? '' : `${path} has no case "${words}"`;
}

/** Everything that is wrong with a list, each with the row or the name that it is about. */
export function listProblems(list: RequirementList, read: ReadTest = readTest): string[] {
  const { sections, areas, done, rows } = list;
  const problems: string[] = [];
  const check = (ok: boolean, problem: string): void => void (ok || problems.push(problem));

  const titles = new Map<string, string[]>();
  const titlesOf = (path: string): readonly string[] => {
    const known = titles.get(path) ?? testTitles(read(path) ?? '');
    titles.set(path, known);
    return known;
  };

  const order = Object.keys(sections);
  const numbers = new Map<string, number>();
  let last = 0;
  for (const { id, source, level, text, departs, tests, owed } of rows) {
    const say = (ok: boolean, problem: string): void => check(ok, `${id}: ${problem}`);
    const [, sectionId = '', number = ''] = /^(.+)-(\d{2,3})$/.exec(id) ?? [];
    const section = sections[sectionId];
    say(section !== undefined, 'its section is not listed');
    say(order.indexOf(sectionId) >= last, 'it stands behind a later section');
    last = Math.max(last, order.indexOf(sectionId));
    say(Number(number) > (numbers.get(sectionId) ?? 0), 'numbers go up within a section, and each is used once');
    numbers.set(sectionId, Number(number));

    const place = section !== undefined && source.startsWith(section) ? source.slice(section.length) : undefined;
    const isPlace = /^((, | )[\w.][\w. ,-]{0,30})?$/.test(place ?? '?');
    say(isPlace, `source "${source}" is not "${section}" and a place in it`);
    say(LEVELS.includes(level), `level "${level}" is none of ${LEVELS.join(', ')}`);
    say(/^\S.*\.$/.test(text), 'text is a sentence');
    say(departs === undefined || /^PROTOCOL §\d+/.test(departs), `departs "${departs}" is no place in PROTOCOL`);

    const shown = (tests ?? []).length > 0;
    say(shown || owed !== undefined, 'no test shows it, and no area owes it');
    say(!shown || owed === undefined, 'tests show it: nothing is owed; split it when they show a part');
    say(owed === undefined || owed in areas, `no area "${owed}" is listed`);
    say(owed === undefined || !done.includes(owed), `it is owed to "${owed}", which is done`);
    for (const reference of tests ?? []) {
      const problem = testProblem(reference, titlesOf, read);
      say(problem === '', problem);
    }
  }

  for (const [id, section] of Object.entries(sections)) check(numbers.has(id), `${section}: no row is of it`);
  for (const area of Object.keys(areas)) {
    const isOwed = rows.some(({ owed }) => owed === area);
    check(isOwed || done.includes(area), `area "${area}": nothing is owed to it; list it as done`);
  }
  for (const area of done) check(area in areas, `area "${area}" is done and not listed`);
  return problems;
}
