import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { OUIActionRequest, OUIConfirmBy, OUIEvent } from '../../../src/protocol/events.js';
import type { OUISurface } from '../../../src/protocol/manifest.js';

/** What a scripted page does with a request. */
export type Behaviour = (request: OUIActionRequest, page: FakePage) => void;

export interface FakePageOptions {
  readonly clientId?: string;
  readonly origin?: string;
  readonly title?: string;
  readonly url?: string;
  /** Registered at once. */
  readonly surfaces?: readonly OUISurface[];
  /** Sends no hello. */
  readonly v1?: boolean;
  /** As its hello says. Default `page`. */
  readonly confirmBy?: OUIConfirmBy;
  readonly onRequest?: Behaviour;
}

/** A page by hand: a `ws` socket that says what the test wants, with everything it was told. */
export interface FakePage {
  readonly socket: WebSocket;
  readonly received: OUIEvent[];
  send(type: string, payload: unknown): void;
  register(surface: OUISurface): void;
  observe(surfaceId: string, observationId: string, value: unknown): void;
  answer(request: OUIActionRequest, result: object): void;
  /** The next event of a type, or the one that came already and was not waited for yet. */
  next(type: string): Promise<OUIEvent>;
  close(): Promise<void>;
}

const FEATURES = ['receipt', 'ack', 'cancel', 'approval', 'ping'];

export async function openPage(pageUrl: string, options: FakePageOptions = {}): Promise<FakePage> {
  const { clientId, origin = 'http://localhost:5173', title = 'Todos', url = 'http://localhost:5173/todos' } = options;
  const socket = new WebSocket(pageUrl, { origin });
  const received: OUIEvent[] = [];
  const waiting: { type: string; resolve: (event: OUIEvent) => void }[] = [];
  const unread: OUIEvent[] = [];

  const page: FakePage = {
    socket,
    received,
    send: (type, payload) => socket.send(JSON.stringify({ type, payload })),
    register: (surface) => page.send('surface:register', { surface, timestamp: Date.now() }),
    observe: (surfaceId, observationId, value) =>
      page.send('observation:update', { surfaceId, observationId, value, timestamp: Date.now() }),
    answer: ({ requestId }, result) =>
      page.send('action:result', { requestId, success: true, timestamp: Date.now(), settled: true, ...result }),
    next(type) {
      const at = unread.findIndex((event) => event.type === type);
      if (at >= 0) return Promise.resolve(unread.splice(at, 1)[0] as OUIEvent);
      return new Promise((resolve) => waiting.push({ type, resolve }));
    },
    async close() {
      if (socket.readyState === WebSocket.CLOSED) return;
      const closed = once(socket, 'close');
      socket.close();
      await closed;
    },
  };

  socket.on('message', (data) => {
    const event = JSON.parse(String(data)) as OUIEvent;
    received.push(event);
    const at = waiting.findIndex(({ type }) => type === event.type);
    if (at >= 0) waiting.splice(at, 1)[0]?.resolve(event);
    else unread.push(event);
    if (event.type !== 'action:request') return;
    if (options.v1 !== true) page.send('x-oui:receipt', { requestId: event.payload.requestId, ok: true });
    options.onRequest?.(event.payload, page);
  });
  await once(socket, 'open');
  if (options.v1 !== true) {
    page.send('x-oui:hello', {
      protocol: '0.1',
      software: 'fake/1.0.0',
      features: FEATURES,
      confirmBy: options.confirmBy ?? 'page',
      ...(clientId === undefined ? {} : { clientId }),
      url,
      title,
      now: Date.now(),
    });
  }
  for (const surface of options.surfaces ?? []) page.register(surface);
  return page;
}

/** A small todo surface: a sync write, an async one, one that needs approval, two observations. */
export function todoSurface(changes: Partial<OUISurface> = {}): OUISurface {
  return {
    id: 'todo-app',
    name: 'Todos',
    description: 'Create and complete tasks.',
    actions: [
      {
        id: 'add_todo',
        title: 'Add a todo',
        description: 'Adds a todo to the list.',
        effect: 'edit',
        input: {
          type: 'object',
          properties: { title: { type: 'string', minLength: 1 }, priority: { enum: ['low', 'high'] } },
          required: ['title'],
          additionalProperties: false,
        },
      },
      {
        id: 'bulk_complete',
        description: 'Completes all todos.',
        effect: 'job',
        async: true,
        input: { type: 'object', properties: {} },
      },
      {
        id: 'delete_todo',
        description: 'Deletes a todo for good.',
        effect: 'mutate',
        confirm: true,
        input: { type: 'object', properties: { todoId: { type: 'string' } }, required: ['todoId'] },
      },
      { id: 'list_todos', description: 'Lists the todos.', effect: 'view', input: { type: 'object' } },
    ],
    observations: [
      { id: 'todo_list', description: 'All todos.', schema: { type: 'array' } },
      { id: 'server_time', description: 'The time.', schema: { type: 'string' }, updateFrequency: 'polling' },
    ],
    ...changes,
  };
}
