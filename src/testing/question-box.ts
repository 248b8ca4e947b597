import type { ApprovalRequest } from '../protocol/approval.js';

/** The user of a page under test: the questions that are put to them, and their answers. */
export interface QuestionBox {
  /** The option `approve` of a runtime. */
  ask(request: ApprovalRequest, signal: AbortSignal): Promise<boolean | null>;
  /** Answers the oldest question, or the next one that comes. @returns what was asked */
  answer(yes: boolean): Promise<ApprovalRequest>;
  open(): readonly ApprovalRequest[];
}

interface Question {
  readonly request: ApprovalRequest;
  readonly decide: (answer: boolean | null) => void;
}

export function createQuestionBox(): QuestionBox {
  const asked: Question[] = [];
  const answers: ((question: Question) => void)[] = [];
  return {
    ask: (request, signal) =>
      new Promise((decide) => {
        const question = { request, decide };
        const waiting = answers.shift();
        if (waiting) return waiting(question);
        asked.push(question);
        signal.addEventListener('abort', () => {
          const at = asked.indexOf(question);
          if (at >= 0) asked.splice(at, 1);
          decide(null);
        });
      }),
    async answer(yes) {
      const question = asked.shift() ?? (await new Promise<Question>((resolve) => answers.push(resolve)));
      question.decide(yes);
      return question.request;
    },
    open: () => asked.map(({ request }) => request),
  };
}
