/** What `connect` of a transport gives out: settled once, by the first connection or by the end of waiting for it. */
export interface Opening {
  readonly promise: Promise<void>;
  resolve(): void;
  reject(reason: Error): void;
}

export function createOpening(): Opening {
  let settle!: Pick<Opening, 'resolve' | 'reject'>;
  const promise = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject };
  });
  // Whoever watches `onState` only must not meet an unhandled rejection.
  promise.catch(() => undefined);
  return { promise, ...settle };
}
