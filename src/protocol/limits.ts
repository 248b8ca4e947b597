/**
 * Every number of the protocol, each with its reason. Times in ms, sizes in bytes unless a name says otherwise.
 * Used as one table, `import * as LIMITS`: single constants, so that a bundle carries those that it uses and no others.
 */

/** From receipt to result: queue, handler and settling (specification §7.5). */
export const actionMs = 30_000;
/** The same in the drop-in for `oui-spec`, which has no deadline: long enough for what its handlers await. */
export const compatActionMs = 10 * 60_000;
/** An agent gives up this long after the receipt: the page's deadline plus the way back. */
export const agentTimeoutMs = 35_000;
/** An async action's acknowledgment (specification §7.5). */
export const acknowledgmentMs = 5_000;
/** A polling action's handler is awaited this long for its acknowledgment: in time for an agent that waits 5 s. */
export const dispatchMs = 4_000;
/**
 * A job waits this long for its surface to come back, and an agent for the surfaces of a page that has: what a
 * framework's remount or a route's code takes.
 */
export const surfaceReturnMs = 5_000;
/** Events that may end a job, kept until its handler has said which one does. More in a few seconds is a stream. */
export const bufferedEvents = 100;
/** An observation that was asked for (specification §7.5). */
export const pullMs = 5_000;
/** A getter that promises its value has so long: in time for an agent that waits 5 s. */
export const readMs = 4_000;
/** Where values are checked as samples: a look so often, at values up to so many UTF-16 units; at the first, more. */
export const observationCheckMs = 5_000;
export const observationCheckLength = 16 * 1024;
export const firstObservationCheckLength = 256 * 1024;
/** A peer that has not said hello by then is taken for v1. */
export const helloMs = 10_000;
/** How long an agent waits for a page it knows by its `clientId` to come back. A reload takes seconds. */
export const pageReturnMs = 15_000;
/** A page that sends no receipt by then may be frozen. */
export const frozenHintMs = 2_000;
/** A request without a receipt is sent again after 1 s, doubling to 8: a page answers a repeat once in 8 s at most. */
export const resendMs = 1_000;
export const resendMaxMs = 8_000;
/** A request with a receipt is asked after so often: the page works on it, or its outcome was lost on the way. */
export const receivedResendMs = 10_000;
/** A page whose result was refused sends a smaller one at once; who heard nothing for so long will hear nothing. */
export const trimmedResultMs = 5_000;
/** An answer sent less than this ago is not sent again on a repeat: its acknowledgment may be on its way. */
export const reanswerAfterMs = 8_000;
/** Quiet that counts as settled. From inside, a fetch in flight and nothing look the same. */
export const quietMs = 250;
/** The longest a result waits for the page to settle. */
export const settleTimeoutMs = 5_000;
/**
 * Timers of the page up to this long are waited for where its work is tracked: typing pauses, animations and retries
 * are shorter, what is planned for later is not what the action was for.
 */
export const trackedTimerMs = 1_000;
/** A message to oneself that takes longer met other work: schedulers of rendering work in slices of 5 ms. */
export const idleMs = 3;
/** So many in a row must have met none: a single one may overtake the message that other work waits for. */
export const idleTimes = 3;
/** Two animation frames, for pages that get none. */
export const hiddenRestMs = 33;
/** How long a user may think about an approval, and the most a page may set. */
export const approvalMs = 5 * 60_000;
export const approvalMaxMs = 30 * 60_000;
/** A question is answered this long after it came into view at the earliest: what was meant for the page is no answer. */
export const approvalArmingMs = 500;
/** The sign of an acting agent shows an action this long after its end: most last a blink. */
export const presenceLingerMs = 2000;
/** A screen reader is told that an agent is acting once in so long: more would talk over everything else. */
export const presenceSpeechMs = 15_000;
/** After so many engines were lost over one request it is not looked at again: it may be what ends them. */
export const engineLosses = 2;
/** Questions to the user that may be open at once: more is a flood, not a choice. */
export const openQuestions = 20;
/**
 * After so many noes in a row within so many ms the user is left alone: two may be a misunderstanding, a third says that
 * they have had enough. Twice as long each time, up to a quarter of an hour, after which they may see it afresh.
 */
export const refusalsInARow = 3;
export const refusalsWithinMs = 60_000;
export const refusalRestMs = 60_000;
export const refusalRestMaxMs = 15 * 60_000;
/** The user is asked so often about one request whose action changes meanwhile: what goes on changing cannot be read. */
export const asksOfOneRequest = 5;
/** Requests of one surface a second, and at once. */
export const ratePerSecond = 50;
export const rateBurst = 100;
/**
 * Data up to this many UTF-16 units are kept in the page's journal; longer ones go to the store. Five hundred of them
 * fit into the 5 MB that a tab's sessionStorage has, and one is written in well under a millisecond.
 */
