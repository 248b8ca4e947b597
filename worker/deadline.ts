/**
 * Rejects with `reason` when `promise` has not settled within `ms`.
 *
 * Counted in three steps. While the page's thread is busy, say with its own start, its timer and the answer it waits
 * for are both held up, and the timer may come first: the next step then lets the answer in.
 */
export function withDeadline<T>(promise: Promise<T>, ms: number, reason: string): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    let stepsLeft = STEPS;
    let timer: ReturnType<typeof setTimeout>;
    const step = (): void => {
      if (stepsLeft === 0) {
        reject(new Error(reason));
        return;
      }
      stepsLeft -= 1;
      timer = setTimeout(step, ms / STEPS);
    };
    step();
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

const STEPS = 3;
