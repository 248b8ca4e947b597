/** Every text of `<oui-presence>`, for translations. */
export interface PresenceTexts {
  /** What the sign is, for screen readers. */
  label: string;
  /** An agent is connected, and does nothing. */
  connected: string;
  /** It does this. `action`: its title, else its id. */
  acting(action: string): string;
  /** The user is being asked about this. */
  asking(action: string): string;
  /** This has just ended, well or not. */
  ended(action: string): string;
  /** So many actions run beside the one that is named. */
  more(count: number): string;
  /** In place of an action's title: the agent reads definitions or observations. */
  reading: string;
  /** Nothing new may start. */
  paused: string;
  /** What ran was ended, too. */
  stopped: string;
  /** Nothing new may start, but this had started before. */
  stillRunning(action: string): string;
  pause: string;
  stop: string;
  resume: string;
  /** What the buttons do, in more words. */
  pauseHint: string;
  stopHint: string;
  resumeHint: string;
  /** Said by screen readers when an agent begins to act, now and then. */
  spokenActing(action: string): string;
  /** Said when it has happened. */
  spokenPaused: string;
  spokenStopped: string;
  spokenResumed: string;
}

/** The texts where none are given. */
export const ENGLISH: PresenceTexts = {
  label: 'Agents on this page',
  connected: 'Agent connected',
  acting: (action) => `Agent: ${action}`,
  asking: (action) => `Agent asks: ${action}`,
  ended: (action) => `Agent: ${action}, ended`,
  more: (count) => `and ${count} more`,
  reading: 'reads this page',
  paused: 'Agents paused',
  stopped: 'Agents stopped',
  stillRunning: (action) => `Paused, still running: ${action}`,
  pause: 'Pause',
  stop: 'Stop',
  resume: 'Resume',
  pauseHint: 'Refuse what agents ask for from now on. What runs goes on.',
  stopHint: 'End what agents are doing, and refuse what they ask for from now on.',
  resumeHint: 'Let agents act again.',
  spokenActing: (action) => `An agent is acting: ${action}`,
  spokenPaused: 'Agents are paused.',
  spokenStopped: 'Agents are stopped.',
  spokenResumed: 'Agents may act again.',
};
