import { IN_PAGE } from '../browser/fixtures/settle/patterns-in-page.js';
import { WITH_REQUESTS } from '../browser/fixtures/settle/patterns-requests.js';
import { play } from '../browser/fixtures/settle/play.js';

/** Plays each pattern of the corpus once in each mode. */
async function playAll(): Promise<{ pattern: string; track: boolean; answered: string; ms: number }[]> {
  const rows = [];
  for (const pattern of [...IN_PAGE, ...WITH_REQUESTS]) {
    for (const track of [false, true]) {
      const { answered, ms } = await play(pattern, { track });
      rows.push({ pattern: pattern.name, track, answered, ms });
    }
  }
  return rows;
}

Object.assign(globalThis, { playAll });
