import { describe, expect, it, vi } from 'vitest';
import { CallLog } from '../../../elements/inspector/call-log.js';
import { FrameLog } from '../../../elements/inspector/frame-log.js';
import { ObservationLog } from '../../../elements/inspector/observation-log.js';
import { HIDDEN_VALUE } from '../../../elements/inspector/secret-values.js';
import type { SchemaOf } from '../../../elements/inspector/secret-values.js';
import { SettleStoryTeller } from '../../../elements/inspector/settle-story.js';
import { inOneLine, shownJson, shownValue } from '../../../elements/inspector/shown-value.js';
import { shownObservationText } from '../../../elements/inspector/shown-observation.js';
import { TextFilter } from '../../../elements/inspector/text-filter.js';
import type { CallReport } from '../../../src/protocol/engine-messages.js';
import type { InspectedFrame } from '../../../src/protocol/inspection.js';
import type { JSONSchema } from '../../../src/protocol/json.js';
import * as LIMITS from '../../../src/protocol/limits.js';

const login: JSONSchema = { type: 'object', properties: { password: { type: 'string', format: 'password' } } };
const inputOf = (surfaceId: string): JSONSchema | null => (surfaceId === 'login' ? login : null);
const report = (phase: CallReport['phase'], more: Partial<CallReport> = {}): CallReport => ({
  phase, requestId: 'r1', origin: 'agent', surfaceId: 'todo-app', actionId: 'add_todo', ...more,
});

describe('the log of calls', () => {
  it('tells where a call stands, and when it came there', () => {
    const log = new CallLog(inputOf);
    log.add(report('received', { params: { title: 'Milk' } }), 100);
    log.add(report('asking'), 110);
    log.add(report('started'), 120);
    log.settle('r1', 140, { kind: 'waiting', quietMs: 250, holds: [], work: 0 });
    expect(log.calls()[0]).toMatchObject({ state: 'waiting', params: { title: 'Milk' }, durationMs: undefined });
    log.add(report('ended', { result: { success: true, data: 7, durationMs: 290, settled: true } }), 390);
    expect(log.calls()[0]).toMatchObject({ state: 'done', durationMs: 290, result: { data: 7 } });
    expect(log.calls()[0]!.steps.map(({ state, at }) => [state, at])).toEqual([
      ['queued', 100], ['asking', 110], ['running', 120], ['waiting', 140], ['done', 390],
    ]);
  });

  it('finds by text and by state, newest first, and empties', () => {
    const log = new CallLog(inputOf);
    log.add(report('received', { requestId: 'a', params: { title: 'Milk' } }), 1);
    log.add(report('ended', { requestId: 'a', result: { success: true } }), 2);
    log.add(report('received', { requestId: 'b', actionId: 'delete_todo', params: {} }), 3);
    log.add(report('ended', { requestId: 'b', result: { success: false, error: { code: 'ACTION_DENIED', message: 'no' } } }), 4);
    log.add(report('received', { requestId: 'c', params: {} }), 5);
    const ids = (...filter: Parameters<CallLog['calls']>): string[] => log.calls(...filter).map(({ requestId }) => requestId);
    expect(ids()).toEqual(['c', 'b', 'a']);
    expect(ids('MILK')).toEqual(['a']);
    expect(ids('delete_')).toEqual(['b']);
    expect(ids('action_denied')).toEqual(['b']);
    expect([ids('', 'open'), ids('', 'done'), ids('', 'failed')]).toEqual([['c'], ['a'], ['b']]);
    log.clear();
    expect(log.calls()).toEqual([]);
  });

  it('keeps so many, and so much of them', () => {
    const log = new CallLog(inputOf);
    for (let count = 0; count < LIMITS.inspectedCalls + 10; count++) {
      log.add(report('received', { requestId: `r${count}`, params: {} }), count);
    }
    expect(log.size).toBe(LIMITS.inspectedCalls);
    expect(log.calls().at(-1)!.requestId).toBe('r10');
    const long = 'x'.repeat(LIMITS.inspectedLength / 2);
    for (const requestId of ['l1', 'l2', 'l3']) log.add(report('received', { requestId, params: { long } }), 0);
    expect(log.calls().map(({ requestId }) => requestId)).toEqual(['l3']);
  });

  it('makes text of each call once, not at each look at it', () => {
    const log = new CallLog(inputOf);
    for (const requestId of ['a', 'b']) log.add(report('received', { requestId, params: { title: requestId } }), 1);
    const stringify = vi.spyOn(JSON, 'stringify');
    for (let look = 0; look < 3; look++) {
      expect(log.calls('TITLE":"B').map(({ requestId }) => requestId)).toEqual(['b']);
      expect(log.calls().map(({ paramsText }) => paramsText)).toEqual(['{"title":"b"}', '{"title":"a"}']);
    }
    expect(stringify).not.toHaveBeenCalled();
    stringify.mockRestore();
    log.add(report('ended', { requestId: 'a', result: { success: true, data: { title: 'b' } } }), 2);
    expect(log.calls('title":"b').map(({ requestId }) => requestId)).toEqual(['b', 'a']);
  });

  it('keeps what went by, whatever the page does to it later', () => {
    const log = new CallLog(inputOf);
    const params = { title: 'Milk' };
    log.add(report('received', { params }), 1);
    params.title = 'Changed';
    expect(log.calls()[0]!.params).toEqual({ title: 'Milk' });
    const circle: { self?: object } = {};
    circle.self = circle;
    log.add(report('received', { requestId: 'circle', params: circle }), 2);
    expect(log.calls()[0]!.params).toBeUndefined();
  });

  it('keeps nothing that must not be seen', () => {
    const log = new CallLog(inputOf);
    log.add(report('received', { surfaceId: 'login', params: { password: 'hunter2' } }), 1);
    expect(JSON.stringify(log.calls())).not.toContain('hunter2');
    expect(log.calls('hunter2')).toEqual([]);
    expect(log.calls()[0]!.params).toEqual({ password: HIDDEN_VALUE });
  });
});

