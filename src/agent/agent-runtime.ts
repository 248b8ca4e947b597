import { EVENT, EXTENSION } from '../protocol/events.js';
import type { OUIActionResult, OUIError, OUIEvent, OUIHello } from '../protocol/events.js';
import * as LIMITS from '../protocol/limits.js';
import type { Transport } from '../protocol/ports.js';
import type {
  AgentCallTarget,
  AgentDescription,
  AgentEvent,
  AgentRuntime,
  AgentRuntimeOptions,
  AgentTimeouts,
  AgentTool,
} from './agent-types.js';
import { attachmentPart } from './attachment-parts.js';
import { ActionSearch, type SearchContext } from './action-search.js';
import { CallList } from './call-list.js';
import { CallRate } from './call-rate.js';
import { pageGone, pageNotConnected, runtimeDisposed } from './call-errors.js';
import { clipped } from './clipped.js';
import { DefinitionFetches } from './definition-fetches.js';
import { createListenerSet } from '../protocol/listener-set.js';
import { ObservationReads } from './observation-reads.js';
import { DESCRIBE, READ } from './own-actions.js';
import { PageConnection } from './page-connection.js';
import { PageModel } from './page-model.js';
import { PageReads } from './page-reads.js';
import { PageReturn } from './page-return.js';
import { ownHello, PageState } from './page-state.js';
import { ParamsCheck } from './params-check.js';
import { SurfaceTurns } from './surface-turns.js';
import { withSteadyWall } from './steady-wall.js';
import { createSystemTimers } from './system-timers.js';
import type { ActionPlace } from './tool-list.js';

const DEFAULT_SOFTWARE = 'oui-elements';

/**
 * The agent's side of one page: its actions as tools, calls that always come to a result, its newest observations
 * (specification §7, §10.1.2; PROTOCOL.md §10). The page is taken for a stranger throughout.
 *
 * @throws {RangeError} naming the timeout, or the rate, that is no finite number above 0.
 */
