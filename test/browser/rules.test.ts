import { describeOfferedPart } from '../contract/offered-part-suite.js';
import type { SurfacesVectors } from '../contract/offered-part-suite.js';

const response = await fetch('/test/vectors/surfaces-hash-vectors.json');

describeOfferedPart((await response.json()) as SurfacesVectors, { describe, it });
