import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgentReadOptions } from '../../../src/agent/agent-types.js';
import { isShortened } from '../../../src/agent/cut-values.js';
import { readWhole } from '../../../src/agent/whole-value.js';
import type { Cut } from '../../../src/protocol/events.js';
import { resolvePointer } from '../../../src/protocol/json-pointer.js';
import { isJsonObject } from '../../../src/protocol/shape.js';
import { fitObservations } from '../../../src/rules/fit.js';
import { createScene, turnOfTheLoop, type Scene } from './scripted-page.js';

const COUNT = ['todo-app', 'open_count'] as const;
const listCut: Cut = { surface: 'todo-app', observation: 'open_count', path: '', kind: 'list', total: 4, kept: 1 };

/** Answers the newest request to the page's own `read`. */
async function answer({ page }: Scene, result: Record<string, unknown>): Promise<unknown> {
  await turnOfTheLoop();
  const request = page.requests.at(-1);
  page.result(request?.requestId ?? '', result);
  await turnOfTheLoop();
  expect(request).toMatchObject({ surfaceId: 'oui', actionId: 'read' });
  return request?.params;
}

const update = (value: unknown, cuts: readonly Cut[] = [], timestamp = 5) => ({
  surfaceId: COUNT[0], observationId: COUNT[1], value, timestamp, ...(cuts.length > 0 && { fit: { observations: cuts } }),
});

describe('an observation that was cut', () => {
  it('says where, whether it came by itself or with a result', async () => {
    const { page, agent, call } = createScene();
    page.say('observation:update', update([1], [listCut]));
    expect(agent.observation(...COUNT)?.cuts).toEqual([listCut]);
    page.say('observation:update', update([1, 2], [], 6));
    expect(agent.observation(...COUNT)).not.toHaveProperty('cuts');
    const { done, requestId } = call('todo-app__add_todo');
    const other = { ...listCut, observation: 'report' };
    page.result(requestId, { observations: { 'todo-app': { open_count: [7] } }, fit: { observations: [other, listCut] } });
    expect(await done).toMatchObject({ changed: { 'todo-app': { open_count: [7] } }, cuts: [listCut] });
    expect(agent.observation(...COUNT)?.cuts).toEqual([listCut]);
    const whole = call('todo-app__add_todo');
    page.result(whole.requestId, { observations: { 'todo-app': { open_count: [7] } }, timestamp: 20 });
    expect(await whole.done).not.toHaveProperty('cuts');
    expect(agent.observation(...COUNT)).not.toHaveProperty('cuts');
  });

  it('for a result does not take the place of its whole, which came before, and is no change', async () => {
    const { page, agent, call } = createScene();
    page.say('observation:update', update([1, 2, 3, 4]));
    const repeats = call('todo-app__add_todo');
    page.result(repeats.requestId, { observations: { 'todo-app': { open_count: [1] } }, fit: { observations: [listCut] } });
    expect((await repeats.done).changed).toEqual({});
    expect(agent.observation(...COUNT)).toMatchObject({ value: [1, 2, 3, 4], timestamp: 10 });
    const changes = call('todo-app__add_todo');
    page.result(changes.requestId, {
      observations: { 'todo-app': { open_count: [9] } }, fit: { observations: [listCut] }, timestamp: 11,
    });
    expect((await changes.done).changed).toEqual({ 'todo-app': { open_count: [9] } });
    page.say('observation:update', update([1, 2, 3, 4], [], 12));
    page.say('observation:update', update([1], [listCut], 13));
    expect(agent.observation(...COUNT)?.value).toEqual([1]);
  });

  it('is read whole, page after page', async () => {
    const scene = createScene();
    scene.page.say('observation:update', update([1], [listCut]));
    const whole = scene.agent.read(...COUNT);
    const first = await answer(scene, { data: { rows: [1, 2, 3], total: 4, offset: 0, more: true, next: 3 } });
    const second = await answer(scene, { data: { rows: [4], total: 4, offset: 3 } });
    expect(first).toEqual({ surface: 'todo-app', observation: 'open_count', path: '', offset: 0, limit: 100_000 });
    expect(second).toMatchObject({ offset: 3 });
    expect(await whole).toEqual([1, 2, 3, 4]);
  });

  it('is read whole when it has to be asked for anyway', async () => {
    const scene = createScene();
    const whole = scene.agent.read('todo-app', 'report');
    const cut = { ...listCut, observation: 'report' };
    scene.page.say('observation:update', { ...update([1], [cut]), observationId: 'report' });
    await answer(scene, { data: { rows: [1, 2, 3, 4], total: 4, offset: 0 } });
    expect(await whole).toEqual([1, 2, 3, 4]);
  });
});