describe('what must not be seen', () => {
  const schema: JSONSchema = {
    type: 'object',
    properties: {
      pin: { type: 'string', writeOnly: true, maxLength: 4 },
      others: { type: 'object', additionalProperties: { type: 'string', format: 'password' } },
      coded: { type: 'object', patternProperties: { '^s': { type: 'string', format: 'password' } } },
    },
  };
  const params = { pin: 'hunter2', others: { any: 'hunter2' }, coded: { s1: 'hunter2' } };
  const issue = { path: '/pin', keyword: 'maxLength', message: '/pin: got the text "hunter2"', received: 'hunter2' };
  const title = { path: '/title', keyword: 'type', message: '/title: expected string', received: 7 };
  const error = {
    code: 'VALIDATION_ERROR', message: `Do not fit: ${issue.message}; ${title.message}`, details: { errors: [issue, title] },
  };
  const told = 'Do not fit: /pin: ••••••; /title: expected string';

  it('is hidden by the log of calls in members without a name, and in what is said to be wrong with it', () => {
    const log = new CallLog(() => schema);
    log.add(report('received', { params }), 1);
    log.add(report('ended', { result: { success: false, error } }), 2);
    expect(JSON.stringify(log.calls())).not.toContain('hunter2');
    expect(log.calls()[0]!.result!.error).toMatchObject({ message: told, details: { errors: [{ path: '/pin' }, title] } });
  });

  it('is hidden by the log of frames in the answer to a request, also in one that was cut', () => {
    const log = new FrameLog(() => schema);
    const frame = (type: string, payload: object, cut?: true): InspectedFrame => {
      const text = JSON.stringify(payload);
      const kept = cut ? text.slice(0, -4) : text;
      return { direction: 'in', type, bytes: text.length, payload: kept, at: 1, ...(cut && { cut }) };
    };
    const result = frame('action:result', { requestId: 'r', success: false, error });
    log.paused = true;
    log.add(frame('action:request', { requestId: 'r', surfaceId: 's', actionId: 'a', params }));
    log.paused = false;
    log.add(result);
    log.add(frame('action:result', { requestId: 'r', success: false, error }, true));
    log.add(frame('action:result', { requestId: 'other', success: true, data: 1 }));
    expect(JSON.stringify(log.frames())).not.toContain('hunter2');
    expect(log.frames()[0]!.payload).toContain('"data":1');
    expect(JSON.parse(log.frames()[2]!.payload).error.message).toBe(told);
  });
});

