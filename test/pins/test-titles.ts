import ts from 'typescript';
import { parse } from './project-sources.js';

/** A call of one of these declares a test; of the others, a group of tests. */
const TESTS = /^(it|test)$/;
const GROUPS = /^(describe|suite|context)$/;

/** The function that a call starts from: `it` of `it.each(rows)('…', …)`. */
function rootOf(callee: ts.Expression): string {
  let node: ts.Expression = callee;
  while (ts.isCallExpression(node) || ts.isPropertyAccessExpression(node)) node = node.expression;
  return ts.isIdentifier(node) ? node.text : '';
}

/** A title as it is written; what a template puts in stays as its source, `${name}`. */
function titleOf(node: ts.Expression | undefined, file: ts.SourceFile): string | undefined {
  if (!node) return undefined;
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  const spans = node.templateSpans.map(({ expression, literal }) => `\${${expression.getText(file)}}${literal.text}`);
  return node.head.text + spans.join('');
}

/**
 * The titles of a file's tests, each behind those of its groups: `a group > a test`. They are those of the source:
 * `%s` and `$name` of a table of cases stay as they are.
 */
export function testTitles(text: string): string[] {
  const file = parse({ path: 'tests.ts', text });
  const titles: string[] = [];
  const walk = (node: ts.Node, groups: readonly string[]): void => {
    let inside = groups;
    if (ts.isCallExpression(node)) {
      const root = rootOf(node.expression);
      const title = titleOf(node.arguments[0], file);
      if (title !== undefined && TESTS.test(root)) titles.push([...groups, title].join(' > '));
      if (title !== undefined && GROUPS.test(root)) inside = [...groups, title];
    }
    ts.forEachChild(node, (child) => walk(child, inside));
  };
  walk(file, []);
  return titles;
}
