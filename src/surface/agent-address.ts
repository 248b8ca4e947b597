/** What counts from the page's own address, and what is an address of the web's. All else is written in full. */
const OF_PAGE_OR_WEB = /^(\.{0,2}\/|https?:)/i;

/**
 * The WebSocket address of the agent's side in full. On a page `/oui/v1` counts from its own address, as in a link, and
 * `http` stands for `ws`. What is no address stays as it is: the connection says what is wrong with it.
 */
export function agentAddress(url: string): string {
  if (typeof document === 'undefined' || !OF_PAGE_OR_WEB.test(url)) return url;
  try {
    return new URL(url, document.baseURI).href.replace(/^http/, 'ws');
  } catch {
    return url;
  }
}