describe('a part of an observation', () => {
  it('is what the page gives for a path, an offset or a limit', async () => {
    const scene = createScene();
    scene.page.say('observation:update', update({ rows: [1, 2] }));
    const part = scene.agent.read(...COUNT, { path: '/rows', offset: 1, limit: 5 });
    const params = await answer(scene, { data: { rows: [2], total: 2, offset: 1 } });
    expect(params).toEqual({ surface: 'todo-app', observation: 'open_count', path: '/rows', offset: 1, limit: 5 });
    expect(await part).toEqual({ rows: [2], total: 2, offset: 1 });
    expect(await scene.agent.read(...COUNT, {} as AgentReadOptions)).toEqual({ rows: [1, 2] });
  });

  it.each([
    [{ success: false, error: { code: 'NOT_FOUND', message: 'There is nothing at "/x".' } }, 'NOT_FOUND'],
    [{ data: { rows: 'none' } }, 'INTERNAL_ERROR'],
    [{}, 'INTERNAL_ERROR'],
  ])('that cannot be had is rejected: %j', async (result, code) => {
    const scene = createScene();
    const part = scene.agent.read(...COUNT, { path: '/x' });
    part.catch(() => {});
    await answer(scene, result);
    await expect(part).rejects.toMatchObject({ name: 'AgentReadError', code });
  });

  it('is waited for 5 s', async () => {
    const { agent, clock } = createScene();
    const part = agent.read(...COUNT, { path: '/x' });
    part.catch(() => {});
    await turnOfTheLoop();
    clock.advance(5_000);
    await expect(part).rejects.toMatchObject({ code: 'TIMEOUT' });
    expect(clock.open).toBe(0);
  });
});

describe('reading whole', () => {
  /** A page that gives three pieces at a time and cuts what is inside of them to one. */
  const serve = (value: unknown) => ({ path = '', offset = 0, limit = 3 }: AgentReadOptions) => {
    const found = resolvePointer(value, path);
    const size = Math.min(limit, 3);
    const pieces = Array.isArray(found) || typeof found === 'string' ? found.slice(offset, offset + size) : undefined;
    const keys = isJsonObject(found) ? Object.keys(found) : [];
    const total = pieces === undefined ? keys.length : (found as string | unknown[]).length;
    const observations: Cut[] = [];
    const shorten = (inner: unknown, key: string | number): unknown => {
      const at = `${path}/${String(key).replace(/~/g, '~0').replace(/\//g, '~1')}`;
      const cut = { surface: 's', observation: 'o', path: at, total: 0, kept: 0 };
      if (Array.isArray(inner) && inner.length > 0) return observations.push({ ...cut, kind: 'list' }), [];
      if (isJsonObject(inner) && Object.keys(inner).length > 0) return observations.push({ ...cut, kind: 'value' }), null;
      return inner;
    };
    const some = keys.slice(offset, offset + size);
    const part = Array.isArray(pieces)
      ? { rows: pieces.map((row, index) => shorten(row, offset + index)) }
      : { value: pieces ?? (isJsonObject(found) ? Object.fromEntries(some.map((key) => [key, shorten(found[key], key)])) : found) };
    const next = offset + size;
    const more = next < total ? { more: true, next } : {};
    return Promise.resolve({ ...part, total, offset, ...more, fit: { observations } } as never);
  };

  it('puts any value together from its pages, whatever is cut inside of them', async () => {
    const value = fc.jsonValue({ maxDepth: 3 }).map((each) => JSON.parse(JSON.stringify(each)) as unknown);
    await fc.assert(
      fc.asyncProperty(value, async (each) => {
        expect(await readWhole(serve(each))).toEqual(each);
      }),
    );
  });

  it('ends with pages that lead nowhere, and gives up those that never end', async () => {
    const still = { rows: [1], total: 9, offset: 0, more: true, next: 0 };
    expect(await readWhole(() => Promise.resolve(still))).toEqual([1]);
    const endless = ({ offset = 0 }: AgentReadOptions) =>
      Promise.resolve({ rows: [1], total: 9e9, offset, more: true, next: offset + 1 });
    await expect(readWhole(endless)).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
    const deeper = ({ path = '' }: AgentReadOptions) =>
      Promise.resolve({ value: { a: null }, fit: { observations: [{ ...listCut, path: `${path}/a` }] } });
    await expect(readWhole(deeper)).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
  });
});

describe('a value and its cut form', () => {
  it('are told from others, for every way of fitting', () => {
    const text = fc.oneof(fc.string(), fc.integer({ min: 1_990, max: 2_010 }).map((length) => 'x'.repeat(length)));
    const rows = fc.array(fc.record({ text, n: fc.integer() }), { maxLength: 300 });
    const value = fc.record({ rows, text, deep: fc.record({ rows }) });
    fc.assert(
      fc.property(value, fc.integer({ min: 200, max: 20_000 }), fc.integer(), (each, budget, other) => {
        const { observations, fit } = fitObservations({ s: { o: each } }, budget);
        if (!fit?.observations) return;
        const short = observations['s']?.['o'];
        expect(isShortened(each, short, fit.observations)).toBe(true);
        if (short !== null) expect(isShortened({ ...each, rows: [...each.rows, other] }, short, fit.observations)).toBe(false);
      }),
    );
  });
});
