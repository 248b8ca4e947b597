/**
 * Resolves when the children that the markup gives an element are there.
 *
 * The parser connects an element before it reaches its children, so while a document is loading nobody can tell whether
 * more are coming: only the end of parsing says so. Everywhere else (innerHTML, templates, frameworks) an element
 * is connected together with its children, whose upgrade is done by the next microtask.
 */
export function documentParsed(document: Document): Promise<void> {
  if (document.readyState !== 'loading') return Promise.resolve();
  return new Promise((resolve) => {
    document.addEventListener('DOMContentLoaded', () => resolve(), { once: true });
  });
}
