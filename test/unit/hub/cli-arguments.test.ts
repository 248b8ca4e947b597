import { describe, expect, it } from 'vitest';
import { readAddress, readCommandLine, readFolder, readHubOptions } from '../../../src/hub/cli-arguments.js';
import { ADDRESS_OPTIONS, HUB_OPTIONS } from '../../../src/hub/cli-arguments.js';
import { readParams } from '../../../src/hub/cli-call.js';

describe('the hub\'s address', () => {
  const read = (args: string[], env: Record<string, string> = {}) =>
    readAddress('ls', readCommandLine('ls', args, ADDRESS_OPTIONS), env);

  it('is 127.0.0.1:7410, the environment\'s, or the command line\'s', () => {
    expect(read([])).toEqual({ port: 7410, host: '127.0.0.1' });
    expect(read([], { OUI_HUB_PORT: '8000', OUI_HUB_HOST: '::1' })).toEqual({ port: 8000, host: '::1' });
    expect(read(['--port', '9000'], { OUI_HUB_PORT: '8000' })).toEqual({ port: 9000, host: '127.0.0.1' });
  });

  it.each([['--port', 'x'], ['--port', '70000'], ['--port=-1'], ['--port', '1.5']])('refuses %j', (...args) => {
    expect(() => read(args)).toThrow(/--port .* is no port/);
  });

  it('names the variable when that is wrong', () => {
    expect(() => read([], { OUI_HUB_PORT: 'x' })).toThrow(/OUI_HUB_PORT "x" is no port/);
  });

  it('names an option that there is not', () => expect(() => read(['--prot', '1'])).toThrow(/--prot/));
});

it('reads the hub\'s options and refuses malformed origins', () => {
  const read = (args: string[]) => readHubOptions('hub', readCommandLine('hub', args, HUB_OPTIONS), {});
  const line = ['--allow-origin', 'https://a.example', '--allow-origin', 'https://b.example', '--serve', 'demo:/x'];
  expect(read(line)).toMatchObject({
    allowOrigin: ['https://a.example', 'https://b.example'],
    static: [{ folder: 'demo', prefix: '/x' }],
  });
  expect(() => read(['--allow-origin', 'a.example'])).toThrow(/not an exact origin/);
});

it('lets pages without an origin in only by a token', () => {
  const read = (args: string[], env = {}) => readHubOptions('hub', readCommandLine('hub', args, HUB_OPTIONS), env);
  expect(read([]).allowOpaqueOrigin).toBe(false);
  expect(() => read(['--allow-opaque-origin'])).toThrow(/oui hub: allowOpaqueOrigin needs a token/);
  expect(read(['--allow-opaque-origin', '--token', 'mine']).allowOpaqueOrigin).toBe(true);
  expect(read(['--allow-opaque-origin'], { OUI_HUB_TOKEN: 'mine' }).allowOpaqueOrigin).toBe(true);
});

it('reads folders with and without a prefix', () => {
  expect(readFolder('demo')).toEqual({ folder: 'demo' });
  expect(readFolder('./a/b:/demo')).toEqual({ folder: './a/b', prefix: '/demo' });
  expect(readFolder('C:/site')).toEqual({ folder: 'C:/site' });
  expect(readFolder('C:\\site:/x')).toEqual({ folder: 'C:\\site', prefix: '/x' });
});

describe('a call\'s arguments', () => {
  const schema = {
    type: 'object',
    properties: { title: { type: 'string' }, count: { type: 'integer' }, tags: { type: 'array' } },
  };

  it('are one JSON object', () => {
    expect(readParams(['{"title":"a=b"}'], schema)).toEqual({ title: 'a=b' });
    expect(readParams([], schema)).toEqual({});
    expect(() => readParams(['{"title":'], schema)).toThrow(/not JSON/);
  });

  it('or key=value, read as the schema wants', () => {
    expect(readParams(['title=42', 'count=42', 'tags=["a"]', 'free=true', 'other=x=y'], schema)).toEqual({
      title: '42',
      count: 42,
      tags: ['a'],
      free: true,
      other: 'x=y',
    });
    expect(() => readParams(['title'], schema)).toThrow(/"title" is neither/);
  });

  it('never write a prototype', () => {
    const params = readParams(['__proto__={"polluted":true}'], schema);
    expect(Object.getPrototypeOf(params)).toBe(Object.prototype);
    expect(Object.hasOwn(params, '__proto__')).toBe(true);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});
