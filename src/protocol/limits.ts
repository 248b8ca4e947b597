/** Every number of the protocol, each with its reason. Times in ms, sizes in bytes unless a name says otherwise. */
export const LIMITS = {
  /** From receipt to result: queue, handler and settling (specification §7.5). */
  actionMs: 30_000,
  /** An agent gives up this long after the receipt: the page's deadline plus the way back. */
  agentTimeoutMs: 35_000,
  /** An async action's acknowledgment (specification §7.5). */
  acknowledgmentMs: 5_000,
  /** An observation that was asked for (specification §7.5). */
  pullMs: 5_000,
  /** A peer that has not said hello by then is taken for v1. */
  helloMs: 10_000,
  /** How long an agent waits for a page it knows by its `clientId` to come back. A reload takes seconds. */
  pageReturnMs: 15_000,
  /** A page that sends no receipt by then may be frozen. */
  frozenHintMs: 2_000,
  /** An answer sent less than this ago is not sent again on a repeat: its acknowledgment may be on its way. */
  reanswerAfterMs: 8_000,
  /** Quiet that counts as settled. From inside, a fetch in flight and nothing look the same. */
  quietMs: 250,
  /** The longest a result waits for the page to settle. */
  settleTimeoutMs: 5_000,
  /** How long a user may think about an approval, and the most a page may set. */
  approvalMs: 5 * 60_000,
  approvalMaxMs: 30 * 60_000,
  /** Requests of one surface a second, and at once. */
  ratePerSecond: 50,
  rateBurst: 100,
  /** Request ids a page remembers. */
  dedupeWindow: 500,
  /** `on-change` observations are pushed at most ten times a second (specification §7.4). */
  observationIntervalMs: 100,
  /** A WebSocket frame over this is dropped unparsed (specification §8.2.2). */
  frameBytes: 1024 * 1024,
  /** A frame over this ends the connection: the peer is not speaking our protocol. */
  frameCloseBytes: 4 * 1024 * 1024,
  /** A result, whole: half of what a connection takes, since other bindings' envelopes and limits are not ours. */
  resultBytes: 480 * 1024,
  /** A snapshot: it goes into a host's own request, beside what that carries. */
  snapshotBytes: 256 * 1024,
  /** One observation update: updates come many times a second. */
  updateBytes: 256 * 1024,
  /** Data that leaves the observations less than this is left out: what the page came to matters more to an agent. */
  observationsMinBytes: 16 * 1024,
  /** How many rows lists are cut to, a step at a time: a page of them, then a screen, then enough to see their shape. */
  cutRows: [200, 50, 20, 5, 0],
  /** Texts are cut to this many UTF-16 units: about a page of prose. */
  cutTextLength: 2_000,
  /** An action's description and its input's summary in an index, in UTF-16 units: a line each for the model. */
  indexDescriptionLength: 160,
  indexInputLength: 120,
  /** A parsed message deeper or larger than this is not looked at: validating it could overflow the stack. */
  messageDepth: 64,
  messageNodes: 100_000,
  /** Ids on the wire. Status observations are `surface:action:status`. */
  idLength: 160,
  /** Ids that an author declares (specification §3.2). */
  authorIdMinLength: 2,
  authorIdMaxLength: 64,
  /** Keep-alive in both directions, and how long silence is tolerated (specification §8.2.5). */
  pingMs: 30_000,
  pongMs: 10_000,
  /** Reconnection: first wait, doubling, longest wait (specification §8.2.4). */
  reconnectMinMs: 1_000,
  reconnectMaxMs: 30_000,
  /** A worker that has not said ready by then is taken for blocked: most policies block without an error. */
  workerReadyMs: 3_000,
  /** MCP clients give up at 60 s; the call returns what it has before that. */
  mcpCallMs: 45_000,
} as const;

/** Patterns of the ids an author declares (specification §3.2, §4.2, §5.2). */
export const SURFACE_ID_PATTERN = /^[a-z][a-z0-9-]*[a-z0-9]$/;
export const MEMBER_ID_PATTERN = /^[a-z][a-z0-9_]*[a-z0-9]$/;

/** The surface id of the runtime's own actions. No page may declare it. */
export const RESERVED_SURFACE_ID = 'oui';

/** The version of the specification that this project speaks. */
export const PROTOCOL_VERSION = '0.1';
