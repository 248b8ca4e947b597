/**
 * The code of each warning, so that it can be searched for. Used as one table, `import * as WARNINGS`: single
 * constants, so that a bundle carries those that it uses.
 */

/** A worker could not start; the engine runs in the page. */
export const WORKER_UNAVAILABLE = 'OUI1001';
/** A worker died and was replaced. */
export const WORKER_LOST = 'OUI1002';
/** A frame was ignored: binary, too large, not JSON, or malformed. */
export const FRAME_IGNORED = 'OUI1003';
/** Two mounts share one surface id. */
export const DUPLICATE_SURFACE = 'OUI1004';
/** A result does not fit its action's output schema. */
export const OUTPUT_MISMATCH = 'OUI1005';
/** An observation's value is not JSON. */
export const OBSERVATION_NOT_JSON = 'OUI1006';
/** A value does not fit its observation's schema. */
export const OBSERVATION_MISMATCH = 'OUI1601';
/** A getter that was asked for an observation gave no value, or not in time. */
export const OBSERVATION_NOT_READ = 'OUI1602';
/** An insecure or malformed URL was refused. */
export const URL_REFUSED = 'OUI1007';
/** A listener or callback of the application threw. */
export const CALLBACK_THREW = 'OUI1009';
/** A frame could not be sent whole. */
export const FRAME_TRIMMED = 'OUI1010';
/** A schema could not be compiled. */
export const SCHEMA_BROKEN = 'OUI1011';
/** A manifest is too large for the connection, and the agent's end does not read its index form: it was not sent. */
export const MANIFEST_TOO_LARGE = 'OUI1012';
/** The agent's end refused every form of a result. */
export const RESULT_REFUSED = 'OUI1013';
/** A context getter, or an action's `enabled`, threw: the action counts as not available. */
export const AVAILABILITY_UNKNOWN = 'OUI1014';
/** A transport that was given to an agent runtime did not connect, or failed while sending. */
export const PAGE_UNREACHABLE = 'OUI1401';
/** A surface that a page registered, or a part of it, was not taken. */
export const MANIFEST_IGNORED = 'OUI1402';
/** A page sent more state than an agent's side keeps, or state of nothing that it registered. */
export const PAGE_STATE_IGNORED = 'OUI1403';
/** What a handler handed over is not JSON; what could be told of it was sent. */
export const DATA_NOT_JSON = 'OUI1201';
/** More events came for a job than are kept until its handler returns; the oldest were dropped. */
export const EVENTS_DROPPED = 'OUI1203';
/** The tab's storage is full or forbidden: what requests came to is not kept over a reload. */
export const JOURNAL_NOT_KEPT = 'OUI1204';
/** A switch of the user's could not be kept on this device. */
export const SWITCH_NOT_KEPT = 'OUI2202';
/** No engine could start, in a worker or in the page: nothing is answered. */
export const ENGINE_UNAVAILABLE = 'OUI1202';
/** Parameters that do not fit their schema were handed to the handler all the same, as `oui-spec` does. */
export const PARAMS_MISFIT = 'OUI1801';
/** A definition of the drop-in for `oui-spec` breaks a rule that `oui-spec` does not have. */
export const DEFINITION_LENIENT = 'OUI1802';
/** An option of the drop-in for `oui-spec` has a value that was replaced by the nearest one that works. */
export const OPTION_REPLACED = 'OUI1803';
/** A pattern of a stranger's schema has no linear-time form and is not checked. */
export const PATTERN_SKIPPED = 'OUI1101';
/** More events waited for an offline socket than are kept; the oldest were dropped. */
export const OFFLINE_FRAMES_DROPPED = 'OUI1701';
/** A window without an origin offered no port of its own: it was not connected. */
export const PORT_NEEDED = 'OUI1702';
/** No token could be had for an attempt to connect. */
export const TOKEN_UNAVAILABLE = 'OUI1703';
/** The agent's side refused the page's token, or its lack of one. */
export const TOKEN_REFUSED = 'OUI1704';
/** The hub refused a page by its token, or its lack of one. */
export const PAGE_UNAUTHENTICATED = 'OUI1705';
/** Schemas were to be compiled, and are interpreted: the compiler could not be loaded, or a policy forbids `eval`. */
export const COMPILER_UNAVAILABLE = 'OUI1102';
/** A mistake in markup: the element, the attribute and the way out are in the message. */
export const MARKUP = 'OUI2001';
/** The library was loaded twice. */
export const LOADED_TWICE = 'OUI2002';
/** The dialog that asks the user could not be loaded. */
export const DIALOG_UNAVAILABLE = 'OUI2003';
/** The code by which markup works on forms and other parts of the page could not be loaded. */
export const MARKUP_UNAVAILABLE = 'OUI2004';
/** The code that cuts snapshots could not be loaded: they are whole, over their budget. */
export const FITTING_UNAVAILABLE = 'OUI2005';
/** The code that draws `<oui-presence>` could not be loaded. */
export const PRESENCE_UNAVAILABLE = 'OUI2301';
/** The code of the inspector could not be loaded. */
export const INSPECTOR_UNAVAILABLE = 'OUI2201';
/** The hub refused a page because of where it comes from. */
export const ORIGIN_REFUSED = 'OUI1501';
/** The hub refused a request whose Host header names another machine. */
export const HOST_REFUSED = 'OUI1502';
/** The hub holds as many pages or MCP sessions as it may. */
export const HUB_FULL = 'OUI1503';
/** Two live pages claim one client id; the hub keeps them apart. */
export const CLIENT_ID_SHARED = 'OUI1504';
/** Something inside the hub failed; it goes on. */
export const HUB_FAULT = 'OUI1505';
/** A frame was too large to be sent at all. */
export const FRAME_NOT_SENT = 'OUI1301';
/** The page handed its worker something that cannot be copied to another thread. */
export const INPUT_NOT_CLONEABLE = 'OUI1302';
/** The engine let an exception out; it goes on with the next input. */
export const ENGINE_FAULT = 'OUI1303';
/** An `enum` function threw or returned no list: the values stay as they were. */
export const ENUM_UNKNOWN = 'OUI1304';
/** A surface could be described better for agents, or has a schema that model providers refuse. */
export const SURFACE_ADVICE = 'OUI1305';
/** A plugin sent, or declared, more than a page takes: it was cut off. */
export const PLUGIN_CUT_OFF = 'OUI2101';
/** A surface of a plugin was not taken. */
export const PLUGIN_SURFACE_REFUSED = 'OUI2102';
/** A value of a plugin's is larger than what a page keeps of it: the agent gets null. */
export const PLUGIN_VALUE_REFUSED = 'OUI2103';
/** The code for plugins in frames could not be loaded. */
export const FRAMES_UNAVAILABLE = 'OUI2104';
