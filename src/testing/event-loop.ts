/** Taken at the start: a test may put timers of its own in their place. */
const setHostTimer = globalThis.setTimeout;

/** So many turns let promises, frameworks' schedulers and message channels do what is due. */
const TURNS = 5;

/** One turn of the event loop, which no fake timers hold up. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/** What follows from what has happened has happened, as far as it takes no time. */
export async function consequences(): Promise<void> {
  for (let count = 0; count < TURNS; count++) await turn();
}

/** Real ms. */
export function realTime(ms: number): Promise<void> {
  return new Promise((resolve) => void setHostTimer(resolve, ms));
}
