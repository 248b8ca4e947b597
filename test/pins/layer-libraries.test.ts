import { existsSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { ROOT } from './project-sources.js';

/** What code of a layer may name is decided by its tsconfig. A planted file of the layer is compiled to see it. */

/** The language's own declarations are the same for all layers. */
const parsed = new Map<string, ts.SourceFile | undefined>();

const HOST_FREE = ['src/protocol', 'src/rules', 'src/validation', 'src/engine'];

function unknownNames(layer: string, identifiers: readonly string[]): string[] {
  const folder = `${ROOT}/${layer}`;
  const planted = `${folder}/planted-by-a-test.ts`;
  const { config } = ts.readConfigFile(`${folder}/tsconfig.json`, ts.sys.readFile) as { config: object };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
  const host = ts.createCompilerHost({ ...options, composite: false });
  const text = `export const named = [${identifiers.join(', ')}] as const;\n`;
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (path) => path === planted || fileExists(path);
  host.readFile = (path) => (path === planted ? text : readFile(path));
  host.getSourceFile = (path, version, ...rest) => {
    if (path === planted) return ts.createSourceFile(path, text, version);
    if (!parsed.has(path)) parsed.set(path, getSourceFile(path, version, ...rest));
    return parsed.get(path);
  };
  const program = ts.createProgram([planted], { ...options, composite: false, incremental: false, noEmit: true }, host);
  const file = program.getSourceFile(planted);
  expect(file?.text).toBe(text);
  return program.getSemanticDiagnostics(file).map(({ messageText }) => {
    const message = ts.flattenDiagnosticMessageText(messageText, '\n');
    return /^Cannot find name '(\w+)'/.exec(message)?.[1] ?? message;
  });
}

const DOM = ['document', 'window', 'HTMLElement'];
const TIMERS = ['setTimeout', 'setInterval', 'queueMicrotask', 'performance'];
const NODE = ['process', 'Buffer', 'require'];

describe('what a layer may name', () => {
  it.each(HOST_FREE)('%s: the language and nothing of a host', (layer) => {
    const forbidden = [...DOM, ...TIMERS, ...NODE, 'fetch', 'WebSocket', 'URL', 'console', 'crypto'];
    expect(unknownNames(layer, forbidden).sort()).toEqual([...forbidden].sort());
    expect(unknownNames(layer, ['Map', 'Promise', 'JSON', 'Math'])).toEqual([]);
  });

  it.each(['src/transports', 'src/agent'])('%s: no DOM and no Node', (layer) => {
    const forbidden = [...DOM, ...NODE];
    expect(unknownNames(layer, forbidden).sort()).toEqual([...forbidden].sort());
  });

  it.each(['src/surface', 'src/bridges', 'elements'])('%s: no Node', (layer) => {
    expect(unknownNames(layer, NODE).sort()).toEqual([...NODE].sort());
    expect(unknownNames(layer, ['document', 'setTimeout'])).toEqual([]);
  });

  it('src/hub: no DOM', () => {
    expect(unknownNames('src/hub', DOM).sort()).toEqual([...DOM].sort());
    expect(unknownNames('src/hub', ['process', 'setTimeout'])).toEqual([]);
  });

  it('the worker script: no DOM', () => {
    expect(existsSync(`${ROOT}/worker/tsconfig.json`)).toBe(true);
    expect(unknownNames('worker', DOM).sort()).toEqual([...DOM].sort());
  });
});
