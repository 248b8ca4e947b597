import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { buildSite } from '../../demo/docs/site.mjs';
import { PAGES } from '../../demo/docs/site-pages.mjs';
import * as ERROR_CODES from '../../src/protocol/error-codes.js';
import * as LIMITS from '../../src/protocol/limits.js';
import * as WARNINGS from '../../src/protocol/warning-codes.js';
import { filesUnder, ROOT } from './project-sources.js';
import { RUN_BY, TESTED_BLOCKS } from './tested-examples.js';

const load = (path: string): Promise<Record<string, unknown>> => import(/* @vite-ignore */ `${ROOT}/${path}`);
const site = await buildSite({ root: ROOT, load });
const pages = [...site].filter(([name]) => name.endsWith('.html'));
const sources = PAGES.map(({ name }) => readFileSync(`${ROOT}/demo/docs/pages/${name}.html`, 'utf8'));

/** The text of a page from the element with this id to the next heading or term. */
function section(page: string, id: string): string {
  const part = new RegExp(`id="${id}"[^>]*>([\\s\\S]*?)(?=<h2|<dt|</article>)`);
  const [, text = ''] = part.exec(site.get(page) ?? '') ?? [];
  return text.replace(/<[^>]+>/g, '').replace(/\s+/g, ' ');
}

describe('the documentation', () => {
  it('has links that lead somewhere', () => {
    const examples = filesUnder(['demo/docs/examples'], ['.html']).map((path) => path.replace('demo/docs', '/docs'));
    const addresses = [...pages.map(([name]) => `/docs/${name === 'index.html' ? '' : name}`), ...examples];
    const elsewhere = ['/docs/docs.css', '/icon.svg', '/todos'];
    for (const [name, html] of pages) {
      const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      expect([name, ...new Set(ids)]).toEqual([name, ...ids]);
      const links = html.matchAll(/<(?:a|link|img)\b[^>]*? (?:href|src)="([^"]+)"/g);
      const targets = [...links].map(([, target = '']) => target);
      const broken = targets.filter((target) => {
        if (/^https:\/\//.test(target)) return false;
        const [path = '', id] = target.split('#');
        const page = path === '' ? html : site.get(path.replace(/^\/docs\//, '') || 'index.html');
        const isThere = path === '' || addresses.includes(path) || elsewhere.includes(path);
        return !isThere || (id !== undefined && !page?.includes(` id="${id}"`));
      });
      expect([name, ...broken]).toEqual([name]);
    }
  });

  it('shows no code but what tests run', () => {
    for (const text of sources) expect(text).not.toContain('<pre');
    const marked = (kind: string): string[] => {
      const mark = new RegExp(`<!-- ${kind}: (.*?) -->`, 'g');
      return [...new Set(sources.flatMap((text) => [...text.matchAll(mark)].map(([, what = '']) => what)))].sort();
    };
    const files = filesUnder(['demo/docs/examples'], ['']).map((path) => path.replace('demo/docs/examples/', ''));
    expect(marked('example')).toEqual(files);
    expect(Object.keys(RUN_BY).sort()).toEqual(files);
    for (const [example, test] of Object.entries(RUN_BY)) {
      expect([example, readFileSync(`${ROOT}/${test}`, 'utf8').includes(example)]).toEqual([example, true]);
    }
    expect(marked('readme')).toEqual(Object.keys(TESTED_BLOCKS).sort());
    for (const [block, { test, quoted }] of Object.entries(TESTED_BLOCKS)) {
      expect([block, readFileSync(`${ROOT}/${test}`, 'utf8').includes(quoted)]).toEqual([block, true]);
    }
  });

  it('lists every error code, limit and warning, each with its meaning', () => {
    const html = site.get('limits.html')!;
    const cells = (caption: string): string[][] => {
      const part = new RegExp(`<caption>${caption}</caption>[\\s\\S]*?<tbody>([\\s\\S]*?)</tbody>`);
      const [, body = ''] = part.exec(html) ?? [];
      const cellsOf = (row: string): string[] => (
        [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map(([, cell = '']) => cell));
      return body.split('\n').map(cellsOf);
    };
    const names = (rows: string[][]): string[] => rows.map(([first = '']) => first.replace(/<\/?code>/g, '')).sort();
    expect(names(cells('Error codes of results'))).toEqual(Object.values(ERROR_CODES).sort());
    expect(names(cells('Limits'))).toEqual(Object.keys(LIMITS).sort());
    expect(names(cells('Warnings in the console'))).toEqual(Object.values(WARNINGS).sort());
    const all = ['Error codes of results', 'Limits', 'Warnings in the console'].flatMap(cells);
    expect(all.filter((row) => row.some((cell) => cell === ''))).toEqual([]);
    expect(cells('Limits')).toContainEqual(expect.arrayContaining(['<code>resultBytes</code>', '480 KiB']));
  });

  it('needs no script, and nothing from elsewhere', () => {
    for (const [, html] of pages) {
      expect(html).toContain("default-src 'none'; style-src 'self'");
      expect(html).not.toMatch(/<(script|link|img|iframe)[^>]+(src|href)="https?:/);
      expect(html.replace(/<figure[\s\S]*?<\/figure>/g, '')).not.toMatch(/<script|<style|\sstyle=|\son\w+=/);
    }
  });

  it('names a source and a date for what it says of others', () => {
    const html = site.get('comparison.html')!;
    const items = [...html.matchAll(/<li id="(s\d+)">(.*?)<\/li>/g)];
    expect(items.length).toBeGreaterThanOrEqual(6);
    for (const [item, id] of items) {
      expect(html).toContain(`href="#${id}"`);
      expect(item).toMatch(/href="https:\/\/[^"]+".*Read \d{4}-\d\d-\d\d\./);
    }
  });

  it.each<[row: string, page: string, id: string, ...says: RegExp[]]>([
    ['S3.3-01', 'surfaces', 'descriptions', /purpose and the domain/, /Leave out how it is built/],
    ['S4.3-09', 'surfaces', 'defaults', /Give a parameter a default wherever/],
    ['S5.3.1-03', 'surfaces', 'frequency', /Prefer on-change/, /realtime sparingly/],
    ['S8.5-01', 'safety', 'transports', /WebSocket to the hub/, /Socket\.IO/, /postMessage/, /direct pair/],
    ['S9.1.1-02', 'surfaces', 'secrets-metadata', /Never put tokens, passwords/],
    ['S9.2-05', 'surfaces', 'confirm', /deletes/, /effect outside/, /money/, /permissions/],
    ['S9.3.1-01', 'surfaces', 'small', /one surface for each feature or page/],
    ['S9.3.3-01', 'surfaces', 'secrets-results', /must carry nothing that the agent may not see/],
    ['S9.3.3-02', 'surfaces', 'secrets-observations', /no more than the user may see/],
    ['S9.6-01', 'surfaces', 'secrets-manifest', /No secrets in names, descr/, /no actions that this user may not use/],
  ])('tells authors what %s asks for', (_row, page, id, ...says) => {
    const text = section(`${page}.html`, id);
    for (const each of says) expect(text).toMatch(each);
  });
});
