import { expect } from 'chai';
import { APPENDIX_B } from './fixtures/appendix-b.js';
import { clear, collectWarnings, manifestOf, render } from './fixtures/elements-page.js';

describe('the demo', () => {
  const start = location.href;
  afterEach(async () => {
    history.replaceState(null, '', start);
    await clear();
  });

  it('declares the specification\'s todo application, word for word', async () => {
    const text = await (await fetch('/demo/index.html')).text();
    const page = new DOMParser().parseFromString(text, 'text/html');
    const markup = page.querySelector('oui-surface')!.outerHTML;
    history.replaceState(null, '', '/todos');
    const warnings = collectWarnings();
    const root = await render(`<oui-runtime></oui-runtime>${markup}`);
    warnings.stop();
    expect(manifestOf(root)).to.deep.equal(APPENDIX_B);
    expect(warnings.texts).to.deep.equal([]);
  });

  it('keeps a strict policy: no inline script or style, nothing from elsewhere, Trusted Types', async () => {
    const text = await (await fetch('/demo/index.html')).text();
    const page = new DOMParser().parseFromString(text, 'text/html');
    const policy = page.querySelector<HTMLMetaElement>('meta[http-equiv="Content-Security-Policy"]')!.content;
    expect(policy).to.match(/default-src 'none'; script-src 'self';.*require-trusted-types-for 'script'/s);
    expect(policy).not.to.match(/unsafe|https?:|\*/);
    expect(page.querySelectorAll('[style], style, script:not([src], [type="application/schema+json"])').length).to.equal(0);
  });
});
