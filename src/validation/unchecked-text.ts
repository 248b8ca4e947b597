/** A text was too long for a pattern that may take for ever: whether it fits is not known. */
export class UncheckedTextError extends Error {
  override readonly name = 'UncheckedTextError';
}

/** Told by its name: in a worker patterns are matched by another file, which has a class of its own. */
export function isUncheckedText(error: unknown): error is UncheckedTextError {
  return error instanceof Error && error.name === 'UncheckedTextError';
}
