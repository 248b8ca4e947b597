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
});
