import { afterEach, describe, expect, it, vi } from 'vitest';
import { createAgentRuntime } from '../../../src/entries/agent.js';
import type { AgentCallOptions } from '../../../src/entries/agent.js';
import { createSurfaceRuntime, defineSurface } from '../../../src/entries/core.js';
import type { SurfaceRuntimeOptions } from '../../../src/entries/core.js';
import { createDirectTransportPair } from '../../../src/entries/transport.js';
import * as LIMITS from '../../../src/protocol/limits.js';

/** Both ends as they are: an agent brings files along, and a page fetches them. */

const file = (as: 'file' | 'text', mediaTypes?: readonly string[]) => ({
  type: 'string',
  format: 'oui-attachment',
  'x-oui-attachment': { as, ...(mediaTypes && { mediaTypes }) },
});
const IMAGE = file('file', ['image/*']);
const PICTURE = new File([new Uint8Array([1, 2, 3])], 'dot.png', { type: 'image/png' });
const ID = 'attachment-1';

const ended: (() => void)[] = [];
afterEach(() => {
  for (const end of ended.splice(0)) end();
});

async function open(properties: object, options: SurfaceRuntimeOptions = {}) {
  const { page: pageEnd, agent: agentEnd } = createDirectTransportPair();
  const runtime = createSurfaceRuntime({ worker: false, ...options });
  const handler = vi.fn((_params: Record<string, unknown>) => undefined);
  runtime.mount(
    defineSurface({
      id: 'editor',
      name: 'Editor',
      description: 'Pictures and texts.',
      actions: [{ id: 'insert', description: 'Inserts.', settle: 'none', input: { type: 'object', properties }, handler }],
    }),
  );
  runtime.attach(pageEnd);
  const agent = createAgentRuntime({ transport: agentEnd });
  ended.push(() => agent.dispose(), () => runtime.dispose());
  await new Promise<void>((resolve) => {
    agent.subscribe(() => agent.tools().length > 0 && resolve());
  });
  const call = (params: object, attachments: AgentCallOptions['attachments'] = {}) =>
    agent.call('editor__insert', params, { attachments }).then(({ result }) => result);
  return { agent, runtime, handler, call };
}

