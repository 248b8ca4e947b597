import { expect } from 'chai';
import type { Validator } from '../../src/protocol/ports.js';
import { createInterpretedValidator } from '../../src/validation/interpreted.js';
import { createLinearValidator } from '../../src/validation/linear.js';
import { checkSuite, VectorReport } from '../contract/vectors-suite.js';
import type { Vectors } from '../contract/vectors-suite.js';
import { compiledIn } from './fixtures/compiled-in.js';
import type { VectorsPageReport } from './fixtures/vectors-page.js';

/** What a page at this origin found: all of the vectors but the official suite. */
async function reportOf(origin: string): Promise<VectorsPageReport> {
  const frame = document.createElement('iframe');
  const told = new Promise<VectorsPageReport>((resolve) => {
    const listen = ({ data, source }: MessageEvent): void => {
      if (source !== frame.contentWindow) return;
      removeEventListener('message', listen);
      resolve(data as VectorsPageReport);
    };
    addEventListener('message', listen);
  });
  frame.src = `${origin}/test/browser/fixtures/vectors-page.html`;
  document.body.append(frame);
  const report = await told;
  frame.remove();
  return report;
}

function expectAll({ counts, failures, warnings }: VectorsPageReport): void {
  expect(failures).to.deep.equal([]);
  expect(warnings).to.deep.equal([]);
  expect(Object.keys(counts)).to.have.members(['cases interpreted', 'cases compiled', 'approval', 'jcs', 'surfaces']);
  expect(Math.min(...Object.values(counts))).to.be.greaterThan(5);
}

describe('the vectors', () => {
  it('hold on a page in a secure context', async () => {
    const report = await reportOf(location.origin);
    expect(report).to.include({ secure: true, subtle: 'object' });
    expectAll(report);
  });

  it('hold on a page on plain http, where there is no crypto.subtle', async () => {
    const origin = await (await fetch('/__plain_http__')).text();
    const report = await reportOf(origin);
    expect(report).to.include({ secure: false, subtle: 'undefined' });
    expectAll(report);
  });

  describe('of the official suite', () => {
    let vectors: Vectors;

    before(async () => {
      vectors = (await (await fetch('/__vectors__')).json()) as Vectors;
    });

    function expectSuite(validator: Validator): void {
      const report = new VectorReport();
      checkSuite(report, 'here', validator, vectors);
      expect(report.failures).to.deep.equal([]);
      expect(report.counts['suite here']).to.be.greaterThan(1_000);
    }

    it('hold for the interpreted validator', () => {
      expectSuite(createInterpretedValidator());
    }).timeout(60_000);

    it('hold for the linear validator', () => {
      const unsupported: string[] = [];
      expectSuite(createLinearValidator({ onUnsupported: (each) => unsupported.push(each) }));
      expect(unsupported).to.deep.equal([]);
    }).timeout(60_000);

    it('hold for the compiled validator', async () => {
      const { validator, warnings, asked } = await compiledIn();
      expectSuite(validator);
      expect(warnings).to.deep.equal([]);
      expect(asked()).to.be.greaterThan(700);
    }).timeout(60_000);
  });
});
