import { describe, expect, it } from 'vitest';
import { checkWebSocketUrl } from '../../../src/transports/websocket-url.js';

const refused = (url: string, insecure = false): string => {
  try {
    checkWebSocketUrl(url, insecure);
  } catch (error) {
    return (error as Error).message;
  }
  return '';
};

describe('WebSocket URLs', () => {
  it.each([
    'wss://agent.example/oui/v1',
    'ws://localhost:7410/oui/v1',
    'ws://LOCALHOST/',
    'ws://app.localhost/',
    'ws://localhost./',
    'ws://127.0.0.1:7410/oui/v1',
    'ws://127.255.1.2/',
    'ws://127.1/',
    'ws://0x7f000001/',
    'ws://[::1]:7410/oui/v1',
  ])('lets %s through', (url) => expect(refused(url)).toBe(''));

  it.each([
    'ws://agent.example/oui/v1',
    'ws://192.168.0.2/',
    'ws://128.0.0.1/',
    'ws://localhost.example/',
    'ws://127.0.0.1.example/',
    'ws://notlocalhost/',
    'ws://[::2]/',
    'ws://0.0.0.0/',
  ])('refuses %s unless it is said to be insecure', (url) => {
    expect(refused(url)).toMatch(/not encrypted.*Use wss:\/\//);
    expect(refused(url, true)).toBe('');
  });

  it.each(['http://localhost/', 'ftp://x/', 'javascript:alert(1)'])('refuses %s, which is no WebSocket URL', (url) =>
    expect(refused(url, true)).toMatch(/is not a WebSocket URL/),
  );

  it.each(['/oui/v1', 'agent.example', ''])('refuses "%s", which is no absolute URL', (url) =>
    expect(refused(url, true)).toMatch(/is not a URL/),
  );
});
