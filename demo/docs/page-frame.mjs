import { escapeHtml } from './code-block.mjs';
import { PAGES } from './site-pages.mjs';

/** @typedef {import('./site-pages.mjs').DocsPage} DocsPage */

/** Without scripts: the pages must be readable wherever they are opened. */
const POLICY = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'";

/** What a page is named in an address. @param {string} name */
function addressOf(name) {
  return name === 'index' ? '/docs/' : `/docs/${name}.html`;
}

/**
 * A whole page around its text.
 *
 * @param {DocsPage} page
 * @param {string} body
 * @param {DocsPage | undefined} previous
 * @param {DocsPage | undefined} next
 */
export function frame(page, body, previous, next) {
  const title = page.name === 'index' ? 'OUI elements' : `${page.title} · OUI elements`;
  const links = PAGES.map(({ name, title: text }) => {
    const current = name === page.name ? ' aria-current="page"' : '';
    return `<li><a href="${addressOf(name)}"${current}>${escapeHtml(text)}</a></li>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <meta http-equiv="Content-Security-Policy" content="${POLICY}">
  <meta name="description" content="${escapeHtml(page.summary)}">
  <title>${escapeHtml(title)}</title>
  <link rel="icon" href="/icon.svg" type="image/svg+xml">
  <link rel="stylesheet" href="/docs/docs.css">
</head>
<body>
  <a class="skip" href="#main">Skip to content</a>
  <header class="bar">
    <a class="brand" href="/docs/"><img src="/icon.svg" alt="" width="28" height="28"> OUI elements</a>
    <a class="aside" href="/todos">Demo</a>
  </header>
  <div class="layout${page.wide === true ? ' wide' : ''}">
    <nav class="pages" aria-label="Pages"><ul>${links.join('')}</ul></nav>
    <main id="main" tabindex="-1">
      <article>
        <h1>${escapeHtml(page.title)}</h1>
        <p class="lead">${escapeHtml(page.summary)}</p>
${body}
      </article>
      <nav class="turn" aria-label="Previous and next page">${turn(previous, 'Back')}${turn(next, 'Next')}</nav>
    </main>
    ${page.wide === true ? '' : contents(body)}
  </div>
</body>
</html>
`;
}

/** @param {DocsPage | undefined} page @param {'Back' | 'Next'} word */
function turn(page, word) {
  if (page === undefined) return '';
  const rel = word === 'Back' ? 'prev' : 'next';
  return `<a rel="${rel}" href="${addressOf(page.name)}"><span>${word}</span> ${escapeHtml(page.title)}</a>`;
}

/** The page's own sections. @param {string} body */
function contents(body) {
  const heads = [...body.matchAll(/<h2 id="([^"]+)">([\s\S]*?)<\/h2>/g)];
  if (heads.length < 2) return '';
  const items = heads.map(([, id, text]) => `<li><a href="#${id}">${text}</a></li>`).join('');
  return `<nav class="contents" aria-label="On this page"><p>On this page</p><ul>${items}</ul></nav>`;
}
