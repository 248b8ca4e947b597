import { expect, it } from 'vitest';
import { createInterpretedValidator } from '../../src/validation/interpreted.js';
import { readVectors } from '../browsers/serve-vectors.mjs';
import { checkCases, checkHashes, checkSuite, VectorReport } from './vectors-suite.js';
import type { Vectors } from './vectors-suite.js';

const vectors = (await readVectors(new URL('../vectors/', import.meta.url))) as unknown as Vectors;

it('the vectors hold in Node', () => {
  const report = new VectorReport();
  const validator = createInterpretedValidator();
  checkCases(report, 'interpreted', validator, vectors);
  checkSuite(report, 'interpreted', validator, vectors);
  checkHashes(report, vectors);
  expect(report.failures).toEqual([]);
  expect(Object.keys(report.counts)).toHaveLength(5);
});

it('what checks them finds what is wrong', () => {
  const report = new VectorReport();
  // A validator that takes everything.
  const careless = { compile: () => () => [] };
  checkCases(report, 'careless', careless, vectors);
  checkSuite(report, 'careless', careless, vectors);
  const wrong = { ...vectors, jcs: vectors.jcs.map((one) => ({ ...one, output: '' })) };
  checkHashes(report, wrong);
  const parts = new Set(report.failures.map((failure) => failure.split(',')[0]));
  expect(parts).toEqual(new Set(['cases careless', 'suite careless', 'jcs']));
});
