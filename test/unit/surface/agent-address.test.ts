import { afterEach, describe, expect, it, vi } from 'vitest';
import { agentAddress } from '../../../src/surface/agent-address.js';

afterEach(() => vi.unstubAllGlobals());

describe('the address of the agent\'s side', () => {
  it.each([
    ['/oui/v1', 'wss://shop.example/oui/v1'],
    ['./agent?room=1', 'wss://shop.example/de/agent?room=1'],
    ['//agent.example/oui', 'wss://agent.example/oui'],
    ['https://agent.example/oui', 'wss://agent.example/oui'],
    ['HTTP://localhost:7410/oui', 'ws://localhost:7410/oui'],
    ['wss://agent.example', 'wss://agent.example'],
    ['agent.example/oui', 'agent.example/oui'],
    ['https://[', 'https://['],
  ])('on a page: %s is %s', (url, full) => {
    vi.stubGlobal('document', { baseURI: 'https://shop.example/de/cart.html' });
    expect(agentAddress(url)).toBe(full);
  });

  it('stays as it is where there is no page', () => {
    expect(agentAddress('/oui/v1')).toBe('/oui/v1');
  });
});