export const journalDataLength = 4_096;
/** What is kept for a later document of the tab is dropped after this: nobody waits for an outcome so long. */
export const keptMs = 15 * 60_000;
/** The store has this long for an answer. IndexedDB can be blocked for ever, by another tab for one. */
export const storeMs = 2_000;
/** A new document's first surface is waited for this long before it answers for the document before it. */
export const firstMountMs = 5_000;
/** Two machines' clocks, compared through a hello, agree to this: the time that a slow hello travels and waits. */
export const clockErrorMs = 1_000;
/** Request ids a page remembers. */
export const dedupeWindow = 500;
/** `on-change` observations are pushed at most ten times a second (specification §7.4). */
export const observationIntervalMs = 100;
/** A WebSocket frame over this is dropped unparsed (specification §8.2.2). */
export const frameBytes = 1024 * 1024;
/** A frame over this ends the connection: the peer is not speaking our protocol. */
export const frameCloseBytes = 4 * 1024 * 1024;
/**
 * What a Socket.IO server takes when nobody tells it otherwise (`maxHttpBufferSize`, 1,000,000 bytes, beyond which it
 * ends the connection), less names and numbers of its own.
 */
export const socketIoFrameBytes = 990_000;
/** Events kept for a socket that is offline: what a page does in a tunnel, and no backlog that takes seconds. */
export const offlineFrames = 100;
/**
 * A page announces itself to a window or worker this often until it is acknowledged, doubling: the other end's script
 * may be there in a moment, or when its user opens something.
 */
export const announceMinMs = 100;
export const announceMaxMs = 2_000;
/** A peer whose binding has acknowledgments, and that has not given one for so long, gives none. */
export const ackMs = 10_000;
/** A result, whole: half of what a connection takes, since other bindings' envelopes and limits are not ours. */
export const resultBytes = 480 * 1024;
/** A snapshot: it goes into a host's own request, beside what that carries. */
export const snapshotBytes = 256 * 1024;
/** One observation update: updates come many times a second. */
export const updateBytes = 256 * 1024;
/** The least that a budget can be set to: an outcome with the longest message of an error always goes (24 KiB). */
export const budgetMinBytes = 32 * 1024;
/** Rows, or members, that `oui.read` gives when it is not told how many: a screen and a bit. */
export const readRows = 50;
/** Definitions that `oui.describe` is asked for at once: more than a model reads, and their names fit one frame. */
export const describeActions = 1_000;
/** Data that leaves the observations less than this is left out: what the page came to matters more to an agent. */
export const observationsMinBytes = 16 * 1024;
/** How many rows lists are cut to, a step at a time: a page of them, then a screen, then enough to see their shape. */
export const cutRows = [200, 50, 20, 5, 0] as const;
/** Texts are cut to this many UTF-16 units: about a page of prose. */
export const cutTextLength = 2_000;
/** An action's description and its input's summary in an index, in UTF-16 units: a line each for the model. */
export const indexDescriptionLength = 160;
export const indexInputLength = 120;
/** A parsed message deeper or larger than this is not looked at: validating it could overflow the stack. */
export const messageDepth = 64;
export const messageNodes = 100_000;
/**
 * Levels of a value: what stands around it most, a result's details of a job's error beside other jobs, takes eight of
 * a message's.
 */
export const valueDepth = messageDepth - 8;
/**
 * Values and UTF-16 units in one value: a million rows, and a quarter of the longest text that engines make. What is
 * no plain JSON is written piece by piece, a second or two for so many pieces.
 */
export const valueNodes = 10_000_000;
export const hardNodes = 1_000_000;
export const valueUnits = 128 * 1024 * 1024;
/**
 * A pattern that may take polynomial or exponential time, and has no linear form, is tried on texts up to so many
 * UTF-16 units: three loops over 200 are some million steps, and trebling with each of 14 is five.
 */
