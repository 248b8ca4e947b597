import { access } from 'node:fs/promises';
import { extname, join } from 'node:path';
import ts from 'typescript';

/** Type-checking is `tsc`'s; here the types are only taken off. */
const COMPILER_OPTIONS = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  verbatimModuleSyntax: true,
  inlineSourceMap: true,
  inlineSources: true,
};

/** @param {string} path */
async function exists(path) {
  return access(path).then(
    () => true,
    () => false,
  );
}

/**
 * Sources import each other with `.js` endings. A request for such a file, by an import or by `new Worker(…)`,
 * is served from its `.ts` source.
 *
 * @param {string} rootDir
 * @returns {import('@web/dev-server-core').Middleware}
 */
export function serveSourcesForJs(rootDir) {
  return async (context, next) => {
    if (context.path.endsWith('.js') && !(await exists(join(rootDir, context.path)))) {
      const source = context.path.replace(/\.js$/, '.ts');
      if (await exists(join(rootDir, source))) context.path = source;
    }
    await next();
  };
}

/**
 * Serves TypeScript as JavaScript.
 *
 * @returns {import('@web/dev-server-core').Plugin}
 */
export function typescriptPlugin() {
  return {
    name: 'typescript',
    resolveMimeType(context) {
      return extname(context.path) === '.ts' ? 'js' : undefined;
    },
    transform(context) {
      if (extname(context.path) !== '.ts') return undefined;
      const { outputText } = ts.transpileModule(String(context.body), {
        compilerOptions: COMPILER_OPTIONS,
        fileName: context.path,
      });
      return outputText;
    },
  };
}
