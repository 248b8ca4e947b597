import { createHash, randomBytes } from 'node:crypto';
import { createAgentRuntime } from '../agent/agent-runtime.js';
import type { AgentRuntime, ConfirmCallback } from '../agent/agent-types.js';
import { EVENT } from '../protocol/events.js';
import type { OUIHello } from '../protocol/events.js';
import { parseEvent } from '../protocol/guards.js';
import * as LIMITS from '../protocol/limits.js';
import type { Release, Transport, Validator } from '../protocol/ports.js';
import * as WARNINGS from '../protocol/warning-codes.js';
import { onFirstEvent } from './first-event.js';
import { printable } from './hub-log.js';
import type { HubLog } from './hub-log.js';
import { packageVersion } from './package-version.js';
import type { HubPage, PageRoom } from './page-directory.js';
import { pageLabel } from './page-description.js';

export interface PageArrivalsOptions {
  readonly room: PageRoom;
  /** Checks params against the pages' schemas, which come from strangers. */
  readonly validator: Validator;
  /** Asks the user, for pages that do not ask themselves. */
  readonly confirm?: ConfirmCallback;
  readonly log: HubLog;
  /** How long a page that went away may take to come back, in ms. Default 15,000. */
  readonly pageReturnMs?: number;
}

/** Lets pages in, and knows one again that comes back. */
export interface PageArrivals {
  /** Takes a fresh connection. `origin` is the page's, where a browser told it. */
  arrive(transport: Transport, origin: string | undefined): void;
  /** Says goodbye to all pages. */
  close(): void;
}

/** A page may be taken over so often within `pageReturnMs`; more often is two pages, not one that reloads. */
const MAX_TAKEOVERS = 3;

interface Guest {
  readonly id: string;
  readonly agent: AgentRuntime;
  /** Origin and client id; absent for a page that cannot be known again. */
  readonly key: string | undefined;
  readonly leaveRoom: Release;
  transport: Transport;
  departure: NodeJS.Timeout | undefined;
  takeovers: number[];
}

export function createPageArrivals(options: PageArrivalsOptions): PageArrivals {
  const { room, log, pageReturnMs = LIMITS.pageReturnMs } = options;
  const guests = new Map<string, Guest>();

  const dismiss = (guest: Guest): void => {
    clearTimeout(guest.departure);
    if (guests.get(guest.id) === guest) guests.delete(guest.id);
    guest.leaveRoom();
    guest.agent.dispose();
  };

  /** Watches a connection's end; only that of the present one means that the page has gone. */
  const follow = (guest: Guest, transport: Transport): void => {
    transport.onState((state) => {
      if (state !== 'disconnected' || guest.transport !== transport || guests.get(guest.id) !== guest) return;
      log({ level: 'info', message: `Page gone: ${guest.id}` });
      if (guest.key === undefined) return dismiss(guest);
      guest.departure = setTimeout(() => dismiss(guest), pageReturnMs);
      guest.departure.unref();
    });
  };

  const greet = (transport: Transport, key: string | undefined): void => {
    const agent = createAgentRuntime({
      validator: options.validator,
      software: `oui-elements/${packageVersion()}`,
      timeouts: { pageReturnMs },
      ...(options.confirm === undefined ? {} : { confirm: options.confirm }),
    });
    const id = freshId(key, guests);
    const page = toHubPage(id, agent);
    const guest: Guest = {
      id,
      agent,
      key,
      leaveRoom: room.join(page),
      transport,
      departure: undefined,
      takeovers: [],
    };
    guests.set(id, guest);
    // The agent hears first of the connection's end, and gives its calls the reason.
    agent.attach(transport);
    follow(guest, transport);
    // Its hello reaches the runtime right after this.
    queueMicrotask(() => log({ level: 'info', message: `Page connected: ${pageLabel(page)} (${id})` }));
  };

  const welcomeBack = (guest: Guest, transport: Transport): void => {
    clearTimeout(guest.departure);
    guest.transport = transport;
    guest.agent.attach(transport);
    follow(guest, transport);
    log({ level: 'info', message: `Page back: ${guest.id}` });
  };

  /** The guest that a returning page is, unless two live pages fight over one client id. */
  const recognise = (key: string): Guest | undefined => {
    const guest = [...guests.values()].find((each) => each.key === key);
    if (guest === undefined || guest.transport.state !== 'connected') return guest;
    // A page in the back/forward cache keeps its socket, and a reload can be quicker than the old one's end: the
    // newer connection is the page. But when they take turns, both are alive and would cut each other off for ever.
    const now = Date.now();
    guest.takeovers = [...guest.takeovers.filter((at) => now - at < pageReturnMs), now];
    if (guest.takeovers.length <= MAX_TAKEOVERS) return guest;
    const message =
      `Two live pages say that they are the same one (${printable(key)}); they are kept apart as two. ` +
      'A reload of either may be taken for the other. A duplicated tab copies its session storage: close one of the ' +
      'two tabs.';
    log({ level: 'warn', code: WARNINGS.CLIENT_ID_SHARED, message });
    return undefined;
  };

  return {
    arrive(transport, origin) {
      onFirstEvent(transport, (message) => {
        const parsed = parseEvent(message);
        if (parsed.kind !== 'event') return undefined;
        const hello = parsed.event.type === 'x-oui:hello' ? parsed.event.payload : undefined;
        // What else a page may say first makes it one of v1; anything more is not from a page.
        if (hello === undefined && !FIRST_WORDS.has(parsed.event.type)) return undefined;
        const key = keyOf(origin, hello);
        const known = key === undefined ? undefined : recognise(key);
        return (gated) => (known === undefined ? greet(gated, key) : welcomeBack(known, gated));
      });
    },
    close() {
      for (const guest of [...guests.values()]) dismiss(guest);
    },
  };
}

const FIRST_WORDS: ReadonlySet<string> = new Set([
  EVENT.register,
  EVENT.deregister,
  EVENT.observation,
  EVENT.result,
]);

/** The same client id from another site is another page: ids are claims, origins are the browser's word. */
function keyOf(origin: string | undefined, hello: OUIHello | undefined): string | undefined {
  return hello?.clientId === undefined ? undefined : JSON.stringify([origin ?? null, hello.clientId]);
}

/** A page's id: from its key, so that it stays the same over a restart of the hub; else by chance. */
function freshId(key: string | undefined, taken: ReadonlyMap<string, unknown>): string {
  const stable = key === undefined ? undefined : `p${createHash('sha256').update(key).digest('hex').slice(0, 8)}`;
  if (stable !== undefined && !taken.has(stable)) return stable;
  for (;;) {
    const id = `p${randomBytes(4).toString('hex')}`;
    if (!taken.has(id)) return id;
  }
}

function toHubPage(id: string, agent: AgentRuntime): HubPage {
  return {
    id,
    get page() {
      return agent.page;
    },
    surfaces: () => agent.surfaces(),
    tools: () => agent.tools(),
    awaitedTools: () => agent.awaitedTools(),
    call: (target, params, callOptions) => agent.call(target, params, callOptions),
    describe: (targets) => agent.describe(targets),
    observations: () => agent.observations(),
    observation: (surfaceId, observationId) => agent.observation(surfaceId, observationId),
    read: agent.read,
    subscribe: (listener) => agent.subscribe(listener),
  };
}
