/** An observation could not be read. `code` is one of the protocol's error codes, or one of the page's own. */
export class AgentReadError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'AgentReadError';
    this.code = code;
  }
}
