/** How much of one page the agent's side keeps. A page is a stranger: it must not fill the agent's memory. */
export const AGENT_LIMITS = {
  /** A large studio page mounts some dozens. */
  surfaces: 200,
  /** Actions of all surfaces together. The largest page known declares 447. */
  actions: 5_000,
  /** Definitions that are asked for at once: a page answers with as many as fit one frame. */
  definitionsAsked: 100,
  /** So often is an action's definition fetched for one call, when the page changes it meanwhile. */
  definitionFetches: 3,
  /** Rows, members or characters asked for at once, when a value is read whole: a page gives as many as fit. */
  piecesAsked: 100_000,
  /** Pages of one value, and levels of cuts within cuts, before it is given up as endless. */
  readPages: 2_000,
  readDepth: 64,
  /** Text of all manifests together, in UTF-16 units. The largest page known has several hundred thousand. */
  manifestUnits: 16 * 1024 * 1024,
  /** Observations with a value, of one surface. */
  observationsPerSurface: 500,
  /** Text of all observation values together, in UTF-16 units. */
  observationUnits: 32 * 1024 * 1024,
  /** Of a surface's metadata in a tool's description, in UTF-16 units: enough for a purpose, not for a document. */
  metadataUnits: 1_000,
  /** Of a tool's whole description, in UTF-16 units. */
  descriptionUnits: 8_000,
  /** Of the names that an error message lists. */
  namesListed: 20,
  /** Of a page's free text in an error message (an application's reason, an id), in UTF-16 units. */
  quotedUnits: 200,
} as const;
