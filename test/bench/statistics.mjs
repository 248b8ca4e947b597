/** The value below which `share` percent of the values lie. @param {readonly number[]} values @param {number} share */
export function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((share / 100) * sorted.length))];
}

/**
 * The fastest of several runs, in ms, after one that does not count: what else the machine does only makes it slower.
 *
 * @param {() => unknown} run
 */
export function fastestOf(run, runs = 15) {
  run();
  const times = Array.from({ length: runs }, () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  });
  return Math.min(...times);
}

/** The same for what ends later. @param {() => Promise<unknown>} run */
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
