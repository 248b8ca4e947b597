/** The value below which `share` percent of the values lie. @param {readonly number[]} values @param {number} share */
export function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((share / 100) * sorted.length))];
}

/**
 * The processor time of the fastest of several runs, in ms, after one that does not count: what else the machine does
 * is not in it.
 *
 * @param {() => unknown} run
 */
export function fastestOf(run, runs = 9) {
  run();
  const times = Array.from({ length: runs }, () => {
    const start = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1_000;
  });
  return Math.min(...times);
}

/** The fastest of what ends later, ms on the clock. @param {() => Promise<unknown>} run */
export async function fastestOfAsync(run, runs = 15) {
  await run();
  const times = [];
  for (let index = 0; index < runs; index++) {
    const start = performance.now();
    await run();
    times.push(performance.now() - start);
  }
  return Math.min(...times);
}
