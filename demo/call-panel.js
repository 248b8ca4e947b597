/** What agents do, as it happens: every call from its arrival to its outcome. */
const PHASES = {
  received: 'received',
  asking: 'asks you',
  started: 'running',
  acknowledged: 'running',
};
const KEPT = 50;

const runtimeElement = document.querySelector('oui-runtime');
const byId = (id) => document.getElementById(id);
const list = byId('calls');
const connection = byId('connection');
const calls = new Map();

runtimeElement.addEventListener('oui-call', ({ report }) => show(report));
runtimeElement.addEventListener('oui-connection', ({ state }) => showConnection(state));
byId('clear-calls').addEventListener('click', clear);

function show(report) {
  const entry = calls.get(report.requestId) ?? create(report);
  if (report.phase !== 'ended') {
    setState(entry, report.phase === 'asking' ? 'asking' : 'running', PHASES[report.phase]);
    return;
  }
  const { result } = report;
  const { success, error, data, durationMs } = result;
  setState(entry, success ? 'done' : 'failed', success ? 'done' : error.code);
  entry.time.textContent = durationMs === undefined ? '' : formatDuration(durationMs);
  entry.result.hidden = false;
  entry.result.textContent = success ? short(data) : error.message;
}

function create(report) {
  const item = document.createElement('li');
  const element = (name, className, parent) => {
    const made = document.createElement(name);
    made.className = className;
    parent.append(made);
    return made;
  };
  const head = element('div', 'call-head', item);
  element('code', 'call-name', head).textContent = report.actionId;
  const state = element('span', 'call-state', head);
  element('code', 'call-params', item).textContent = short(report.params);
  const result = element('code', 'call-result', item);
  result.hidden = true;
  const time = element('span', 'call-time', item);
  const entry = { item, state, result, time };
  calls.set(report.requestId, entry);
  list.prepend(item);
  while (list.children.length > KEPT) list.lastElementChild.remove();
  if (calls.size > KEPT) calls.delete(calls.keys().next().value);
  byId('no-calls').hidden = true;
  byId('clear-calls').hidden = false;
  return entry;
}

function setState({ item, state }, kind, text) {
  item.dataset.state = kind;
  state.textContent = text;
}

function clear() {
  calls.clear();
  list.replaceChildren();
  byId('no-calls').hidden = false;
  byId('clear-calls').hidden = true;
  byId('panel-heading').focus();
}

function short(value) {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 240 ? `${text.slice(0, 239)}…` : text;
}

const formatDuration = (ms) => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);

const ENGINES = { worker: 'in a worker', 'in-process': 'in the page' };
const STATES = { connected: 'Connected', connecting: 'Connecting', disconnected: 'No connection' };

function showConnection(state) {
  connection.dataset.state = state;
  byId('connection-text').textContent = STATES[state];
}

function showFacts(runtime) {
  const [surface] = runtime.snapshot().surfaces;
  byId('fact-surface').textContent = surface ? offered(surface) : 'nothing on this page';
  byId('fact-engine').textContent = ENGINES[runtime.engine] ?? 'not started';
}

function offered({ actions, observations = [] }) {
  const enabled = actions.filter((action) => action.enabled !== false).length;
  const count = enabled === actions.length ? enabled : `${enabled} of ${actions.length}`;
  return `${count} actions, ${observations.length} observations`;
}

await customElements.whenDefined('oui-runtime');
await runtimeElement.updateComplete;
const { runtime } = runtimeElement;
runtime.subscribe((event) => {
  if (event.type === 'surfaces' || event.type === 'engine') showFacts(runtime);
});
showFacts(runtime);
showConnection(runtime.connection);
