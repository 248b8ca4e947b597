import type { Release } from '../src/protocol/ports.js';

export interface HeartbeatPorts {
  /** Resolves when the worker answers. May stay pending for ever. */
  ping(): Promise<unknown>;
  setTimer(ms: number, callback: () => void): Release;
  /** How long a worker that owes something may be silent, ms. */
  readonly silenceMs: number;
  /** Ping also while nothing is owed: where there is no other way to notice that the worker has died. */
  readonly always: boolean;
  /** The worker answers no more. Called once; the heartbeat has stopped then. */
  dead(): void;
}

export interface Heartbeat {
  /** The worker was given something to do. */
  expect(): void;
  /** Something came from the worker. */
  heard(): void;
  stop(): void;
}

/** A rest, then pings that must all stay unanswered. */
const PINGS = 3;
const STEPS = PINGS + 1;

/**
 * Tells a worker that hangs from one that has nothing to say: by pings, and only while it owes something.
 *
 * What it must get right:
 * - A worker in an endless loop is found `silenceMs` after it was given the work.
 * - A page's timers can be late, because its thread was busy, its tab hidden or the machine asleep, and what the worker
 *   answered is then still waiting to be read. A late timer must not condemn a healthy worker.
 *
 * Hence three pings, each sent when the wait for the one before has passed: a page that slept through one wait sends
 * the next ping after it woke, and has that wait to read the answer.
 */
export function startHeartbeat(ports: HeartbeatPorts): Heartbeat {
  let owing = false;
  let running = false;
  let stopped = false;
  let unanswered = 0;
  let newest = 0;
  let releaseTimer: Release = () => undefined;

  const rest = (): void => {
    running = true;
    unanswered = 0;
    releaseTimer = ports.setTimer(ports.silenceMs / STEPS, beat);
  };
  const beat = (): void => {
    if (unanswered === PINGS) {
      stop();
      ports.dead();
      return;
    }
    unanswered += 1;
    newest += 1;
    const ping = newest;
    owing = false;
    ports.ping().then(
      () => answered(ping),
      () => undefined,
    );
    releaseTimer = ports.setTimer(ports.silenceMs / STEPS, beat);
  };
  const answered = (ping: number): void => {
    if (stopped || !running) return;
    releaseTimer();
    // An answer to an older ping says nothing about what came after it.
    if (owing || ports.always || ping !== newest) rest();
    else running = false;
  };
  const stop = (): void => {
    stopped = true;
    releaseTimer();
  };

  if (ports.always) rest();
  return {
    expect() {
      owing = true;
      if (!running && !stopped) rest();
    },
    heard() {
      unanswered = 0;
    },
    stop,
  };
}
