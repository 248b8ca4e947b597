/** Something that cannot be drawn or done, with a code that programs can tell apart and a way out in words. */
export class ChartError extends Error {
  constructor(code, message) {
    super(message);
    this.name = 'ChartError';
    this.code = code;
  }
}
