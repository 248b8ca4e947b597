import type { TokenAnswer } from './port-messages.js';

/** The worker's side of the page's token provider. */
export interface TokenQuestions {
  /** Rejects with the reason when the provider failed. Whoever asks has a deadline of its own. */
  ask(): Promise<string>;
  answer(answer: TokenAnswer): void;
}

/** One question at a time: who asks again has given up the one before. */
export function createTokenQuestions(ask: (id: number) => void): TokenQuestions {
  let last = 0;
  let settle: { resolve(token: string): void; reject(error: Error): void } | undefined;
  return {
    ask() {
      last += 1;
      ask(last);
      return new Promise((resolve, reject) => {
        settle = { resolve, reject };
      });
    },
    answer(answer) {
      if (answer.id !== last) return;
      if ('token' in answer) settle?.resolve(answer.token);
      else settle?.reject(new Error(answer.failed));
      settle = undefined;
    },
  };
}
