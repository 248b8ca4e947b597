import fc from 'fast-check';
import { EVENT, EXTENSION } from '../../src/protocol/events.js';
import { MAIN, SIDE, TARGETS } from './surfaces.js';

/** One thing that happens, and how long nothing else does after it (ms). `which` picks among what there is. */
export type Command = { readonly wait: number } & (
  /** The agent calls an action. */
  | { readonly do: 'call'; readonly target: string }
  /** A request from an agent's end without a runtime behind it: nothing keeps its requests apart. */
  | { readonly do: 'raw'; readonly target: string }
  /** The page calls an action of its own. */
  | { readonly do: 'execute'; readonly target: string }
  /** A request that was sent before arrives again. */
  | { readonly do: 'repeat'; readonly which: number }
  | { readonly do: 'cancel'; readonly which: number }
  /** Something happens to the next frame of this type, or to the next of any. */
  | { readonly do: 'fault'; readonly kind: 'lost' | 'twice' | 'late'; readonly frame: string; readonly ms: number }
  | { readonly do: 'cut'; readonly backAfter: number; readonly noticedAfter: number }
  /** The worker dies. */
  | { readonly do: 'kill'; readonly noticedAfter: number; readonly hung: boolean }
  /** Page and engine hear each other late. */
  | { readonly do: 'slow'; readonly way: 'to-engine' | 'to-page'; readonly ms: number }
  /** The tab gets its next document. `cached`: the one before waits in the back/forward cache. */
  | { readonly do: 'reload'; readonly how: 'left' | 'crashed' | 'cached'; readonly gap: number }
  /** The cached document comes back, and the present one is gone. */
  | { readonly do: 'back'; readonly gap: number }
  | { readonly do: 'unmount' | 'mount'; readonly surface: string }
  | { readonly do: 'finish'; readonly which: number; readonly how: 'value' | 'throw' }
  /** Work that goes on outside of the page is done; `told`: the page hears of it by an event. */
  | { readonly do: 'end-job'; readonly which: number; readonly told: boolean }
  | { readonly do: 'decide'; readonly which: number; readonly answer: boolean | null }
  | { readonly do: 'pause' | 'stop' | 'resume' }
  /** The page's gate opens or closes. */
  | { readonly do: 'gate'; readonly open: boolean }
  /** A clock of somebody's is set. */
  | { readonly do: 'jump'; readonly whose: 'page' | 'agent'; readonly ms: number }
  | { readonly do: 'nothing' }
);

/** A bad day: who owns the connection, and what happens one thing after the other. */
export interface Schedule {
  /** The engine's host owns the connection, as a worker does; or the page does. */
  readonly connection: 'engine' | 'page';
  /** The page has an accept gate. */
  readonly gated: boolean;
  readonly commands: readonly Command[];
}

/** As `way type`; without a type, any of that way. */
const FAULTY_FRAMES = [
  'to-page',
  'to-agent',
  `to-page ${EVENT.request}`,
  `to-page ${EXTENSION.ack}`,
  `to-agent ${EVENT.result}`,
  `to-agent ${EVENT.result}`,
  `to-agent ${EXTENSION.receipt}`,
];

/** Mostly short: what goes wrong goes wrong while something is under way. */
const wait = fc.oneof(
  { weight: 4, arbitrary: fc.constant(0) },
  { weight: 4, arbitrary: fc.constantFrom(1, 3, 5, 8) },
  { weight: 3, arbitrary: fc.constantFrom(50, 300, 700) },
  { weight: 2, arbitrary: fc.constantFrom(2_500, 6_000, 11_000) },
  { weight: 1, arbitrary: fc.constantFrom(20_000, 40_000) },
);
const which = fc.nat({ max: 3 });
const target = fc.constantFrom(...TARGETS);
const surface = fc.constantFrom(MAIN, MAIN, SIDE);
const backAfter = fc.constantFrom(0, 5, 5, 300, 2_000, 20_000);
const jump = fc.constantFrom(-90_000, -50, 700, 3_600_000);
const gap = fc.constantFrom(1, 400, 5_000);
const noticedAfter = fc.constantFrom(0, 1, 50, 3_000);

const weighted = (weight: number, does: Command['do'] | readonly Command['do'][], members: object = {}) => ({
  weight,
  arbitrary: fc.record({ do: fc.constantFrom(...(typeof does === 'string' ? [does] : does)), ...members, wait }),
});

const command = fc.oneof(
  weighted(10, 'call', { target }),
  weighted(3, 'raw', { target }),
  weighted(2, 'execute', { target }),
  weighted(3, 'repeat', { which }),
  weighted(1, 'cancel', { which }),
  weighted(4, 'fault', {
    kind: fc.constantFrom('lost', 'twice', 'late'),
    frame: fc.constantFrom(...FAULTY_FRAMES),
    ms: fc.constantFrom(1, 40, 1_200, 9_000),
  }),
  weighted(3, 'cut', { backAfter, noticedAfter }),
  weighted(3, 'kill', { noticedAfter, hung: fc.boolean() }),
  weighted(3, 'slow', { way: fc.constantFrom('to-engine', 'to-page'), ms: fc.constantFrom(2, 30, 2_000) }),
  weighted(3, 'reload', { how: fc.constantFrom('left', 'crashed', 'cached'), gap }),
  weighted(1, 'back', { gap }),
  weighted(4, ['unmount', 'mount', 'mount'], { surface }),
  weighted(6, 'finish', { which, how: fc.constantFrom('value', 'value', 'throw') }),
  weighted(3, 'end-job', { which, told: fc.boolean() }),
  weighted(3, 'decide', { which, answer: fc.constantFrom(true, true, false, null) }),
  weighted(2, ['pause', 'stop', 'resume', 'resume']),
  weighted(1, 'gate', { open: fc.boolean() }),
  weighted(1, 'jump', { whose: fc.constantFrom('page', 'agent'), ms: jump }),
  weighted(2, 'nothing'),
) as unknown as fc.Arbitrary<Command>;

export const schedules: fc.Arbitrary<Schedule> = fc.record({
  connection: fc.constantFrom('engine', 'page'),
  gated: fc.constantFrom(false, false, true),
  commands: fc.array(command, { minLength: 1, maxLength: 24, size: 'max' }),
});

/** A schedule as it can be read, and pasted into a test. */
export function scheduleText({ connection, gated, commands }: Schedule): string {
  const lines = commands.map((each) => `    ${JSON.stringify(each)},`);
  const head = ['{', `  connection: '${connection}',`, `  gated: ${gated},`, '  commands: ['];
  return [...head, ...lines, '  ],', '}'].join('\n');
}
