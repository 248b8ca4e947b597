import type { SettleEnd } from '../../src/protocol/inspection.js';
import type { CallState } from './logged-call.js';
import type { SettleReason } from './settle-story.js';

/** What the inspector shows, one at a time. */
export type TabId = 'surfaces' | 'calls' | 'frames' | 'observations' | 'connection';

/** Every text of `<oui-inspector>`, for translations. Numbers and times come formatted for the page's language. */
export interface InspectorTexts {
  /** The panel, and the button that opens it. */
  title: string;
  open: string;
  close: string;
  /** The handle that makes the panel higher and lower. */
  resize: string;
  tabs: { readonly [tab in TabId]: string };
  /** The name of a tab that shows how many there are, as it is read out. */
  tabWithCount(name: string, count: string): string;
  noRuntime: string;
  clear: string;
  filter: string;
  export: string;
  more(units: string): string;

  /** Surfaces and actions. */
  surfaces: string;
  noSurfaces: string;
  choose: string;
  active: string;
  switchedOff: string;
  notMounted: string;
  /** Why an element's surface is not offered. */
  inactive: string;
  elsewhere(routes: string): string;
  notOffered: string;
  from(element: string): string;
  fromScript: string;
  mounts(count: number): string;
  disabled(reason: string | undefined): string;
  asks: string;
  async: string;
  concurrent: string;
  actions: string;
  observations: string;
  allowSurface: string;
  allowAction: string;
  allowHint: string;
  schema: string;
  facts: { readonly version: string; readonly routes: string; readonly usage: string; readonly preconditions: string };

  /** Trying an action. */
  form: string;
  json: string;
  jsonLabel: string;
  notJson(problem: string): string;
  notNumber: string;
  required: string;
  optional: string;
  absent: string;
  yes: string;
  no: string;
  add(name: string): string;
  remove(name: string): string;
  item(number: number): string;
  shape: string;
  run: string;
  cancel: string;
  reset: string;
  running: string;
  noParams: string;
  succeeded(duration: string): string;
  failed(code: string): string;
  problems(count: number): string;
  whole: string;

  /** Calls. */
  noCalls: string;
  noneFound: string;
  show: string;
  shows: { readonly all: string; readonly open: string; readonly done: string; readonly failed: string };
  states: { readonly [state in CallState]: string };
  origins: { readonly agent: string; readonly local: string; readonly nested: string };
  params: string;
  data: string;
  error: string;
  steps: string;
  after(duration: string): string;
  settle: string;
  /** What ended the waiting. `ms` is how long it took in all. */
  settleEnds: { readonly [why in SettleEnd]: (duration: string, quiet: string) => string };
  settleNone: string;
  settleWaits: string;
  reason(kind: SettleReason['kind'], name: string): string;
  /** When it happened: `from` and `to` after the handler's return; `to` is absent while it goes on. */
  when(count: number, from: string, to: string | undefined): string;
  /** It happened before the handler returned, and not since. */
  during(count: number): string;
  ignored: string;

  /** Frames. */
  noFrames: string;
  pause: string;
  resume: string;
  paused: string;
  directions: { readonly in: string; readonly out: string };
  frameTotal(count: string, size: string): string;
  cut: string;

  /** Observations. */
  noObservations: string;
  lastChange: string;
  noValue: string;
  never: string;
  perSecond(rate: string): string;
  ago(duration: string): string;