describe('attachments of an agent', () => {
  it('reach the handler as a File and as a text', async () => {
    const { call, handler } = await open({ picture: IMAGE, notes: { type: 'array', items: file('text') } });
    const note = new Blob(['Grüße'], { type: 'text/plain' });
    const result = await call({ picture: ID, notes: ['note-0001', 'note-0002'] }, {
      [ID]: PICTURE,
      'note-0001': note,
      'note-0002': new Blob([]),
    });
    expect(result.error).toBeUndefined();
    const { picture, notes } = handler.mock.calls[0]![0] as { picture: File; notes: string[] };
    expect(picture).toBeInstanceOf(File);
    expect([picture.name, picture.type]).toEqual(['dot.png', 'image/png']);
    expect(new Uint8Array(await picture.arrayBuffer())).toEqual(new Uint8Array([1, 2, 3]));
    expect(notes).toEqual(['Grüße', '']);
  });

  it('come in parts, and whole', async () => {
    const { call, handler } = await open({ picture: IMAGE });
    const bytes = new Uint8Array(LIMITS.attachmentPartBytes * 2 + 5).map((_, index) => index % 251);
    const large = new File([bytes], 'large.png', { type: 'image/png' });
    expect(await call({ picture: ID }, { [ID]: large })).toMatchObject({ success: true });
    const { picture } = handler.mock.calls[0]![0] as { picture: File };
    // Element by element takes seconds.
    expect(Buffer.compare(Buffer.from(await picture.arrayBuffer()), bytes)).toBe(0);
  });

  it('one id in two properties is checked for both', async () => {
    const properties = { picture: IMAGE, drawing: file('file', ['image/svg+xml']), copy: IMAGE };
    const { call, handler } = await open(properties);
    expect(await call({ picture: ID, drawing: ID }, { [ID]: PICTURE })).toMatchObject({
      error: {
        code: 'ATTACHMENT_UNAVAILABLE',
        message: 'drawing: dot.png is image/png, and image/svg+xml is taken',
        details: { ran: false },
      },
    });
    expect(handler).not.toHaveBeenCalled();
    expect(await call({ picture: ID, copy: ID }, { [ID]: PICTURE })).toMatchObject({ success: true });
    const { picture, copy } = handler.mock.calls[0]![0] as { picture: File; copy: File };
    expect(copy).toBe(picture);
  });

  it.each<[string, object, RegExp]>([
    ['an id that the call does not bring', { picture: 'nobody-has-it' }, /^picture: the agent has no attachment with/],
    ['another id of the call', { picture: 'toString_1' }, /^picture: the agent has no/],
    ['no id', { picture: 'dot.png' }, /^picture: must be the id of an attachment.*not the text "dot.png"/],
  ])('%s is not available', async (_what, params, message) => {
    const { call, handler } = await open({ picture: IMAGE });
    const { error } = await call(params, { [ID]: PICTURE });
    expect(error).toMatchObject({ code: 'ATTACHMENT_UNAVAILABLE', message: expect.stringMatching(message) });
    expect(handler).not.toHaveBeenCalled();
  });

  it('that are too large are not sent', async () => {
    const { call } = await open({ picture: IMAGE });
    const huge = new File([new Uint8Array(LIMITS.attachmentBytes + 1)], 'huge.png', { type: 'image/png' });
    expect((await call({ picture: ID }, { [ID]: huge })).error).toMatchObject({
      code: 'ATTACHMENT_UNAVAILABLE',
      message: `picture: it has ${LIMITS.attachmentBytes + 1} bytes, and ${LIMITS.attachmentBytes} is the most`,
    });
  });

  it("come after the host's own", async () => {
    const own = new File(['<svg/>'], 'own.svg', { type: 'image/svg+xml' });
    const resolve = vi.fn((id: string): unknown => {
      if (id === 'broken-one') throw new Error('the shelf is locked');
      return id === 'own-one-1' ? own : null;
    });
    const { call, handler } = await open({ picture: IMAGE }, { attachments: { resolve } });
    for (const id of ['own-one-1', 'agents-one', 'broken-one']) {
      expect((await call({ picture: id }, { [id]: PICTURE })).error).toBeUndefined();
    }
    const names = handler.mock.calls.map(([{ picture }]) => (picture as File).name);
    expect(names).toEqual(['own.svg', 'dot.png', 'dot.png']);
    expect(resolve.mock.calls[0]).toEqual(['own-one-1', 'file', { signal: expect.any(AbortSignal) }]);
  });

  it('are not asked for by calls of the page itself', async () => {
    const { runtime } = await open({ picture: IMAGE });
    const result = await runtime.execute({ surfaceId: 'editor', actionId: 'insert', params: { picture: ID } });
    expect(result.error).toMatchObject({ code: 'ATTACHMENTS_UNSUPPORTED', details: { ran: false } });
  });

  it('are described to the model', async () => {
    const { agent } = await open({ picture: IMAGE, notes: { type: 'array', items: file('text') }, title: { type: 'string' } });
    expect(agent.tools()[0]).toMatchObject({
      takesAttachments: true,
      description: expect.stringContaining(
        'Files: "picture" takes an attachment\'s id (image/*); "notes" takes a list of attachments\' ids, never the file',
      ),
    });
    const plain = await open({ title: { type: 'string' } });
    expect(plain.agent.tools()[0]).not.toHaveProperty('takesAttachments');
    const indexed = await open({ notes: { type: 'array', items: file('text') } }, { form: 'index' });
    expect(indexed.agent.tools()[0]).toMatchObject({ indexed: true, takesAttachments: true });
  });
});
