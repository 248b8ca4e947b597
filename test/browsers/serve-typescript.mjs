import { access } from 'node:fs/promises';
import { extname, join } from 'node:path';
import ts from 'typescript';

/** Type-checking is `tsc`'s; here the types are only taken off. */
const COMPILER_OPTIONS = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  jsx: ts.JsxEmit.ReactJSX,
  verbatimModuleSyntax: true,
  inlineSourceMap: true,
  inlineSources: true,
};

const ENDINGS = ['.ts', '.tsx'];

/** @param {string} path */
async function exists(path) {
  return access(path).then(
    () => true,
    () => false,
  );
}

/**
 * Sources import each other with `.js` endings. A request for such a file, by an import or by `new Worker(…)`,
 * is served from its `.ts` or `.tsx` source.
 *
 * @param {string} rootDir
 * @returns {import('@web/dev-server-core').Middleware}
 */
export function serveSourcesForJs(rootDir) {
  return async (context, next) => {
    if (context.path.endsWith('.js') && !(await exists(join(rootDir, context.path)))) {
      for (const ending of ENDINGS) {
        const source = context.path.replace(/\.js$/, ending);
        if (await exists(join(rootDir, source))) context.path = source;
      }
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
      return ENDINGS.includes(extname(context.path)) ? 'js' : undefined;
    },
    transform(context) {
      if (!ENDINGS.includes(extname(context.path))) return undefined;
      const { outputText } = ts.transpileModule(String(context.body), {
        compilerOptions: COMPILER_OPTIONS,
        fileName: context.path,
      });
      return outputText;
    },
  };
}
