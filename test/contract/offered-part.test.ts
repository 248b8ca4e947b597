import { readFileSync } from 'node:fs';
import { describe, it } from 'vitest';
import { describeOfferedPart } from './offered-part-suite.js';
import type { SurfacesVectors } from './offered-part-suite.js';

const vectors = readFileSync(new URL('../vectors/surfaces-hash-vectors.json', import.meta.url), 'utf8');

describeOfferedPart(JSON.parse(vectors) as SurfacesVectors, { describe, it });
