import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** The sources of the project, as the tests about its shape read them. */

export const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');

export interface Source {
  /** From the project's root, with `/`. */
  readonly path: string;
  readonly text: string;
  /** What it imports, as written: static, dynamic, types and re-exports. */
  readonly imports: readonly string[];
}

/** Folders of what was installed or built: the demos of the frameworks have their own. */
const MADE = ['node_modules', 'dist', '.angular'];

/** Every file under these folders that has one of these endings. */
export function filesUnder(folders: readonly string[], endings: readonly string[]): string[] {
  return folders
    .flatMap((folder) => {
      const names = readdirSync(`${ROOT}/${folder}`, { withFileTypes: true });
      return names.flatMap((entry) => {
        const path = `${folder}/${entry.name}`;
        if (!entry.isDirectory()) return [path];
        return MADE.includes(entry.name) ? [] : filesUnder([path], endings);
      });
    })
    .filter((path) => endings.some((ending) => path.endsWith(ending)))
    .sort();
}

export function readSource(path: string): Source {
  const text = readFileSync(`${ROOT}/${path}`, 'utf8');
  const imports = ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
  return { path, text, imports };
}

/** What is shipped: the layers, the elements and the worker. */
export function shippedSources(): Source[] {
  return filesUnder(['src', 'elements', 'worker'], ['.ts']).map(readSource);
}

export function parse({ path, text }: Pick<Source, 'path' | 'text'>): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
}

/** Calls back for every node of a file. */
export function visit(node: ts.Node, callback: (node: ts.Node) => void): void {
  callback(node);
  ts.forEachChild(node, (child) => visit(child, callback));
}
