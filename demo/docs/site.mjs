import { readFileSync } from 'node:fs';
import { analyze } from '../../elements/manifest/analyze.mjs';
import { codeBlock } from './code-block.mjs';
import { frame } from './page-frame.mjs';
import { elementReference, errorReference, limitReference, warningReference } from './reference.mjs';
import { PAGES } from './site-pages.mjs';

/**
 * The documentation as files. Examples are never written into a page: it names a file of `examples/`, or a block of the
 * README, which tests run.
 *
 * @typedef {{ root: string, load: (path: string) => Promise<{ readonly [name: string]: unknown }> }} Sources
 *   the project's folder, and what imports a module by its source's path
 */

/** `<!-- example: orders.html -->`, `<!-- readme: html <oui-runtime -->`, `<!-- elements -->`. */
const MARK = /<!-- (\w+)(?:: (.*?))? -->/g;

/** @param {Sources} sources @returns {Promise<Map<string, string>>} the text of each file, by its name below `/docs` */
export async function buildSite({ root, load }) {
  const { manifest } = await analyze(root, load);
  const [limits, errors, warnings] = await Promise.all(
    ['limits', 'error-codes', 'warning-codes'].map((name) => load(`src/protocol/${name}.ts`)),
  );
  const docs = `${root}/demo/docs`;
  /** @type {{ readonly [kind: string]: (what: string) => string }} */
  const parts = {
    example: (name) => exampleBlock(docs, name),
    readme: (what) => readmeBlock(root, what),
    elements: () => elementReference(manifest),
    errors: () => errorReference(root, errors ?? {}),
    limits: () => limitReference(root, limits ?? {}),
    warnings: () => warningReference(root, warnings ?? {}),
  };
  const files = PAGES.map((page, index) => {
    const source = readFileSync(`${docs}/pages/${page.name}.html`, 'utf8');
    const body = source.replace(MARK, (mark, kind, what = '') => {
      const part = parts[kind];
      if (part === undefined) throw new Error(`${page.name}.html: nothing is known of ${mark}.`);
      return part(what);
    });
    return /** @type {const} */ ([`${page.name}.html`, frame(page, body, PAGES[index - 1], PAGES[index + 1])]);
  });
  return new Map([...files, ['docs.css', readFileSync(`${docs}/docs.css`, 'utf8')]]);
}

/** @param {string} docs @param {string} name */
function exampleBlock(docs, name) {
  const code = readFileSync(`${docs}/examples/${name}`, 'utf8');
  const language = name.replace(/.*\./, '');
  return codeBlock(code, language, name, language === 'html' ? `/docs/examples/${name}` : undefined);
}

/** The first block of the README in a language that has a text: `html <oui-runtime`. */
/** @param {string} root @param {string} what */
function readmeBlock(root, what) {
  const [, language = '', text = ''] = /^(\w+) (.*)$/.exec(what) ?? [];
  const readme = readFileSync(`${root}/README.md`, 'utf8');
  const blocks = [...readme.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)];
  const [, , code] = blocks.find(([, name, block]) => name === language && block?.includes(text)) ?? [];
  if (code === undefined) throw new Error(`README.md has no ${language} block with ${JSON.stringify(text)}.`);
  return codeBlock(code, language, LABELS[language] ?? language);
}

/** @type {{ readonly [language: string]: string }} */
const LABELS = { html: 'HTML', js: 'JavaScript', ts: 'TypeScript', tsx: 'TSX', json: 'JSON', sh: 'Terminal' };
