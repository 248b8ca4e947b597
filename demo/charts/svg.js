/** Drawings as SVG: in the page, in its own colours, and as the text of a file, in those of paper. */
const NAMESPACE = 'http://www.w3.org/2000/svg';
const COLOURED = ['fill', 'stroke'];

/** Colours on paper, by role. The page has its own, as custom properties of the same names. */
const PAPER = {
  ink: '#1b1f2b', muted: '#5c6273', grid: '#dfe1ea', paper: '#ffffff',
  'series-1': '#3457d5', 'series-2': '#c2410c', 'series-3': '#0f7b5f', 'series-4': '#8b3fd1',
  'series-5': '#9a6a00', 'series-6': '#0e7490', 'series-7': '#be185d', 'series-8': '#4d7c0f',
};

/** @param {import('./marks.js').Mark} mark */
export function markElement({ tag, attributes, text, hint }) {
  const element = document.createElementNS(NAMESPACE, tag);
  for (const [name, value] of Object.entries(attributes)) {
    const isRole = COLOURED.includes(name) && value !== 'none';
    element.setAttribute(name, isRole ? `var(--chart-${value})` : value);
  }
  if (text !== undefined) element.textContent = text;
  if (hint !== undefined) element.append(titled('title', hint));
  return element;
}

/** An empty picture for the page, with its title and description. @param {import('./scene.js').Scene} scene */
export function svgElement({ width, height, title, description }) {
  const svg = document.createElementNS(NAMESPACE, 'svg');
  svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', `${title}. ${description}`);
  return svg;
}

function titled(tag, content) {
  const element = document.createElementNS(NAMESPACE, tag);
  element.textContent = content;
  return element;
}

const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text) => String(text).replace(/[&<>"]/g, (letter) => ESCAPES[letter]);

/** @param {import('./marks.js').Mark} mark */
export function markText({ tag, attributes, text, hint }) {
  const list = Object.entries(attributes).map(([name, value]) => (
    ` ${name}="${escaped(COLOURED.includes(name) ? PAPER[value] ?? value : value)}"`));
  const title = hint === undefined ? '' : `<title>${escaped(hint)}</title>`;
  const inside = title + escaped(text ?? '');
  return `<${tag}${list.join('')}${inside === '' ? '/>' : `>${inside}</${tag}>`}`;
}

/** A whole file around marks that were written before. @param {import('./scene.js').Scene} scene */
export function svgFile({ width, height, title, description }, markTexts) {
  return `<svg xmlns="${NAMESPACE}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img"`
    + ' font-family="system-ui, -apple-system, \'Segoe UI\', Roboto, sans-serif">\n'
    + `<title>${escaped(title)}</title>\n<desc>${escaped(description)}</desc>\n`
    + `<rect width="100%" height="100%" fill="${PAPER.paper}"/>\n${markTexts.join('\n')}\n</svg>\n`;
}