describe('what a result says', () => {
  const output: JSONSchema = { type: 'object', properties: { token: { type: 'string', writeOnly: true } } };
  const schemaOf: SchemaOf = (_, actionId, part) => (
    actionId === 'sign_in' && part === 'output' ? output : null);
  const data = { token: 'hunter2', user: 'ada' };

  it('is hidden by the log of calls where the output says so', () => {
    const log = new CallLog(schemaOf);
    log.add(report('ended', { actionId: 'sign_in', result: { success: true, data } }), 1);
    expect(log.calls()[0]!.result!.data).toEqual({ token: HIDDEN_VALUE, user: 'ada' });
    expect([JSON.stringify(log.calls()), log.calls('hunter2')]).toEqual([expect.not.stringContaining('hunter2'), []]);
  });

  it('is hidden by the log of frames, in one that was cut too, and nothing of other actions', () => {
    const log = new FrameLog(schemaOf);
    const add = (type: string, payload: object, cut?: true): void => {
      const text = JSON.stringify(payload);
      log.add({ direction: 'out', type, bytes: 1, payload: cut ? text.slice(0, -3) : text, at: 1, ...(cut && { cut }) });
    };
    const shown = (): string => log.frames()[0]!.payload;
    for (const [requestId, actionId] of [['r1', 'sign_in'], ['r2', 'other']]) {
      add('action:request', { requestId, surfaceId: 's', actionId, params: { requestId: 'r1' } });
    }
    add('action:request', { requestId: 'r3', surfaceId: 's', actionId: 'sign_in', params: { long: '…' } }, true);
    add('action:result', { requestId: 'r1', success: true, data });
    expect(JSON.parse(shown()).data).toEqual({ token: HIDDEN_VALUE, user: 'ada' });
    add('action:result', { requestId: 'r1', success: true, data }, true);
    expect(shown()).toBe('"…"');
    add('action:result', { requestId: 'r2', success: true, data });
    expect(JSON.parse(shown()).data).toEqual(data);
    add('action:result', { requestId: 'r2', success: true, data }, true);
    expect(shown()).toContain('hunter2');
    add('action:result', { requestId: 'r3', success: true, data });
    expect(JSON.parse(shown()).data.token).toBe(HIDDEN_VALUE);
  });
});

describe('what observations say', () => {
  const output: JSONSchema = { type: 'object', properties: { token: { type: 'string', writeOnly: true } } };
  const pin: JSONSchema = { type: 'object', properties: { pin: { type: 'string', format: 'password' } } };
  const schemas: Readonly<Record<string, JSONSchema>> = {
    's sign_in output': output, 's give input': pin, 's list output': { type: 'array', items: { writeOnly: true } },
    's code value': pin, 's whole value': { writeOnly: true },
    's far value': { allOf: [{ $ref: '#/$defs/none' }], $defs: { pin } },
  };
  const schemaOf: SchemaOf = (surfaceId, id, part) => schemas[`${surfaceId} ${id} ${part}`] ?? null;
  const add = (log: FrameLog, type: string, payload: object, cut?: true): string => {
    const text = JSON.stringify(payload);
    log.add({ direction: 'out', type, bytes: 1, payload: cut ? text.slice(0, -3) : text, at: 1, ...(cut && { cut }) });
    return log.frames()[0]!.payload;
  };
  const update = (observationId: string, value: unknown, cut?: true): string => (
    add(new FrameLog(schemaOf), 'observation:update', { surfaceId: 's', observationId, value, timestamp: 1 }, cut));
  const job = { status: 'complete', token: 'hunter2', user: 'ada', interim: false, requestId: 'r1' };

  it('is hidden of jobs as in the result of their action, of each of several too', () => {
    const jobs = { r0: { ...job, status: 'running', interim: true, requestId: 'r0' }, r1: job };
    const hidden = { ...job, token: HIDDEN_VALUE };
    expect(JSON.parse(update('s:sign_in:status', { ...job, jobs })).value).toEqual({
      ...hidden, jobs: { r0: { ...jobs.r0, token: HIDDEN_VALUE }, r1: hidden },
    });
    expect(JSON.parse(update('s:list:status', { ...job, token: 1, data: ['hunter2'] })).value.data).toEqual([HIDDEN_VALUE]);
    expect(update('s:other:status', job)).toContain('"token":"hunter2"');
    expect(update('t:sign_in:status', job)).toContain('"token":"hunter2"');
  });

  it('is hidden of what a job says to be wrong with its params', () => {
    const error = {
      code: 'VALIDATION_ERROR', message: 'No: /pin: got "hunter2"',
      details: { errors: [{ path: '/pin', keyword: 'maxLength', message: '/pin: got "hunter2"', received: 'hunter2' }] },
    };
    const { value } = JSON.parse(update('s:give:status', { status: 'failed', error, interim: false, requestId: 'r1' }));
    expect(value).toMatchObject({ status: 'failed', error: { code: 'VALIDATION_ERROR', message: 'No: /pin: ••••••' } });
    expect(JSON.stringify(value)).not.toContain('hunter2');
  });

  it('is hidden by their own schema, whole where it cannot be read', () => {
    expect(JSON.parse(update('code', { pin: 'hunter2', user: 'ada' })).value).toEqual({ pin: HIDDEN_VALUE, user: 'ada' });
    expect(JSON.parse(update('whole', 'hunter2')).value).toBe(HIDDEN_VALUE);
    expect(JSON.parse(update('far', { pin: 'hunter2' })).value).toBe(HIDDEN_VALUE);
    expect(update('plain', 'hunter2')).toContain('"value":"hunter2"');
    expect(update('code', { pin: 'hunter2' }, true)).toBe('"…"');
    expect(update('s:sign_in:status', job, true)).toBe('"…"');
    expect(update('plain', 'hunter2', true)).toContain('hunter2');
  });

  it('is hidden where they come with a result, whichever action it is of', () => {
    const observations = { s: { code: { pin: 'hunter2' }, 's:sign_in:status': job, plain: 'seen' }, t: { code: { pin: 'seen' } } };
    const result = { requestId: 'r', success: true, data: 1, observations };
    const log = new FrameLog(schemaOf);
    const shown = JSON.parse(add(log, 'action:result', result)) as typeof result;
    expect(shown).toEqual({
      ...result,
      observations: {
        s: { code: { pin: HIDDEN_VALUE }, 's:sign_in:status': { ...job, token: HIDDEN_VALUE }, plain: 'seen' },
        t: { code: { pin: 'seen' } },
      },
    });
    expect(add(log, 'action:result', result, true)).toBe('"…"');
    expect(log.frames('hunter2')).toEqual([]);
    const seen = { ...result, observations: { s: { plain: 'hunter2' } } };
    expect(add(log, 'action:result', seen)).toBe(JSON.stringify(seen));
    expect(add(new FrameLog(schemaOf, () => false), 'action:result', seen, true)).toContain('hunter2');
  });

  it('stays the same text where nothing is hidden, as it is listed', () => {
    expect(shownObservationText('{"pin": "hunter2"}', 's', 'code', schemaOf)).toBe(`{"pin":"${HIDDEN_VALUE}"}`);
    expect(shownObservationText('{"pin": "seen"}', 's', 'plain', schemaOf)).toBe('{"pin": "seen"}');
  });
});

