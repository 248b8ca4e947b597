import { Engine } from '../../../src/engine/engine.js';
import type { EffectOf, EngineEffect, EngineInput, HandlerOutcome, InputOf } from '../../../src/protocol/engine-messages.js';
import type { EngineConfig } from '../../../src/protocol/engine-config.js';
import type { OUIActionResult, OUIEvent } from '../../../src/protocol/events.js';
import type { OUIAction, OUISurface } from '../../../src/protocol/manifest.js';
import type { Validator } from '../../../src/protocol/ports.js';
import { createInterpretedValidator } from '../../../src/validation/interpreted.js';

export const CONFIG: EngineConfig = {
  software: 'bench/1',
  clientId: 'client-1',
  confirmBy: 'page',
  canAsk: true,
  hasGate: false,
  actionMs: 30_000,
  approvalMs: 300_000,
  settleTimeoutMs: 5_000,
  helloMs: 10_000,
  reanswerAfterMs: 8_000,
  ratePerSecond: 50,
  rateBurst: 100,
  dedupeWindow: 500,
  form: 'full',
  observationSchemas: 'warn',
  announce: true,
  budgets: { resultBytes: 480 * 1024, updateBytes: 256 * 1024 },
};

/** A surface with one action for each way an action can be. */
export function surface(id = 'todo-app', actions: readonly OUIAction[] = ACTIONS): OUISurface {
  return {
    id,
    name: 'Todos',
    description: 'A list',
    actions,
    observations: [
      { id: 'todo_list', description: 'The list', schema: { type: 'array' } },
      { id: 'weight', description: 'Read when asked', schema: { type: 'number' }, updateFrequency: 'polling' },
    ],
  };
}

const titled = { type: 'object', properties: { title: { type: 'string', minLength: 1 } }, required: ['title'] };

export const ACTIONS: readonly OUIAction[] = [
  { id: 'add_todo', description: 'Add', input: titled },
  { id: 'list_todos', description: 'Read', input: {}, effect: 'view' },
  { id: 'delete_todo', description: 'Delete', input: { type: 'object' }, confirm: true },
  { id: 'pay_now', description: 'Pay', input: { type: 'object' }, effect: 'transaction' },
  { id: 'bulk_complete', description: 'Many', input: { type: 'object' }, async: true },
  { id: 'off_now', description: 'Off', input: {}, enabled: false, disabledReason: 'nothing is selected' },
];

/** What the user says; to the newest question, where it does not say which. */
type Answer = Omit<InputOf<'decided'>, 'round'>;

/** One engine on a clock and timers that the test moves, with everything it asked for on record. */
export class EngineBench {
  readonly engine: Engine;
  readonly effects: EngineEffect[] = [];
  now = 1_000;
  wall = 1_700_000_000_000;
  #timers = new Map<string, number>();
  #next = 0;

  constructor(config: Partial<EngineConfig> = {}, validator: Validator = createInterpretedValidator()) {
    this.engine = new Engine({ ...CONFIG, ...config }, validator, { now: this.now, wall: this.wall });
  }

  /** Gives one input; an answer of the user's is to the newest question. @returns the effects of this step, timers aside. */
  give(given: EngineInput | Answer): EngineEffect[] {
    const input: EngineInput = given.kind === 'decided' ? { round: this.#round(given.requestId), ...given } : given;
    const effects = this.engine.step(input, { now: this.now, wall: this.wall });
    for (const effect of effects) {
      if (effect.kind === 'set-timer') this.#timers.set(effect.key, this.now + effect.ms);
      else if (effect.kind === 'clear-timer') this.#timers.delete(effect.key);
    }
    const told = effects.filter(({ kind }) => kind !== 'set-timer' && kind !== 'clear-timer');
    this.effects.push(...told);
    return told;
  }

  /** Moves the clock, firing what falls due in order. */
  pass(ms: number): void {
    const end = this.now + ms;
    for (;;) {
      const due = [...this.#timers].filter(([, at]) => at <= end).sort((a, b) => a[1] - b[1])[0];
      if (!due) break;
      const [key, at] = due;
      this.#timers.delete(key);
      this.wall += at - this.now;
      this.now = at;
      this.give({ kind: 'timer', key });
    }
    this.wall += end - this.now;
    this.now = end;
  }

  /** Mounts a surface. @returns its mount id. */
  mount(manifest: OUISurface = surface(), mountId = 1): number {
    this.give({ kind: 'mount', mountId, surface: manifest, policies: {} });
    return mountId;
  }

  /** Connects a peer that speaks the extensions, or a v1 peer. */
  connect(features: readonly string[] | 'v1' = ['receipt', 'ack', 'cancel', 'approval']): void {
    this.give({ kind: 'connected' });
    if (features === 'v1') return;
    this.receive('x-oui:hello', { protocol: '0.1', software: 'agent/1', features, now: this.wall });
  }

  receive(type: string, payload: unknown): EngineEffect[] {
    return this.give({ kind: 'message', message: { type, payload } });
  }

  /** An action request from the agent. @returns its id. */
  request(actionId: string, params: unknown = {}, more: Record<string, unknown> = {}): string {
    const requestId = (more['requestId'] as string | undefined) ?? `r${++this.#next}`;
    this.receive('action:request', {
      requestId,
      surfaceId: 'todo-app',
      actionId,
      params,
      timestamp: this.wall,
      ...more,
    });
    return requestId;
  }

  /** The page's handler ends, and the page settles. */
  finish(requestId: string, outcome: HandlerOutcome = { success: true, data: '{"ok":true}' }): void {
    this.give({ kind: 'returned', requestId, outcome });
    this.give({ kind: 'settled', requestId, settled: true });
  }

  of<Kind extends EngineEffect['kind']>(kind: Kind): EffectOf<Kind>[] {
    return this.effects.filter((effect): effect is EffectOf<Kind> => effect.kind === kind);
  }

  /** Every frame sent so far, of one type if it is named. */
  frames(type?: string): OUIEvent[] {
    return this.of('send')
      .map((effect) => ({ type: effect.type, payload: JSON.parse(effect.payload) }) as OUIEvent)
      .filter((event) => type === undefined || event.type === type);
  }

  /** The results sent for one request. */
  results(requestId: string): OUIActionResult[] {
    return this.frames('action:result')
      .map((event) => event.payload as OUIActionResult)
      .filter((result) => result.requestId === requestId);
  }

  /** The one result of a request that has exactly one. */
  result(requestId: string): OUIActionResult {
    const results = this.results(requestId);
    if (results.length !== 1) throw new Error(`${requestId} has ${results.length} results`);
    return results[0]!;
  }

  #round(requestId: string): number {
    return this.of('ask-user').findLast(({ approval }) => approval.requestId === requestId)?.round ?? 0;
  }

  running(requestId: string): boolean {
    return this.of('run').some((effect) => effect.requestId === requestId);
  }
}
