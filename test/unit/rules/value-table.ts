/** One row of the table in the README: a value in code, its JSON, and whether the page's author is told. */
export interface ValueRow {
  readonly code: string;
  readonly json: string;
  readonly isReported: boolean;
}

const ROW = /^\| `(.+?)` \| `(.+?)` \| (.*?) ?\|$/;

/** The rows of the section "What becomes of a value". */
export function valueRows(readme: string): ValueRow[] {
  const section = readme.split('## What becomes of a value')[1]?.split('\n## ')[0] ?? '';
  return section.split('\n').flatMap((line) => {
    const [, code, json, note] = ROW.exec(line) ?? [];
    return code === undefined || json === undefined ? [] : [{ code, json, isReported: note!.startsWith('reported') }];
  });
}

/** The value that a row's code stands for. `names`: what it uses beside the language. */
export function valueOf({ code }: ValueRow, names: { readonly signal: unknown; readonly Vue: unknown }): unknown {
  // oxlint-disable-next-line typescript/no-implied-eval -- the README's own words are what is tested
  const make = new Function('signal', 'Vue', `return (${code});`) as (...names: unknown[]) => unknown;
  return make(names.signal, names.Vue);
}
