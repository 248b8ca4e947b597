import * as ERROR_CODES from '../protocol/error-codes.js';
import { EVENT, EXTENSION, type OUIActionResult, type OUIEvent, type OUIHello } from '../protocol/events.js';
import * as LIMITS from '../protocol/limits.js';
import type { Release, Transport } from '../protocol/ports.js';
import { AgentReadError } from './agent-read-error.js';
import type { AgentEvent, AgentRuntime, AgentRuntimeOptions, AgentTimeouts } from './agent-types.js';
import { CallList } from './call-list.js';
import { clipped, pageGone, pageNotConnected, runtimeDisposed } from './call-outcomes.js';
import { createListenerSet } from '../protocol/listener-set.js';
import { ObservationReads } from './observation-reads.js';
import { PageConnection } from './page-connection.js';
import { PageModel } from './page-model.js';
import { ownHello, PageState } from './page-state.js';
import { ParamsCheck } from './params-check.js';
import { SurfaceTurns } from './surface-turns.js';
import { createSystemTimers } from './system-timers.js';

const DEFAULT_SOFTWARE = 'oui-elements';

/**
 * The agent's side of one page: its actions as tools, calls that always come to a result, its newest observations
 * (specification §7, §10.1.2; PROTOCOL.md §10). The page is taken for a stranger throughout.
 *
 * @throws {RangeError} naming the timeout that is no finite number above 0.
 */
