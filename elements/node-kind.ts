/*
 * What a value of the DOM is, whichever window made it: every window has classes of its own, and an element that another
 * document has adopted stays one of those it was made with.
 */

export function isElement(value: unknown): value is Element {
  return (value as Partial<Node> | null | undefined)?.nodeType === 1;
}

export function isShadowRoot(value: unknown): value is ShadowRoot {
  const { nodeType, host } = (value ?? {}) as Partial<ShadowRoot>;
  return nodeType === 11 && host !== undefined;
}

export function isFile(value: unknown): value is File {
  return Object.prototype.toString.call(value) === '[object File]';
}
