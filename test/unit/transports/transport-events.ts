import type { Transport, TransportState } from '../../../src/protocol/ports.js';

/** Everything a transport reported, in order, and waiting for more of it. */
export interface TransportRecord {
  readonly messages: unknown[];
  readonly states: { state: TransportState; reason: string | undefined }[];
  /** Resolves with the messages when there are at least `count`. */
  whenMessages(count: number): Promise<unknown[]>;
  /** Resolves when the newest state is this one. */
  whenState(state: TransportState): Promise<string | undefined>;
}

export function recordTransport(transport: Transport): TransportRecord {
  const messages: unknown[] = [];
  const states: TransportRecord['states'] = [];
  const checks = new Set<() => void>();
  const recheck = (): void => {
    for (const check of checks) check();
  };
  transport.onEvent((message) => {
    messages.push(message);
    recheck();
  });
  transport.onState((state, reason) => {
    states.push({ state, reason });
    recheck();
  });
  const when = <T>(read: () => T | undefined): Promise<T> =>
    new Promise((resolve) => {
      const check = (): void => {
        const found = read();
        if (found === undefined) return;
        checks.delete(check);
        resolve(found);
      };
      checks.add(check);
      check();
    });
  return {
    messages,
    states,
    whenMessages: (count) => when(() => (messages.length >= count ? messages : undefined)),
    async whenState(state) {
      await when(() => (transport.state === state ? true : undefined));
      return states.at(-1)?.reason;
    },
  };
}
