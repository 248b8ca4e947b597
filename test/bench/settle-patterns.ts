import { IN_PAGE } from '../browser/fixtures/settle/patterns-in-page.js';
import { WITH_REQUESTS } from '../browser/fixtures/settle/patterns-requests.js';
import { play } from '../browser/fixtures/settle/play.js';

/** A pattern that does not come to its end within this many ms does not work here; the others are still measured. */
const PATIENCE_MS = 10_000;

/** Plays each pattern of the corpus once in each mode. */
async function playAll(): Promise<{ pattern: string; track: boolean; answered: string; ms: number }[]> {
  const rows = [];
  for (const pattern of [...IN_PAGE, ...WITH_REQUESTS]) {
    for (const track of [false, true]) {
      const late = new Promise<{ answered: string; ms: number }>((resolve) => {
        setTimeout(() => resolve({ answered: 'no end', ms: PATIENCE_MS }), PATIENCE_MS);
      });
      const { answered, ms } = await Promise.race([play(pattern, { track }), late]);
      rows.push({ pattern: pattern.name, track, answered, ms });
    }
  }
  return rows;
}

Object.assign(globalThis, { playAll });