describe('the log of frames', () => {
  const frame = (more: Partial<InspectedFrame> = {}): InspectedFrame => ({
    direction: 'in', type: 'x-oui:ping', bytes: 10, payload: '{}', at: 1, ...more,
  });

  it('numbers and counts what goes by, and keeps nothing while it is paused', () => {
    const log = new FrameLog(inputOf);
    log.add(frame());
    log.paused = true;
    log.add(frame({ bytes: 90 }));
    log.paused = false;
    log.add(frame({ direction: 'out', payload: '{"needle":1}' }));
    expect(log.frames().map(({ number }) => number)).toEqual([3, 1]);
    expect(log.frames('NEEDLE').map(({ number }) => number)).toEqual([3]);
    expect(log.total).toEqual({ count: 3, bytes: 110 });
    log.clear();
    expect([log.frames(), log.total]).toEqual([[], { count: 0, bytes: 0 }]);
  });

  it('keeps so many, and so much of them', () => {
    const log = new FrameLog(inputOf);
    for (let count = 0; count < LIMITS.inspectedFrames + 5; count++) log.add(frame());
    expect(log.frames()).toHaveLength(LIMITS.inspectedFrames);
    for (let count = 0; count < 3; count++) log.add(frame({ payload: 'x'.repeat(LIMITS.inspectedLength / 2) }));
    expect(log.frames()).toHaveLength(2);
  });

  it('keeps nothing that must not be seen, even of a request that was cut', () => {
    const log = new FrameLog(inputOf);
    const payload = JSON.stringify({ requestId: 'r', surfaceId: 'login', actionId: 'in', params: { password: 'hunter2' } });
    log.add(frame({ type: 'action:request', payload }));
    log.add(frame({ type: 'action:request', payload: payload.slice(0, -4), cut: true }));
    expect(log.frames()[1]!.payload).toContain(HIDDEN_VALUE);
    expect(JSON.stringify(log.frames())).not.toContain('hunter2');
  });
});

describe('the log of observations', () => {
  it('counts changes over the last seconds', () => {
    const log = new ObservationLog();
    for (let at = 0; at < 5_000; at += 500) log.changed('a', 'b', at);
    expect(log.activity('a', 'b', 4_999)).toEqual({ lastChange: 4_500, changes: 10, perSecond: 2 });
    expect(log.activity('a', 'b', 60_000)).toEqual({ lastChange: 4_500, changes: 10, perSecond: 0 });
    expect(log.activity('a', 'c', 0)).toBeUndefined();
    log.keepOnly(new Set(['b']));
    expect(log.activity('a', 'b', 0)).toBeUndefined();
  });
});

