import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';
import { plantFault } from './test/model/plant-fault.mjs';

/** The files that take longest. Begun last, one of them would go on alone while the other workers have nothing to do. */
const LONGEST = ['e2e/frameworks', 'e2e/mcp-clients', 'e2e/cli'];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const found = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return found < 0 ? LONGEST.length : found;
    };
    return (await super.sort(files)).sort((one, other) => place(one) - place(other));
  }
}

/** Node tests only: what needs a browser's page runs in web-test-runner. */
export default defineConfig({
  test: {
    // Tests of one file share nothing with another's, so two files at a time suit the smallest machine.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      // Files of one worker share their modules: to load these anew for each cost more than the tests.
      // Long for a unit test: a machine that does something else as well must not turn one red. The longest property
      // takes ten seconds on a quiet one, and was seen to take thirty.
      project('unit', ['test/unit/**/*.test.ts', 'test/vectors/**/*.test.ts'], { testTimeout: 90_000, isolate: false }),
      project('contract', ['test/contract/**/*.test.ts'], { testTimeout: 20_000 }),
      project('model', ['test/model/**/*.test.ts'], { testTimeout: 60_000 }),
      project('pins', ['test/pins/**/*.test.ts'], { testTimeout: 60_000 }),
      // Real processes and browsers: each file has a hub and a Chromium of its own, and mostly waits for them.
      project('e2e', ['test/e2e/**/*.test.ts'], { testTimeout: 90_000, hookTimeout: 90_000 }),
      // One engine at a time: each shows one page, and the one in front runs as fast as it can.
      project('long', ['test/long/**/*.test.ts'], { testTimeout: 90_000, hookTimeout: 90_000 }),
    ],
  },
});

/** @param settings what differs from Vitest's defaults; times in ms */
function project(name: string, include: string[], settings: ProjectSettings = {}) {
  const plugins = plantFault(process.env['OUI_PLANTED_FAULT']);
  return { plugins, test: { name, include, environment: 'node' as const, ...settings } };
}

interface ProjectSettings {
  readonly testTimeout?: number;
  readonly hookTimeout?: number;
  /** Whether each file has its modules anew, in a process of its own. */
  readonly isolate?: boolean;
}
