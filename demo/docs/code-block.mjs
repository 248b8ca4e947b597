/** Code as it stands in a page, coloured by classes. */

const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** @param {string} text */
export function escapeHtml(text) {
  return text.replace(/[&<>"]/g, (sign) => ESCAPES[/** @type {keyof typeof ESCAPES} */ (sign)]);
}

const STRING = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/.source;
const SCRIPT_COMMENT = /\/\*[\s\S]*?\*\/|(?<![:\w"'])\/\/[^\n]*/.source;
const WORDS = 'import|export|from|const|let|function|return|await|async|new|if|else|for|of|interface|readonly|as|type';
const SCRIPT = new RegExp(`(?<comment>${SCRIPT_COMMENT})|(?<string>${STRING})|(?<word>\\b(?:${WORDS})\\b)`, 'g');

/** What is coloured in each language. */
const TOKENS = {
  html: /(?<comment><!--[\s\S]*?-->)|(?<word><\/?[\w-]+|(?<=<[^<]*)\/?>|<!doctype html>)|(?<string>(?<==)"[^"]*")/gi,
  js: SCRIPT,
  mjs: SCRIPT,
  ts: SCRIPT,
  tsx: SCRIPT,
  json: /(?<word>"(?:[^"\\]|\\.)*"(?=\s*:))|(?<string>"(?:[^"\\]|\\.)*")/g,
  sh: /(?<comment>(?<=^|\s)#[^\n]*)|(?<word>^\S+)|(?<string>"[^"\n]*")/gm,
};

/**
 * A block of code that can be scrolled with the keyboard.
 *
 * @param {string} code
 * @param {string} language
 * @param {string} label what it is, for people who do not see where it stands
 * @param {string} [link] where it runs
 */
export function codeBlock(code, language, label, link) {
  const open = link === undefined ? '' : ` <a href="${escapeHtml(link)}">Open it</a>`;
  const caption = `<figcaption>${escapeHtml(label)}${open}</figcaption>`;
  const scrolled = `tabindex="0" role="group" aria-label="${escapeHtml(`Code: ${label}`)}"`;
  const coloured = colour(code.trimEnd(), language);
  return `<figure class="code">${caption}<pre ${scrolled}><code>${coloured}</code></pre></figure>`;
}

/** @param {string} code @param {string} language */
function colour(code, language) {
  const tokens = TOKENS[/** @type {keyof typeof TOKENS} */ (language)];
  if (tokens === undefined) return escapeHtml(code);
  let html = '';
  let end = 0;
  for (const { 0: text, index, groups = {} } of code.matchAll(tokens)) {
    const kind = Object.keys(groups).find((name) => groups[name] !== undefined);
    html += `${escapeHtml(code.slice(end, index))}<span class="${kind}">${escapeHtml(text)}</span>`;
    end = index + text.length;
  }
  return html + escapeHtml(code.slice(end));
}
