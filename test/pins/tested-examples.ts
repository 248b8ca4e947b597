/** The documentation's examples, and the tests that run them. */
const EXAMPLES_TEST = 'test/e2e/docs-examples.test.ts';

export const RUN_BY: { readonly [example: string]: string } = {
  'approval.html': EXAMPLES_TEST,
  'approval.js': EXAMPLES_TEST,
  'import-map.html': EXAMPLES_TEST,
  'integrity.mjs': EXAMPLES_TEST,
  'logo.html': EXAMPLES_TEST,
  'logo.js': EXAMPLES_TEST,
  'orders.html': EXAMPLES_TEST,
  'orders.js': EXAMPLES_TEST,
  'oui-worker.js': EXAMPLES_TEST,
  'strict.html': EXAMPLES_TEST,
  'strict.js': EXAMPLES_TEST,
};

const COPY_PASTE = 'test/e2e/copy-paste.test.ts';
const TESTING = 'test/e2e/testing.test.ts';

/** The README's blocks that pages show, and what the test quotes that runs each. */
export const TESTED_BLOCKS: { readonly [block: string]: { readonly test: string; readonly quoted: string } } = {
  'html <oui-runtime': { test: COPY_PASTE, quoted: "readmeBlock('html', '<oui-runtime')" },
  'html from="#list"': { test: COPY_PASTE, quoted: "readmeBlock('html', 'from=\"#list\"')" },
  'js createHub({ server })': { test: COPY_PASTE, quoted: "readmeBlock('js', 'createHub({ server })')" },
  'json "command": "npx"': { test: COPY_PASTE, quoted: "readmeBlocks('json')" },
  'json "url":': { test: COPY_PASTE, quoted: "readmeBlocks('json')" },
  'sh claude mcp add': { test: COPY_PASTE, quoted: "readmeBlock('sh', 'claude mcp add')" },
  'sh oui-elements ls': { test: COPY_PASTE, quoted: "readmeBlock('sh', 'oui-elements ls')" },
  'ts @playwright/test': { test: TESTING, quoted: "readmeBlock('ts', '@playwright/test')" },
  'ts createSurfaceRuntime': { test: COPY_PASTE, quoted: "readmeBlock('ts', 'createSurfaceRuntime')" },
  'ts defineSurface<Page>()': {
    test: 'test/unit/surface/readme-definitions.test.ts', quoted: "readmeBlock('ts', 'defineSurface<Page>()')",
  },
  "ts from 'vitest'": { test: TESTING, quoted: "readmeBlock('ts', \"from 'vitest'\")" },
};
