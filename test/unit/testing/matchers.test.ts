import { describe, expect, it } from 'vitest';
import { ouiMatchers } from '../../../src/entries/testing.js';

const ok = { success: true, data: { n: 1 } };
const bad = { success: false, error: { code: 'TIMEOUT', message: 'It took too long.' } };
const agent = {
  observation: (_surface: string, id: string) => (id === 'count' ? 3 : undefined),
  tools: () => [{ name: 'a__b' }],
};

describe('matchers', () => {
  const { toSucceed, toFailWith, toHaveObservation, toOffer } = ouiMatchers;

  it.each<[string, ReturnType<typeof toSucceed>, boolean]>([
    ['a success', toSucceed(ok), true],
    ['of an agent runtime', toSucceed({ requestId: 'r', result: ok }), true],
    ['with these data', toSucceed(ok, { n: 1 }), true],
    ['with other data', toSucceed(ok, { n: 2 }), false],
    ['with no data where some are wanted', toSucceed({ success: true }, undefined), false],
    ['a failure', toSucceed(bad), false],
    ['a failure with its code', toFailWith(bad, 'TIMEOUT'), true],
    ['with its message', toFailWith(bad, 'TIMEOUT', 'too long'), true],
    ['with a pattern', toFailWith(bad, 'TIMEOUT', /^It/), true],
    ['with another message', toFailWith(bad, 'TIMEOUT', 'short'), false],
    ['with another code', toFailWith(bad, 'ACTION_DENIED'), false],
    ['a success that should fail', toFailWith(ok, 'TIMEOUT'), false],
    ['an observation', toHaveObservation(agent, 's', 'count'), true],
    ['with its value', toHaveObservation(agent, 's', 'count', 3), true],
    ['said yes to', toHaveObservation(agent, 's', 'count', (value: number) => value > 2), true],
    ['with another value', toHaveObservation(agent, 's', 'count', 4), false],
    ['without a value', toHaveObservation(agent, 's', 'none'), false],
    ['a tool', toOffer(agent, 'a__b'), true],
    ['no tool', toOffer(agent, 'a__c'), false],
  ])('%s', (_what, { pass }, expected) => expect(pass).toBe(expected));

  it('say what came instead', () => {
    expect(toSucceed(bad).message()).toBe('The call was expected to succeed. It failed with TIMEOUT: It took too long.');
    expect(toFailWith(ok, 'TIMEOUT').message()).toBe('The call was expected to fail with TIMEOUT. It succeeded with {"n":1}.');
    expect(toHaveObservation(agent, 's', 'count', 4).message()).toBe(
      'The agent was expected to have s/count as 4. It has 3.',
    );
    expect(toOffer(agent, 'a__c').message()).toBe('The page was expected to offer a__c. It offers a__b.');
  });

  it('refuse what they are not for', () => {
    expect(() => toSucceed(Promise.resolve(ok))).toThrow('Has the call been awaited?');
    expect(() => toOffer(ok, 'a__b')).toThrow('toOffer is for an agent');
  });
});
