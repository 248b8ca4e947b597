/** Which page the address stands for, and going to another without loading the document again. */
const listeners = new Set();

/** @returns {{ page: 'list' | 'todo' | 'wizard' | 'about' | 'unknown', id?: string }} */
export function currentRoute() {
  const path = location.pathname.replace(/\/+$/, '') || '/';
  if (path === '/' || path === '/todos') return { page: 'list' };
  if (path === '/studio/dataviz' || path.startsWith('/studio/dataviz/')) return { page: 'wizard' };
  if (path === '/about') return { page: 'about' };
  const [, id] = /^\/todos\/([^/]+)$/.exec(path) ?? [];
  return id ? { page: 'todo', id: decoded(id) } : { page: 'unknown' };
}

/** An address that somebody typed may be malformed: no todo has such an id. */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function onRoute(listener) {
  listeners.add(listener);
}

export function go(path) {
  history.pushState(null, '', path);
  for (const listener of listeners) listener();
}

addEventListener('popstate', () => {
  for (const listener of listeners) listener();
});

document.addEventListener('click', (event) => {
  const link = event.target.closest?.('a[href^="/"]');
  if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  go(link.getAttribute('href'));
});

if (location.pathname === '/' || location.pathname.endsWith('/index.html')) history.replaceState(null, '', '/todos');
