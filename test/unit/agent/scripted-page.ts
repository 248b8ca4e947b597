import type {
  AgentCallOptions,
  AgentEvent,
  AgentRuntime,
  AgentRuntimeOptions,
} from '../../../src/agent/agent-types.js';
import { createAgentRuntime } from '../../../src/agent/agent-runtime.js';
import { FEATURES, type OUIActionRequest, type OUIEvent } from '../../../src/protocol/events.js';
import type { JSONSchema } from '../../../src/protocol/json.js';
import type { OUIAction, OUISurface } from '../../../src/protocol/manifest.js';
import type { Transport, TransportState, Validator } from '../../../src/protocol/ports.js';
import { ManualClock } from './manual-clock.js';

type Sent = { readonly type: string; readonly payload: Record<string, unknown> };

/** The page's end, played by a test: what it says arrives at once, what it hears is kept. */
export class ScriptedPage implements Transport {
  state: TransportState;
  readonly sent: Sent[] = [];
  readonly #events = new Set<(message: unknown) => void>();
  readonly #states = new Set<(state: TransportState) => void>();
  readonly #waiting: { type: string; resolve: (event: Sent) => void }[] = [];
  disconnects = 0;

  constructor(state: TransportState = 'connected') {
    this.state = state;
  }

  connect(): Promise<void> {
    this.become('connected');
    return Promise.resolve();
  }

  disconnect(): void {
    this.disconnects += 1;
    this.become('disconnected');
  }

  become(state: TransportState): void {
    this.state = state;
    for (const handler of [...this.#states]) handler(state);
  }

  send(event: OUIEvent): void {
    const sent = JSON.parse(JSON.stringify(event)) as Sent;
    this.sent.push(sent);
    const index = this.#waiting.findIndex(({ type }) => type === sent.type);
    if (index >= 0) this.#waiting.splice(index, 1)[0]?.resolve(sent);
  }

  onEvent(handler: (message: unknown) => void): () => void {
    this.#events.add(handler);
    return () => void this.#events.delete(handler);
  }

  onState(handler: (state: TransportState) => void): () => void {
    this.#states.add(handler);
    return () => void this.#states.delete(handler);
  }

  get listeners(): number {
    return this.#events.size + this.#states.size;
  }

  /** Says something; anything at all. */
  raw(message: unknown): void {
    for (const handler of [...this.#events]) handler(message);
  }

  say(type: string, payload: unknown): void {
    this.raw(JSON.parse(JSON.stringify({ type, payload })));
  }

  hello(more: Record<string, unknown> = {}): void {
    const now = 1_700_000_001_000;
    this.say('x-oui:hello', {
      protocol: '0.1', software: 'scripted/1', features: FEATURES, confirmBy: 'page', clientId: 'tab-1', now, ...more,
    });
  }

  register(...surfaces: readonly OUISurface[]): void {
    for (const surface of surfaces) this.say('surface:register', { surface, timestamp: 1 });
  }

  result(requestId: string, more: Record<string, unknown> = {}): void {
    this.say('action:result', { requestId, success: true, timestamp: 10, settled: true, ...more });
  }

  /** What the agent sent of one type so far. */
  heard(type: string): Record<string, unknown>[] {
    return this.sent.filter((event) => event.type === type).map(({ payload }) => payload);
  }

  get requests(): OUIActionRequest[] {
    return this.heard('action:request') as unknown as OUIActionRequest[];
  }

  /** The next event of this type that the agent sends from now on. */
  next(type: string): Promise<Sent> {
    return new Promise((resolve) => this.#waiting.push({ type, resolve }));
  }
}

/** Knows `required`, `type` of properties and `minLength`; enough to tell right params from wrong ones. */
export const simpleValidator: Validator = {
  compile(schema: JSONSchema) {
    if (typeof schema === 'object' && schema['type'] === 'broken') throw new Error('unknown type "broken" at /type');
    return (value) => {
      const { required = [], properties = {} } = schema as {
        required?: string[];
        properties?: Record<string, { type?: string }>;
      };
      const given = value as Record<string, unknown>;
      const missing = required
        .filter((name) => !Object.hasOwn(given, name))
        .map((name) => ({ path: `/${name}`, keyword: 'required', message: `/${name} is required` }));
      const wrong = Object.entries(properties)
        .filter(([name, { type }]) => Object.hasOwn(given, name) && type !== undefined && typeof given[name] !== type)
        .map(([name, { type }]) => ({ path: `/${name}`, keyword: 'type', message: `/${name} must be a ${type}` }));
      return [...missing, ...wrong];
    };
  },
};

export function action(id: string, more: Partial<OUIAction> = {}): OUIAction {
  return { id, description: `Does ${id}.`, input: { type: 'object' }, ...more };
}

export const todos: OUISurface = {
  id: 'todo-app',
  name: 'Todos',
  description: 'Create and complete tasks.',
  actions: [
    action('add_todo', {
      effect: 'edit',
      input: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
    }),
    action('list_todos', { effect: 'view' }),
    action('delete_todo', { confirm: true, effect: 'edit' }),
    action('bulk_complete', { async: true }),
  ],
  observations: [
    { id: 'open_count', description: 'How many are open', schema: { type: 'integer' } },
    { id: 'report', description: 'A slow report', schema: {}, updateFrequency: 'polling' },
  ],
};

export interface Scene {
  readonly clock: ManualClock;
  readonly page: ScriptedPage;
  readonly agent: AgentRuntime;
  readonly events: AgentEvent[];
  /** Calls with params that fit, and gives the promise and the request, which must have been sent at once. */
  call(target: string, params?: unknown, options?: AgentCallOptions): {
    readonly done: ReturnType<AgentRuntime['call']>;
    readonly requestId: string;
  };
}

/** A runtime and a page that has said hello, or has registered without (`plain`). */
export function createScene(
  options: Partial<AgentRuntimeOptions> = {},
  page: { readonly plain?: boolean; readonly hello?: Record<string, unknown>; readonly surfaces?: OUISurface[] } = {},
): Scene {
  const clock = new ManualClock();
  const scripted = new ScriptedPage();
  const agent = createAgentRuntime({ transport: scripted, validator: simpleValidator, timers: clock, ...options });
  const events: AgentEvent[] = [];
  agent.subscribe((event) => events.push(event));
  if (page.plain !== true) scripted.hello(page.hello);
  scripted.register(...(page.surfaces ?? [todos]));
  return {
    clock,
    page: scripted,
    agent,
    events,
    call(target, params = { title: 'Milk' }, callOptions = {}) {
      const before = scripted.requests.length;
      const done = agent.call(target, params, callOptions);
      const request = scripted.requests[before];
      if (!request) throw new Error(`The call of ${target} sent no request at once.`);
      return { done, requestId: request.requestId };
    },
  };
}

/** Lets every promise that can settle now settle. */
export function turnOfTheLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
