const KEY = 'oui:paused:';

/**
 * Whether the user has paused or stopped agents in this tab: it stays so over reloads, until they resume.
 * @param sign Which `<oui-presence>` it was; by default those for the whole page.
 */
export function keptPause(sign = ''): 'paused' | 'stopped' | null {
  try {
    const kept = sessionStorage.getItem(KEY + sign);
    return kept === 'paused' || kept === 'stopped' ? kept : null;
  } catch {
    // No storage: then it ends with the document.
    return null;
  }
}

/** Remembers what the user has decided; `null` when they resume. */
export function keepPause(state: 'paused' | 'stopped' | null, sign = ''): void {
  try {
    if (state) sessionStorage.setItem(KEY + sign, state);
    else sessionStorage.removeItem(KEY + sign);
  } catch {
    // It holds in this document all the same.
  }
}
