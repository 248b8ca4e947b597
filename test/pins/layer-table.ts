/** The house's table (ARCHITECTURE.md): a layer imports from the layers and packages that it names, and from itself. */
export interface Layer {
  readonly folder: string;
  readonly layers: readonly string[];
  /** Packages, by name. `node:` stands for Node's own modules. */
  readonly packages: readonly string[];
}

const LAYER_0 = ['src/protocol'];
const LAYER_1 = ['src/rules', 'src/validation', 'src/transports'];
const LAYER_2 = ['src/engine'];
const LAYER_3 = ['src/surface', 'src/agent'];
const LAYER_4 = ['worker', 'src/bridges', 'elements'];
const LAYER_5 = ['src/hub', 'src/bindings', 'src/compat', 'src/testing'];

/** The last two for types only: what a schema says of a handler's params. */
const SURFACE_PACKAGES = ['@preact/signals-core', 'json-schema-to-ts', '@standard-schema/spec'];

export const LAYERS: readonly Layer[] = [
  { folder: 'src/protocol', layers: [], packages: [] },
  { folder: 'src/rules', layers: LAYER_0, packages: ['canonicalize', '@noble/hashes'] },
  // Where an attachment may stand in a schema is a rule, and a part of whether a manifest is one.
  { folder: 'src/validation', layers: [...LAYER_0, 'src/rules'], packages: ['@cfworker/json-schema', 'ajv', 're2js'] },
  { folder: 'src/transports', layers: LAYER_0, packages: [] },
  { folder: 'src/engine', layers: [...LAYER_0, 'src/rules'], packages: [] },
  { folder: 'src/surface', layers: [...LAYER_0, ...LAYER_1, ...LAYER_2], packages: SURFACE_PACKAGES },
  { folder: 'src/agent', layers: [...LAYER_0, ...LAYER_1], packages: [] },
  { folder: 'worker', layers: [...LAYER_0, ...LAYER_1, ...LAYER_2], packages: ['comlink', 'idb-keyval'] },
  { folder: 'src/bridges', layers: [...LAYER_0, ...LAYER_1, ...LAYER_3], packages: [] },
  {
    folder: 'elements',
    // `<oui-frame>` loads the bridge between a plugin's agent side and the page's surfaces, when it first needs it.
    layers: [...LAYER_0, ...LAYER_1, ...LAYER_3, 'src/bridges'],
    // `@lit/reactive-element` is the part of lit for elements that draw nothing.
    packages: ['lit', '@lit/reactive-element', '@preact/signals-core'],
  },
  {
    folder: 'src/hub',
    layers: [...LAYER_0, ...LAYER_1, 'src/agent', 'src/bridges'],
    packages: ['node:', 'ws', '@modelcontextprotocol/server', '@modelcontextprotocol/client'],
  },
  {
    folder: 'src/bindings',
    layers: [...LAYER_0, ...LAYER_1, ...LAYER_2, ...LAYER_3],
    packages: ['react', 'vue', 'svelte', '@angular/core'],
  },
  { folder: 'src/compat', layers: [...LAYER_0, ...LAYER_1, ...LAYER_2, ...LAYER_3], packages: [] },
  // What page and agent are made of, for tests: a page without a document, in one process with its agent.
  { folder: 'src/testing', layers: [...LAYER_0, ...LAYER_1, ...LAYER_2, ...LAYER_3], packages: [] },
  {
    folder: 'src/entries',
    layers: [...LAYER_0, ...LAYER_1, ...LAYER_2, ...LAYER_3, ...LAYER_4, ...LAYER_5],
    packages: ['node:', 'vitest'],
  },
];

/** The layer that a file belongs to. */
export function layerOf(path: string): Layer | undefined {
  return LAYERS.find(({ folder }) => path.startsWith(`${folder}/`));
}
