import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as LIMITS from '../../src/protocol/limits.js';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

/** The text under a heading. */
function section(title: string): string {
  const [, rest = ''] = readme.split(`\n## ${title}\n`);
  return rest.split('\n## ')[0]!;
}

describe('the README', () => {
  it('publishes the promise of delivery, with the figures that the code keeps', () => {
    const promise = section('What is promised about delivery');
    expect(promise).toContain('starts at most once');
    expect(promise).toContain('arrives at least once');
    expect(promise).toContain('`details.ran: "unknown"`');
    expect(promise).toContain(`newest ${LIMITS.dedupeWindow} request ids`);
    expect(promise).toContain(`within ${LIMITS.keptMs / 60_000} minutes`);
    expect(promise).toContain(`longer than ${LIMITS.journalDataLength.toLocaleString('en')} characters`);
  });

  it('names the budget of a result', () => {
    expect(section('What you can rely on')).toContain(`within ${LIMITS.resultBytes / 1024} KiB`);
  });
});
