import type { Schedule } from './schedule.js';

/** Days on which something once went wrong. They are played before any other. */
export const EXAMPLES: readonly Schedule[] = [
  // A new engine let a request that had waited for its user into the queue before the one that ran.
  {
    connection: 'engine',
    gated: false,
    commands: [
      { do: 'call', target: 'main-desk pay', wait: 0 },
      { do: 'call', target: 'main-desk work', wait: 6 },
      { do: 'decide', which: 0, answer: true, wait: 0 },
      { do: 'kill', noticedAfter: 0, hung: false, wait: 50 },
    ],
  },
  // The clock was set forward while the page was loaded anew: its journal had expired, and a job began again.
  {
    connection: 'engine',
    gated: false,
    commands: [
      { do: 'call', target: 'main-desk wait_for', wait: 2_500 },
      { do: 'reload', how: 'left', gap: 400, wait: 50 },
      { do: 'jump', whose: 'page', ms: 3_600_000, wait: 20_000 },
    ],
  },
  // A document came back and ran what its gate had not decided; the one meanwhile had answered it.
  {
    connection: 'engine',
    gated: true,
    commands: [
      { do: 'call', target: 'main-desk write', wait: 5 },
      { do: 'reload', how: 'cached', gap: 1, wait: 50 },
      { do: 'back', gap: 1, wait: 0 },
    ],
  },
  // A refusal that was lost came again with the surfaces as they had been, and took away one that was back.
  {
    connection: 'engine',
    gated: false,
    commands: [
      { do: 'unmount', surface: 'main-desk', wait: 0 },
      { do: 'fault', kind: 'lost', frame: 'to-agent action:result', ms: 1, wait: 0 },
      { do: 'call', target: 'main-desk write', wait: 50 },
      { do: 'mount', surface: 'main-desk', wait: 1 },
    ],
  },
  // The agent's clock was set back after its request, and the page's forward: the repeat seemed to be a new one.
  {
    connection: 'engine',
    gated: false,
    commands: [
      { do: 'call', target: 'main-desk write', wait: 0 },
      { do: 'jump', whose: 'agent', ms: -90_000, wait: 8 },
      { do: 'jump', whose: 'page', ms: 3_600_000, wait: 50 },
      { do: 'reload', how: 'crashed', gap: 1, wait: 50 },
    ],
  },
];
