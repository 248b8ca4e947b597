import { beforeEach, describe, expect, it, vi } from 'vitest';
import fc from 'fast-check';
import { resetWarnings } from '../../../src/protocol/warn-once.js';
import { exceedsBytes, frameLimits, maySend, readTextFrame } from '../../../src/transports/text-frames.js';

const MIB = 1024 * 1024;

describe('text frames', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  beforeEach(() => {
    resetWarnings();
    warn.mockClear();
  });

  it('counts bytes as a UTF-8 encoder does', () => {
    const text = fc.string({ unit: 'binary', maxLength: 60 }).map((s) => s + (s.length % 3 === 0 ? '\ud800' : ''));
    fc.assert(
      fc.property(text, fc.nat(200), (value, limit) => {
        expect(exceedsBytes(value, limit)).toBe(new TextEncoder().encode(value).length > limit);
      }),
    );
  });

  it('is exact at the limit', () => {
    expect(exceedsBytes('é'.repeat(512), 1024)).toBe(false);
    expect(exceedsBytes('é'.repeat(512) + 'a', 1024)).toBe(true);
    expect(exceedsBytes('a'.repeat(1024), 1024)).toBe(false);
  });

  it('has 1 MiB and 4 MiB by default, and closes at four times a larger limit', () => {
    expect(frameLimits()).toEqual({ maxBytes: MIB, closeBytes: 4 * MIB });
    expect(frameLimits(1000)).toEqual({ maxBytes: 1000, closeBytes: 4 * MIB });
    expect(frameLimits(8 * MIB)).toEqual({ maxBytes: 8 * MIB, closeBytes: 32 * MIB });
  });

  it('hands over JSON of any kind', () => {
    expect(readTextFrame('{"type":"x","payload":{}}', frameLimits(), 'p')).toEqual({
      kind: 'message',
      message: { type: 'x', payload: {} },
    });
    expect(readTextFrame('null', frameLimits(), 'p')).toEqual({ kind: 'message', message: null });
    expect(warn).not.toHaveBeenCalled();
  });

  it('ignores what is binary, too large or not JSON, and says so once per peer', () => {
    const limits = frameLimits(100);
    for (const data of [new ArrayBuffer(3), '"' + 'a'.repeat(100) + '"', 'hello', '{', '']) {
      expect(readTextFrame(data, limits, 'ws://a')).toEqual({ kind: 'ignored' });
    }
    const said = warn.mock.calls.map(([line]) => String(line));
    expect(said).toHaveLength(3);
    expect(said.every((line) => line.startsWith('[OUI1003] A frame from ws://a was ignored: '))).toBe(true);
    readTextFrame('{', limits, 'ws://b');
    expect(warn).toHaveBeenCalledTimes(4);
  });

  it('calls a frame over the second limit oversize', () => {
    expect(readTextFrame('a'.repeat(4 * MIB + 1), frameLimits(), 'p')).toEqual({ kind: 'oversize' });
    expect(readTextFrame('a'.repeat(4 * MIB), frameLimits(), 'p')).toEqual({ kind: 'ignored' });
  });

  it('survives nesting that a recursive reader would not', () => {
    const deep = '['.repeat(50_000) + ']'.repeat(50_000);
    expect(['message', 'ignored']).toContain(readTextFrame(deep, frameLimits(), 'p').kind);
  });

  it('refuses to send what the peer would drop, naming the type', () => {
    expect(maySend('{"type":"action:result","payload":{}}', frameLimits(40), 'ws://a')).toBe(true);
    expect(maySend('{"type":"action:result","payload":{"data":1}}', frameLimits(40), 'ws://a')).toBe(false);
    expect(warn.mock.calls[0]?.[0]).toMatch(
      /^\[OUI1301\] A frame of type "action:result" to ws:\/\/a was not sent: it is over 40 bytes/,
    );
  });
});