export function createAgentRuntime(options: AgentRuntimeOptions): AgentRuntime {
  const timers = withSteadyWall(options.timers ?? createSystemTimers());
  const software = options.software ?? DEFAULT_SOFTWARE;
  const timeouts = checkedTimeouts(options.timeouts);
  const pageReturnMs = timeouts.pageReturnMs ?? LIMITS.pageReturnMs;
  const pullMs = timeouts.pullMs ?? LIMITS.pullMs;
  const listeners = createListenerSet<[event: AgentEvent]>('A listener of the agent runtime');
  const page = new PageState();
  const send = (event: OUIEvent): void => connection?.send(event);

  let connection: PageConnection | undefined;
  let disposed = false;
  /** What the page had when it went away. */
  let awaited: readonly AgentTool[] = [];

  const pageReturn = new PageReturn(timers, pageReturnMs);
  const pulls = new ObservationReads({ timers, pullMs, send });
  const model = new PageModel({
    emit: (event) => listeners.emit(event),
    surfaceGone(surfaceId) {
      pulls.fail(`Surface "${clipped(surfaceId)}" left the page.`, surfaceId);
      calls.each((call) => call.surfaceGone(surfaceId));
    },
    surfaceBack(surfaceId) {
      pageReturn.surfaceCame();
      calls.each((call) => call.surfaceBack(surfaceId));
    },
    status: (value) => calls.status(value),
  });
  const finding: SearchContext = {
    locate,
    returning: () => pageReturn.next(),
    define: ({ surface, entry }) => (entry ? fetches.fetch(surface.id, entry) : Promise.resolve(undefined)),
  };
  const calls: CallList = new CallList({
    page,
    turns: new SurfaceTurns(),
    params: new ParamsCheck(options.validator),
    timers,
    confirm: options.confirm,
    actionMs: timeouts.actionMs ?? LIMITS.agentTimeoutMs,
    acknowledgmentMs: timeouts.acknowledgmentMs ?? LIMITS.acknowledgmentMs,
    pullMs,
    givenUpMs: timeouts.givenUpMs ?? Infinity,
    ...finding,
    knownSurfaces: () => model.surfaces.hash(),
    revision: () => model.revision,
    changedSince: (revision) => model.changedSince(revision),
    send,
    silent: () => setFrozen(true),
  }, new CallRate(timers, options.rateLimit));

  const fetches = new DefinitionFetches({
    ask: (actions) => calls.start(DESCRIBE, { actions }, {}),
    take: (definitions) => model.define(definitions),
  });
  const reads = new PageReads({
    model,
    gone: () => (disposed || !page.connected ? 'The page is not connected: there is nothing to read.' : undefined),
    returning: () => pageReturn.next(),
    pull: (surfaceId, observationId) => pulls.request(surfaceId, observationId),
    ask: (params) => calls.start(READ, params, {}),
  });

  function setFrozen(mayBeFrozen: boolean): void {
    if (page.setFrozen(mayBeFrozen)) listeners.emit({ type: 'page' });
  }

  function locate(target: AgentCallTarget): ActionPlace | OUIError {
    if (disposed) return runtimeDisposed(false);
    return page.connected ? model.locate(target) : pageNotConnected();
  }

  function abandonAll(why: string): void {
    calls.abandonAll((actionId, sent) => pageGone(actionId, sent, why));
  }

  function onDisconnected(): void {
    const had = model.tools.tools();
    page.onDisconnected();
    if (page.clientId === undefined) abandonAll('The page has disconnected');
    else {
      calls.each((call) => call.pageAway());
      // One that has just come back and goes again had not put up all that it has.
      awaited = [...had, ...awaitedTools()];
      pageReturn.begin(() => {
        abandonAll(`The page has disconnected and did not come back within ${pageReturnMs / 1000} s`);
      });
    }
    // The wait is on before reads are told: they wait as well.
    pulls.fail('The page has disconnected.');
    model.clear();
    listeners.emit({ type: 'page' });
  }

  function onHello(hello: OUIHello): void {
    const same = hello.clientId === page.clientId;
    const again = page.introduction === 'hello';
    page.onHello(hello, timers.wall());
    send(ownHello(software, timers.wall()));
    // A second hello on one connection is a page that started anew: it registers what it has.
    if (again) {
      awaited = model.tools.tools();
      model.clear();
    }
    if (!same) newPage(again);
    else if (pageReturn.away || again) {
      pageReturn.returned();
      calls.each((call) => call.pageBack());
    }
    listeners.emit({ type: 'page' });
  }

  /** Whoever was here before is not this page, if there was anybody. */
  function newPage(inTheSamePlace = false): void {
    model.surfaces.forgetDefinitions();
    if (!pageReturn.away && !inTheSamePlace) return;
    pageReturn.end();
    abandonAll('Another page has taken the place of this one');
  }

  /** The first word of a page is no hello: it speaks v1, and it is not one that was here before. */
  function onPlainPage(): void {
    page.onPlainPage();
    newPage();
    listeners.emit({ type: 'page' });
  }

  /** `error` when it was refused: a page that understands that sends the result again, in a smaller form. */
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
        return model.register(event.payload.index ?? event.payload.surface, event.payload.timestamp);
      case EVENT.deregister:
        return model.deregister(event.payload.surfaceId, event.payload.timestamp);
      case EVENT.observation:
        model.takeObservation(event.payload);
        return pulls.answer(event.payload.surfaceId, event.payload.observationId, event.payload.value);
      case EVENT.result:
        return onResult(event.payload);
      case EXTENSION.receipt:
        return calls.get(event.payload.requestId)?.receipt(event.payload.ok, event.payload.reason);
      case EXTENSION.approval:
        return calls.get(event.payload.requestId)?.notice(event.payload);
      case EXTENSION.attachment:
        return void attachmentPart(event.payload, calls.get(event.payload.requestId)?.attachment(event.payload.id)).then(send);
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
        page.onConnected(transport.acknowledges === true);
        listeners.emit({ type: 'page' });
      },
      disconnected: onDisconnected,
      alive: () => setFrozen(false),
      event: onEvent,
      extension: (event, payload) => listeners.emit({ type: 'extension', event, payload }),
      unreadableResult(requestId, interim, problem) {
        acknowledge(requestId, interim, problem);
        calls.get(requestId)?.unreadable(problem);
      },
    });
    connection.open();
  }

  function awaitedTools(): readonly AgentTool[] {
    if (!pageReturn.next()) return [];
    const here = new Set(model.tools.tools().map(({ name }) => name));
    return awaited.filter(({ name }) => !here.has(name));
  }

  async function describe(target: AgentCallTarget): Promise<AgentDescription> {
    const found = await new ActionSearch(target, finding).find();
    return 'code' in found ? { error: found } : { surfaceId: found.surface.id, action: found.action };
  }

  if (options.transport) attach(options.transport);

  return {
    get page() {
      return page.snapshot();
    },
    attach,
    surfaces: () => model.surfaces.list(),
    tools: () => model.tools.tools(),
    awaitedTools,
    call: (target, params, callOptions = {}) => calls.start(target, params, callOptions),
    describe: (targets) => Promise.all(targets.map(describe)),
    observations: () => model.observations(),
    observation: (surfaceId, observationId) => model.observation(surfaceId, observationId),
    read: ((surfaceId, observationId, part) =>
      part === undefined || Object.values(part).every((member) => member === undefined)
        ? reads.read(surfaceId, observationId)
        : reads.readPart(surfaceId, observationId, part)) as AgentRuntime['read'],
    subscribe: (listener) => listeners.add(listener),
    dispose() {
      if (disposed) return;
      disposed = true;
      pageReturn.end();
      calls.abandonAll((_actionId, sent) => runtimeDisposed(sent));
      pulls.fail('The agent runtime was disposed.');
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
