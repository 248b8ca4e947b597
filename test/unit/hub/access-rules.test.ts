import { describe, expect, it } from 'vitest';
import {
  checkAllowedHosts,
  checkAllowedOrigins,
  checkOpaqueOrigin,
  isHostAllowed,
  isLoopbackName,
  isOriginAllowed,
  isPeerAllowed,
} from '../../../src/hub/access-rules.js';
import type { AccessRules } from '../../../src/hub/access-rules.js';

const LOCAL: AccessRules = { bindHost: '127.0.0.1', allowOrigin: [], allowHost: [], allowOpaqueOrigin: false };

describe('isOriginAllowed', () => {
  it.each([
    'http://localhost',
    'http://localhost:3000',
    'https://localhost:8443',
    'http://127.0.0.1:5173',
    'http://127.1.2.3',
    'http://[::1]:8080',
    'http://todo.localhost:3000',
  ])('lets the loopback origin %s in', (origin) => expect(isOriginAllowed(origin, LOCAL)).toBe(true));

  it('lets in what is no browser', () => expect(isOriginAllowed(undefined, LOCAL)).toBe(true));

  it.each([
    'https://evil.example',
    'null',
    '',
    'http://localhost.evil.example',
    'http://evil-localhost',
    'http://127.0.0.1.evil.example',
    'http://1270.0.0.1',
    'file://',
    'chrome-extension://abc',
    'http://localhost/',
    'HTTP://LOCALHOST',
    'http://user@localhost',
  ])('refuses %j', (origin) => expect(isOriginAllowed(origin, LOCAL)).toBe(false));

  it('lets in exactly what was allowed', () => {
    const rules = { ...LOCAL, allowOrigin: ['https://app.example'] };
    expect(isOriginAllowed('https://app.example', rules)).toBe(true);
    expect(isOriginAllowed('http://app.example', rules)).toBe(false);
    expect(isOriginAllowed('https://app.example:8443', rules)).toBe(false);
    expect(isOriginAllowed('https://sub.app.example', rules)).toBe(false);
  });
});

describe('pages without an origin of their own', () => {
  const rules = { ...LOCAL, allowOpaqueOrigin: true };

  it('are let in where that was allowed, and nobody else is by that', () => {
    expect(isOriginAllowed('null', rules)).toBe(true);
    expect(isOriginAllowed('NULL', rules)).toBe(false);
    expect(isOriginAllowed('https://evil.example', rules)).toBe(false);
    expect(isOriginAllowed('', rules)).toBe(false);
    expect(isHostAllowed('null', rules)).toBe(false);
  });

  it('need a token', () => {
    expect(() => checkOpaqueOrigin(true, false)).toThrow(/allowOpaqueOrigin needs a token.*authenticate.*--token/);
    expect(() => checkOpaqueOrigin(true, true)).not.toThrow();
    expect(() => checkOpaqueOrigin(false, false)).not.toThrow();
  });
});

describe('isHostAllowed', () => {
  it.each(['localhost:7410', '127.0.0.1:7410', '[::1]:7410', 'LOCALHOST', 'hub.localhost:1'])('accepts %s', (host) =>
    expect(isHostAllowed(host, LOCAL)).toBe(true),
  );

  it.each([
    undefined,
    '',
    'evil.example',
    'evil.example:7410',
    '10.0.0.5:7410',
    'localhost@evil.example',
    'a b',
    'x/y',
  ])('refuses %j', (host) => expect(isHostAllowed(host, LOCAL)).toBe(false));

  it('accepts the address it listens on, and by address when it listens everywhere', () => {
    expect(isHostAllowed('192.168.1.7:7410', { ...LOCAL, bindHost: '192.168.1.7' })).toBe(true);
    expect(isHostAllowed('192.168.1.7:7410', { ...LOCAL, bindHost: '0.0.0.0' })).toBe(true);
    expect(isHostAllowed('rebound.example:7410', { ...LOCAL, bindHost: '0.0.0.0' })).toBe(false);
  });

  it('accepts names that were allowed, and those of allowed origins', () => {
    expect(isHostAllowed('hub.example', { ...LOCAL, allowHost: ['hub.example'] })).toBe(true);
    expect(isHostAllowed('app.example:443', { ...LOCAL, allowOrigin: ['https://app.example'] })).toBe(true);
    expect(isHostAllowed('other.example', { ...LOCAL, allowHost: ['hub.example'] })).toBe(false);
  });
});

describe('isPeerAllowed', () => {
  it.each(['127.0.0.1', '::1', '::ffff:127.0.0.1'])('lets %s reach a hub of this machine', (address) =>
    expect(isPeerAllowed(address, LOCAL)).toBe(true),
  );
  it.each(['192.168.1.7', '::ffff:10.0.0.1', 'fe80::1', undefined])('keeps %s out of it', (address) =>
    expect(isPeerAllowed(address, LOCAL)).toBe(false),
  );
  it('lets others in where the hub listens to others', () =>
    expect(isPeerAllowed('192.168.1.7', { ...LOCAL, bindHost: '0.0.0.0' })).toBe(true));
});

describe('what somebody allowed', () => {
  it('says what is wrong with an origin and how to write it', () => {
    expect(() => checkAllowedOrigins(['https://app.example/'])).toThrow(/"https:\/\/app\.example\/".*no path/);
    expect(() => checkAllowedOrigins(['app.example'])).toThrow(/not an exact origin/);
    expect(() => checkAllowedOrigins(['*'])).toThrow(/not an exact origin/);
    expect(() => checkAllowedOrigins(['null'])).toThrow(/not an exact origin.*--allow-opaque-origin/);
    expect(() => checkAllowedOrigins(['https://app.example:8443', 'http://10.0.0.1'])).not.toThrow();
  });
  it('says what is wrong with a host name', () => {
    expect(() => checkAllowedHosts(['https://hub.example'])).toThrow(/bare/);
    expect(() => checkAllowedHosts(['hub.example'])).not.toThrow();
  });
});

it('knows loopback names', () => {
  expect(isLoopbackName('localhost')).toBe(true);
  expect(isLoopbackName('mylocalhost')).toBe(false);
  expect(isLoopbackName('128.0.0.1')).toBe(false);
});