describe('why a result waited', () => {
  it('is told by what happened, from when to when', () => {
    const teller = new SettleStoryTeller();
    expect(teller.story()).toBeUndefined();
    const change = { kind: 'observation', surfaceId: 's', observationId: 'o' } as const;
    teller.add(990, change);
    teller.add(1_000, { kind: 'waiting', quietMs: 250, holds: ['spinner'], work: 0 });
    teller.add(1_050, change);
    teller.add(1_100, { ...change, observationId: 'clock', ignored: true });
    teller.add(1_200, { kind: 'work', work: 'request' });
    teller.add(1_250, { kind: 'work', work: 'request' });
    teller.add(1_300, { kind: 'work-ended', work: 'request' });
    teller.add(1_350, { kind: 'release', name: 'spinner' });
    expect(teller.story()!.end).toBeUndefined();
    expect(teller.story()!.reasons.find(({ kind }) => kind === 'work')).toMatchObject({ from: 200, to: undefined, count: 2 });
    teller.add(1_400, { kind: 'work-ended', work: 'request' });
    teller.add(1_650, { kind: 'end', settled: true, why: 'quiet' });
    expect(teller.story()).toEqual({
      returnedAt: 1_000,
      quietMs: 250,
      dropped: 0,
      end: { settled: true, why: 'quiet', ms: 650 },
      reasons: [
        { kind: 'observation', name: 's.o', count: 2, from: -10, to: 50, ignored: false },
        { kind: 'hold', name: 'spinner', count: 1, from: 0, to: 350, ignored: false },
        { kind: 'observation', name: 's.clock', count: 1, from: 100, to: 100, ignored: true },
        { kind: 'work', name: 'request', count: 2, from: 200, to: 400, ignored: false },
      ],
    });
  });

  it('is bounded, and knows its end all the same', () => {
    const teller = new SettleStoryTeller();
    for (let at = 0; at < LIMITS.inspectedMoments + 7; at++) teller.add(at, { kind: 'surfaces' });
    teller.add(500, { kind: 'waiting', quietMs: 250, holds: [], work: 0 });
    teller.add(900, { kind: 'end', settled: false, why: 'deadline' });
    expect(teller.story()).toMatchObject({ dropped: 7, end: { settled: false, why: 'deadline', ms: 400 } });
  });
});

describe('a value', () => {
  it('is shown with what could hide in it, and not longer than can be read', () => {
    expect(inOneLine({ a: 'x\u202ey' })).toBe('{"a":"x\\u{202e}y"}');
    expect(inOneLine('x'.repeat(300), 20)).toHaveLength(20);
    expect(inOneLine(undefined)).toBe('');
    expect(shownJson('{"a":1}')).toEqual({ text: '{\n  "a": 1\n}', more: 0 });
    expect(shownJson('{"cut')).toEqual({ text: '{"cut', more: 0 });
    expect(shownJson(JSON.stringify('x'.repeat(LIMITS.inspectedShownLength))).more).toBe(2);
    expect(shownValue(undefined)).toEqual({ text: 'nothing', more: 0 });
  });

  it('is read no further than it is shown, and begins as the whole of it would', () => {
    const row = { id: 7, text: 'a "quoted" {[,:]} \\ text', list: [], none: {}, deep: [{ x: [null, true] }] };
    const value = Array.from({ length: 2_000 }, () => row);
    const json = JSON.stringify(value);
    const parse = vi.spyOn(JSON, 'parse');
    const { text, more } = shownJson(json);
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
    expect(text).toBe(JSON.stringify(value, null, 2).slice(0, LIMITS.inspectedShownLength));
    expect(more).toBeGreaterThan(json.length - LIMITS.inspectedShownLength);
  });
});

describe('a filter', () => {
  it('reads an entry once for each text that is wanted', () => {
    const read: string[] = [];
    const filter = new TextFilter<{ text: string }>(({ text }) => {
      read.push(text);
      return [text];
    });
    const entries = ['Milk (2 l)', 'Bread'].map((text) => ({ text }));
    for (let look = 0; look < 3; look++) expect(filter.matching(entries, ' milk (')).toEqual([entries[0]]);
    expect(read).toEqual(['Milk (2 l)', 'Bread']);
    entries[1]!.text = 'Milk (bread)';
    filter.changed(entries[1]!);
    expect(filter.matching(entries, 'milk (')).toEqual(entries);
    expect(filter.matching(entries, '')).toEqual(entries);
    expect(read).toHaveLength(3);
  });
});