export const polynomialPatternLength = 200;
export const exponentialPatternLength = 14;
/** Code and message of an error that a handler reports, in UTF-16 units: a name, and a page or two to explain it. */
export const errorCodeLength = 64;
export const errorMessageLength = 4_000;
/** Ids on the wire. Status observations are `surface:action:status`. */
export const idLength = 160;
/** Ids that an author declares (specification §3.2). */
export const authorIdMinLength = 2;
export const authorIdMaxLength = 64;
/** Attachments of one request that are opened at once, and the most in a list of an input (PROTOCOL.md §6). */
export const attachmentsAtOnce = 4;
export const attachmentsInList = 20;
/** Bytes of an attachment that go in one frame: as base64 a third of what a connection takes. */
export const attachmentPartBytes = 256 * 1024;
/** A part that has not come by then is asked for again: its frame was lost, or the connection. */
export const attachmentPartMs = 5_000;
/** The largest attachment that a page takes from its agent: a photograph or a document, held in memory on both ends. */
export const attachmentBytes = 16 * 1024 * 1024;
/** What a hub holds for its agents' next calls: a dozen of the largest, a few hundred small ones, for an hour's talk. */
export const hubAttachmentsBytes = 192 * 1024 * 1024;
export const hubAttachments = 500;
export const hubAttachmentMs = 60 * 60_000;
/** Keep-alive in both directions, and how long silence is tolerated (specification §8.2.5). */
export const pingMs = 30_000;
export const pongMs = 10_000;
/** Reconnection: first wait, doubling, longest wait (specification §8.2.4). */
export const reconnectMinMs = 1_000;
export const reconnectMaxMs = 30_000;
/** A page's token provider has this long, and a hub's check of the token: each may ask a server of its own. */
export const tokenMs = 10_000;
/** A part of the worker's code has this long to come. The engine takes nothing meanwhile; agents wait 35 s. */
export const extrasMs = 10_000;
/**
 * Of each frame that is inspected, so many UTF-16 units of its payload are kept and cross from the worker: enough to read
 * what it says, and half of what the inspector keeps in all is still dozens of frames.
 */
export const inspectedFrameLength = 64 * 1024;
/**
 * What an inspector keeps: calls, frames, and notes of what else happened, the oldest going first. A developer scrolls
 * back through hundreds, not thousands. The texts of all frames, and of all calls, together have so many UTF-16 units:
 * a few megabytes, whatever the page sends.
 */
export const inspectedCalls = 300;
export const inspectedFrames = 500;
export const inspectedNotes = 200;
/** Schemas of actions and observations that are gone are kept for what is still told of them. */
export const inspectedInputs = 1_000;
export const inspectedLength = 4 * 1024 * 1024;
/** Moments of one call's settling that are kept: what comes after says the same again. */
export const inspectedMoments = 200;
/** What happens in the page is drawn this often (ms) at most: as fast as anybody reads, and little work for the page. */
export const inspectedDrawMs = 250;
/** A file that is saved can be read for so long (ms): a user who is asked where to put it takes their time. */
export const savedFileMs = 60_000;
/** Of one value so many UTF-16 units are shown; the whole of it is in what is exported. */
export const inspectedShownLength = 20_000;
/** Changes a second are counted over this, in ms: one change a second is a whole number, and a burst is seen to end. */
export const inspectedRateMs = 5_000;
/** Switches of the user's that are kept for later documents: a page has fewer actions than that. */
export const keptSwitches = 1_000;
/** A worker that has not said ready by then is taken for blocked: most policies block without an error. */
export const workerReadyMs = 3_000;
/** MCP clients give up at 60 s; the call returns what it has before that. */
export const mcpCallMs = 45_000;
/**
 * What a plugin may send to the page around it, in UTF-16 units, and at once; an event has so many units of its own,
 * and one that tells of surfaces or begins anew more, for the work that it makes. A thousand small events a second, or
 * fifty observations of 8,000 characters ten times a second each, and no more than a fraction of the page's time.
 */
export const pluginUnitsPerSecond = 4 * 1024 * 1024;
export const pluginUnitsAtOnce = 16 * 1024 * 1024;
export const pluginEventUnits = 4 * 1024;
export const pluginSurfaceUnits = 64 * 1024;
/**
 * Surfaces of one plugin, the text of their manifests, and of the values of their observations, in UTF-16 units. The
 * page's own go into the same frames: half of a result's is the most that a plugin gets.
 */
export const pluginSurfaces = 50;
export const pluginManifestUnits = 240 * 1024;
export const pluginValueUnits = 240 * 1024;
/** A prefix leaves half of an id to the plugin's own, and a name is read at a glance. */
export const pluginPrefixLength = 30;
export const pluginNameLength = 80;
/** A frame that has loaded a document gives a sign of life by then, or its connection was the last document's. */
export const frameCheckMs = 5_000;
/** What was begun in a plugin and given up has so long to end, and then the surface's next action goes out. */
export const pluginGivenUpMs = 5_000;