export function createAgentRuntime(options: AgentRuntimeOptions): AgentRuntime {
  const timers = options.timers ?? createSystemTimers();
  const software = options.software ?? DEFAULT_SOFTWARE;
  const timeouts = checkedTimeouts(options.timeouts);
  const pageReturnMs = timeouts.pageReturnMs ?? LIMITS.pageReturnMs;
  const listeners = createListenerSet<[event: AgentEvent]>('A listener of the agent runtime');
  const page = new PageState();
  const send = (event: OUIEvent): void => connection?.send(event);

  let connection: PageConnection | undefined;
  let disposed = false;
  /** Runs while a page that is known by its `clientId` may come back. */
  let stopWaiting: Release | undefined;

  const reads = new ObservationReads({ timers, pullMs: timeouts.pullMs ?? LIMITS.pullMs, send });
  const model = new PageModel({
    emit: (event) => listeners.emit(event),
    surfaceGone(surfaceId) {
      reads.fail(`Surface "${clipped(surfaceId)}" left the page.`, surfaceId);
      calls.each((call) => call.surfaceGone(surfaceId));
    },
    surfaceBack: (surfaceId) => calls.each((call) => call.surfaceBack(surfaceId)),
    status: (value) => calls.status(value),
  });
  const calls: CallList = new CallList({
    page,
    turns: new SurfaceTurns(),
    params: new ParamsCheck(options.validator),
    timers,
    confirm: options.confirm,
    actionMs: timeouts.actionMs ?? LIMITS.agentTimeoutMs,
    acknowledgmentMs: timeouts.acknowledgmentMs ?? LIMITS.acknowledgmentMs,
    locate(target) {
      if (disposed) return runtimeDisposed(false);
      return page.connected ? model.locate(target) : pageNotConnected(stopWaiting !== undefined, pageReturnMs);
    },
    knownSurfaces: () => model.surfaces.hash(),
    revision: () => model.revision,
    changedSince: (revision) => model.changedSince(revision),
    send,
    silent: () => setFrozen(true),
  });

  function setFrozen(mayBeFrozen: boolean): void {
    if (page.setFrozen(mayBeFrozen)) listeners.emit({ type: 'page' });
  }

  function endWaiting(): boolean {
    const waited = stopWaiting !== undefined;
    stopWaiting?.();
    stopWaiting = undefined;
    return waited;
  }

  function abandonForAnother(): void {
    const why = 'Another page has taken the place of this one';
    calls.abandonAll((actionId, sent) => pageGone(actionId, sent, why));
  }

  function onDisconnected(): void {
    page.onDisconnected();
    reads.fail('The page has disconnected.');
    model.clear();
    if (page.clientId === undefined) {
      calls.abandonAll((actionId, sent) => pageGone(actionId, sent, 'The page has disconnected'));
    } else {
      calls.each((call) => call.pageAway());
      stopWaiting ??= timers.setTimer(pageReturnMs, () => {
        stopWaiting = undefined;
        const why = `The page has disconnected and did not come back within ${pageReturnMs / 1000} s`;
        calls.abandonAll((actionId, sent) => pageGone(actionId, sent, why));
      });
    }
    listeners.emit({ type: 'page' });
  }

  function onHello(hello: OUIHello): void {
    const before = page.clientId;
    const again = page.introduction === 'hello';
    page.onHello(hello, timers.wall());
    send(ownHello(software, timers.wall()));
    // A second hello on one connection is a page that started anew: it registers what it has.
    if (again) model.clear();
    if (endWaiting() || again) {
      if (hello.clientId === before) calls.each((call) => call.pageBack());
      else abandonForAnother();
    }
    listeners.emit({ type: 'page' });
  }

  /** The first word of a page is no hello: it speaks v1, and it is not one that was here before. */
  function onPlainPage(): void {
    page.onPlainPage();
    if (endWaiting()) abandonForAnother();
    listeners.emit({ type: 'page' });
  }

  function acknowledge(requestId: string, interim: boolean, problem?: string): void {
    if (!page.speaks('ack')) return;
    const verdict = problem === undefined ? { ok: true } : { ok: false, error: clipped(problem) };
    send({ type: EXTENSION.ack, payload: { requestId, interim, ...verdict } });
  }

  function onResult(result: OUIActionResult): void {
    const call = calls.get(result.requestId);
    const kind = call?.kindOf(result) ?? 'repeat';
    // A repeat, or a result that comes too late, tells of a page as it was.
    if (call && kind !== 'repeat') {
      model.takeResult(result);
      call.answer(result, kind);
    }
    acknowledge(result.requestId, result.interim === true);
  }

  function onEvent(event: OUIEvent): void {
    switch (event.type) {
      case EXTENSION.hello:
        return onHello(event.payload);
      case EVENT.register:
        if (page.introduction === 'none') onPlainPage();
        return model.register(event.payload.surface);
      case EVENT.deregister:
        return model.deregister(event.payload.surfaceId);
      case EVENT.observation:
        model.takeObservation(event.payload);
        return reads.answer(event.payload.surfaceId, event.payload.observationId, event.payload.value);
      case EVENT.result:
        return onResult(event.payload);
      case EXTENSION.receipt:
        return calls.get(event.payload.requestId)?.receipt(event.payload.ok, event.payload.reason);
      case EXTENSION.approval:
        return calls.get(event.payload.requestId)?.notice(event.payload);
      case EXTENSION.ping:
        return send({ type: EXTENSION.pong, payload: {} });
      default:
        // What an agent sends, coming from a page: no page has a reason to.
        return undefined;
    }
  }

  function attach(transport: Transport): void {
    if (disposed) throw new Error('This agent runtime was disposed; create another for the page.');
    if (connection?.transport === transport) return;
    const before = connection;
    before?.close();
    if (page.connected) onDisconnected();
    connection = new PageConnection(transport, {
      connected() {
        page.onConnected();
        listeners.emit({ type: 'page' });
      },
      disconnected: onDisconnected,
      alive: () => setFrozen(false),
      event: onEvent,
      extension: (event, payload) => listeners.emit({ type: 'extension', event, payload }),
      unreadableResult(requestId, problem) {
        acknowledge(requestId, false, problem);
        calls.get(requestId)?.unreadable(problem);
      },
    });
    connection.open();
  }

  async function read(surfaceId: string, observationId: string): Promise<unknown> {
    const unavailable = (message: string) => new AgentReadError(ERROR_CODES.SURFACE_UNAVAILABLE, message);
    if (disposed || !page.connected) throw unavailable('The page is not connected: there is nothing to read.');
    const surface = model.surfaces.get(surfaceId);
    if (!surface) throw unavailable(`The page has no surface "${clipped(surfaceId)}" now.`);
    const observation = model.observation(surfaceId, observationId);
    if (!observation) {
      const ids = (surface.observations ?? []).map(({ id }) => id).join(', ') || 'none';
      const what = `"${clipped(surfaceId)}" has no observation "${clipped(observationId)}"`;
      throw new AgentReadError('NOT_FOUND', `Surface ${what}; it has ${clipped(ids)}.`);
    }
    if (observation.updateFrequency !== 'polling' && observation.hasValue) return observation.value;
    return reads.request(surfaceId, observationId);
  }

  if (options.transport) attach(options.transport);

  return {
    get page() {
      return page.snapshot();
    },
    attach,
    surfaces: () => model.surfaces.list(),
    tools: () => model.tools.tools(),
    call: (target, params, callOptions = {}) => calls.start(target, params, callOptions),
    observations: () => model.observations(),
    observation: (surfaceId, observationId) => model.observation(surfaceId, observationId),
    read,
    subscribe: (listener) => listeners.add(listener),
    dispose() {
      if (disposed) return;
      disposed = true;
      endWaiting();
      calls.abandonAll((_actionId, sent) => runtimeDisposed(sent));
      reads.fail('The agent runtime was disposed.');
      listeners.clear();
      connection?.close();
      page.onDisconnected();
      model.clear();
    },
  };
}

function checkedTimeouts(timeouts: AgentTimeouts = {}): AgentTimeouts {
  for (const [name, ms] of Object.entries(timeouts) as [string, number | undefined][]) {
    if (ms === undefined || (Number.isFinite(ms) && ms > 0)) continue;
    throw new RangeError(`Option timeouts.${name} is ${String(ms)}; it must be a finite number above 0.`);
  }
  return timeouts;
}
