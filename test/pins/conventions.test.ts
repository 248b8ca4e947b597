import { basename } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { filesUnder, parse, readSource, shippedSources, visit } from './project-sources.js';

const sources = shippedSources();
const FOLDERS = ['src', 'elements', 'worker', 'demo', 'test'];
const everything = filesUnder(FOLDERS, ['.ts', '.js', '.mjs', '.css', '.html']).map(readSource);

/** Parsing is slow: only what names the word at all is parsed. */
const mentions = (word: string) => sources.filter(({ text }) => text.includes(word));

/** The one module that writes to the console (a warning's code is looked up there). */
const WRITES_TO_CONSOLE = ['src/protocol/warn-once.ts'];

function hasDefaultExport(file: ts.SourceFile): boolean {
  return file.statements.some((statement) => {
    if (ts.isExportAssignment(statement)) return true;
    if (ts.isExportDeclaration(statement) && statement.exportClause && ts.isNamedExports(statement.exportClause)) {
      return statement.exportClause.elements.some(({ name }) => name.text === 'default');
    }
    return (
      ts.canHaveModifiers(statement) &&
      (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)
    );
  });
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[^]*?\*\/|\/\/.*/g, '');
}

function names(file: ts.SourceFile, identifier: string): boolean {
  let found = false;
  visit(file, (node) => {
    if (ts.isIdentifier(node) && node.text === identifier) found = true;
  });
  return found;
}

describe('conventions', () => {
  it('writes to the console in one place', () => {
    const writers = mentions('console').filter((source) => names(parse(source), 'console')).map(({ path }) => path);
    expect(writers).toEqual(WRITES_TO_CONSOLE);
  });

  it('asks nothing of a window\'s own classes: an adopted element has those of another', () => {
    const classes = /\binstanceof\s+(\w*Element|Node|Document|DocumentFragment|ShadowRoot|Event|EventTarget|File|Blob|Window)\b/;
    const places = /^(elements|src\/surface|src\/bridges)\//;
    expect(sources.filter(({ path, text }) => places.test(path) && classes.test(text)).map(({ path }) => path)).toEqual([]);
  });

  it('exports by name', () => {
    expect(mentions('default').filter((source) => hasDefaultExport(parse(source)))).toEqual([]);
  });

  it('names each file for its job', () => {
    const vague = /^(utils?|helpers?|common|misc|index)$/;
    const allowed = ['src/entries/index.ts'];
    const wrong = everything
      .map(({ path }) => path)
      .filter((path) => /\.(ts|js|mjs)$/.test(path) && !allowed.includes(path))
      .filter((path) => vague.test(basename(path).replace(/\..*$/, '')));
    expect(wrong).toEqual([]);
  });

  it('names members of a module that was imported whole one by one: bundles hold all of it otherwise', () => {
    const whole = sources.flatMap(({ path, text }) => {
      const names = [...text.matchAll(/^import \* as (\w+) from '\./gm)].map(([, name]) => name!);
      return names.filter((name) => new RegExp(`^(?!import).*(?<![\\w.'])${name}\\b(?![\\w.'])`, 'm').test(withoutComments(text)))
        .map((name) => `${path}: ${name}`);
    });
    // A list for users, of all of them.
    expect(whole).toEqual(['src/protocol/standard-error-codes.ts: ERROR_CODES']);
  });

  it('has small rooms', () => {
    const long = sources.map(({ path, text }) => `${path}: ${text.split('\n').length - 1}`);
    expect(long.filter((line) => Number(line.split(': ')[1]) > 350)).toEqual([]);
  });

  it('leaves nothing for later', () => {
    const later = /\b(TODO|FIXME|XXX)\b|\b(it|test|describe)\.(skip|only|todo)\b|\b(xit|xdescribe)\(/;
    const lines = everything
      .filter(({ path }) => path !== 'test/pins/conventions.test.ts' && !path.startsWith('test/vectors/'))
      .flatMap(({ path, text }) => text.split('\n').map((line, index) => ({ place: `${path}:${index + 1}`, line })));
    expect(lines.filter(({ line }) => later.test(line)).map(({ place }) => place)).toEqual([]);
  });

  it('recognises what it forbids', () => {
    const planted = (text: string) => parse({ path: 'planted.ts', text });
    expect(hasDefaultExport(planted('export default 1;'))).toBe(true);
    expect(hasDefaultExport(planted('export default function f() {}'))).toBe(true);
    expect(hasDefaultExport(planted('const a = 1; export { a as default };'))).toBe(true);
    expect(hasDefaultExport(planted('export const a = 1;'))).toBe(false);
    expect(names(planted('globalThis.console.log(1);'), 'console')).toBe(true);
    expect(names(planted('// console\nconst a = "console";'), 'console')).toBe(false);
  });
});
