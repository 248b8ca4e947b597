/** What an error says, whatever was thrown. Never its stack. */
export function messageOf(error: unknown): string {
  try {
    const { message } = (error ?? {}) as { message?: unknown };
    return typeof message === 'string' && message !== '' ? message : String(error);
  } catch {
    return 'an error that cannot be put into words';
  }
}