  /** Connection. */
  connection: string;
  connectionStates: { readonly connected: string; readonly connecting: string; readonly disconnected: string };
  engine: string;
  engines: { readonly worker: string; readonly 'in-process': string; readonly none: string };
  peer: string;
  v1: string;
  unknownPeer: string;
  address: string;
  ownTransport: string;
  features: string;
  agents: string;
  agentsOn: string;
  agentsPaused: string;
  pauseAgents: string;
  stopAgents: string;
  resumeAgents: string;
  budgets: string;
  settings: {
    readonly resultBytes: string; readonly updateBytes: string; readonly snapshotBytes: string;
    readonly quietMs: string; readonly settleTimeoutMs: string; readonly tracked: string; readonly actionMs: string;
    readonly approvalMs: string; readonly rate: string; readonly confirmBy: string; readonly form: string;
    readonly announce: string;
  };
  ratePerSecond(perSecond: number, burst: number): string;
  log: string;
  notes: {
    readonly connection: (state: string, reason: string | undefined) => string;
    readonly peer: (software: string | null) => string;
    readonly engine: (where: string) => string;
    readonly allowed: (what: string) => string;
    readonly denied: (what: string) => string;
  };
}

/** The texts where none are given. */
export const ENGLISH: InspectorTexts = {
  title: 'OUI inspector',
  open: 'Open the OUI inspector',
  close: 'Close the inspector',
  resize: 'Height of the inspector',
  tabs: {
    surfaces: 'Surfaces', calls: 'Calls', frames: 'Frames', observations: 'Observations', connection: 'Connection',
  },
  tabWithCount: (name, count) => `${name}, ${count}`,
  noRuntime: 'There is no runtime on this page yet. Add <oui-runtime>, or set .runtime of the inspector.',
  clear: 'Clear',
  filter: 'Filter',
  export: 'Export',
  more: (units) => `… and ${units} more characters`,

  surfaces: 'Surfaces and actions',
  noSurfaces: 'No surface is mounted on this page now.',
  choose: 'Choose a surface or an action to see what it is, and to try it.',
  active: 'active',
  switchedOff: 'switched off',
  notMounted: 'not active',
  inactive: 'Its element is inactive.',
  elsewhere: (routes) => `Its routes (${routes}) do not match the address.`,
  notOffered: 'Its element is in the page, but offers nothing.',
  from: (element) => `From ${element}`,
  fromScript: 'Mounted by script',
  mounts: (count) => `${count} mounts under this id; the newest serves`,
  disabled: (reason) => (reason === undefined ? 'not available now' : `not available now: ${reason}`),
  asks: 'asks the user',
  async: 'async',
  concurrent: 'concurrent',
  actions: 'Actions',
  observations: 'Observations',
  allowSurface: 'Agents may see this surface',
  allowAction: 'Agents may use this action',
  allowHint: 'Kept on this device, for all tabs of this site.',
  schema: 'Schemas',
  facts: { version: 'Version', routes: 'Routes', usage: 'Usage', preconditions: 'Preconditions' },

  form: 'Form',
  json: 'JSON',
  jsonLabel: 'Parameters as JSON',
  notJson: (problem) => `This is not JSON: ${problem}`,
  notNumber: 'This is not a number.',
  required: 'required',
  optional: 'optional',
  absent: '— none —',
  yes: 'true',
  no: 'false',
  add: (name) => `Add ${name}`,
  remove: (name) => `Remove ${name}`,
  item: (number) => `item ${number}`,
  shape: 'Shape',
  run: 'Try it',
  cancel: 'Cancel',
  reset: 'Reset',
  running: 'Running…',
  noParams: 'It takes no parameters.',
  succeeded: (duration) => `Done in ${duration}`,
  failed: (code) => `Failed: ${code}`,
  problems: (count) => (count === 1 ? 'One value does not fit:' : `${count} values do not fit:`),
  whole: 'the whole',

  noCalls: 'No call yet. Those of agents, and those that you try, appear here as they happen.',
  noneFound: 'Nothing fits the filter.',
  show: 'Show',
  shows: { all: 'All', open: 'Open', done: 'Done', failed: 'Failed' },
  states: {
    queued: 'queued', asking: 'asking the user', running: 'running', waiting: 'waiting for quiet', job: 'job goes on',
    done: 'done', failed: 'failed',
  },
  origins: { agent: 'agent', local: 'page', nested: 'another action' },
  params: 'Parameters',
  data: 'Data',
  error: 'Error',
  steps: 'Steps',
  after: (duration) => `after ${duration}`,
  settle: 'Why the result waited',
  settleEnds: {
    quiet: (duration, quiet) => `The page was quiet for ${quiet}. The result went ${duration} after the handler returned.`,
    still: (duration) => `Tracked work was done and the page still. The result went ${duration} after the handler returned.`,
    rendered: (duration) => `Only the handler’s own work counts here. It was painted; that took ${duration}.`,
    deadline: (duration) => `The page did not come to rest in ${duration}: the result went as not settled.`,
    ended: (duration) => `The request was ended from outside, ${duration} after the handler returned.`,
  },
  settleNone: 'It waited for nothing: a pure read, or an action that says so.',
  settleWaits: 'It still waits.',
  reason: (kind, name) => {
    switch (kind) {
      case 'surfaces':
        return 'surfaces changed';
      case 'observation':
        return `${name} changed`;
      case 'hold':
        return name === '' ? 'a hold was open' : `hold ${name} was open`;
      case 'work':
        return { request: 'requests', timer: 'timers', transition: 'a view transition', navigation: 'a navigation' }[name]
          ?? name;
    }
  },
  when: (count, from, to) => {
    const times = count === 1 ? '' : `${count} times, `;
    if (to === undefined) return `${times}since ${from} after it`;
    return from === to ? `${times}${from} after it` : `${times}from ${from} to ${to} after it`;
  },
  during: (count) => (count === 1 ? 'while the handler ran' : `${count} times, while the handler ran`),
  ignored: 'not waited for, since it changes all the time',

  noFrames: 'No frame yet. What goes over the connection appears here.',
  pause: 'Pause',
  resume: 'Resume',
  paused: 'Paused: frames are counted and not kept.',
  directions: { in: 'from the agent', out: 'from the page' },
  frameTotal: (count, size) => `${count} frames, ${size}`,
  cut: 'The payload goes on; only its beginning is kept.',

  noObservations: 'No surface on this page has observations now.',
  lastChange: 'Last change',
  noValue: 'no value',
  never: 'no change yet',
  perSecond: (rate) => `${rate}/s`,
  ago: (duration) => `${duration} ago`,

  connection: 'Connection',
  connectionStates: { connected: 'connected', connecting: 'connecting', disconnected: 'not connected' },
  engine: 'Engine',
  engines: { worker: 'in a worker', 'in-process': 'in the page', none: 'not running' },
  peer: 'Agent’s end',
  v1: 'v1, without our extensions',
  unknownPeer: 'not known yet',
  address: 'Address',
  ownTransport: 'a connection of the page’s own, or none',
  features: 'Extensions',
  agents: 'Agents',
  agentsOn: 'may act',
  agentsPaused: 'paused: new requests are denied',
  pauseAgents: 'Pause agents',
  stopAgents: 'Stop agents',
  resumeAgents: 'Let agents act',
  budgets: 'Budgets and times',
  settings: {
    resultBytes: 'A result', updateBytes: 'An observation update', snapshotBytes: 'A snapshot', quietMs: 'Quiet',
    settleTimeoutMs: 'Waits for quiet at most', tracked: 'Work of the page is tracked', actionMs: 'An action at most',
    approvalMs: 'The user may take', rate: 'Requests of a surface', confirmBy: 'Who asks the user',
    form: 'Surfaces are offered', announce: 'State is announced',
  },
  ratePerSecond: (perSecond, burst) => `${perSecond} a second, ${burst} at once`,
  log: 'Log',
  notes: {
    connection: (state, reason) => (reason === undefined ? state : `${state}: ${reason}`),
    peer: (software) => `agent’s end: ${software ?? 'v1'}`,
    engine: (where) => `engine ${where}`,
    allowed: (what) => `switched on: ${what}`,
    denied: (what) => `switched off: ${what}`,
  },
};
