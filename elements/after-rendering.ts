/** This long (ms) after its document has loaded, what frameworks render and set is there. */
const RENDERED_MS = 1000;

/** Looks once the page's frameworks have had their turn, if the element is still there. */
export function afterRendering(element: Element, look: () => void): void {
  const { ownerDocument } = element;
  const wait = (): void => {
    setTimeout(() => {
      if (element.isConnected) look();
    }, RENDERED_MS);
  };
  if (ownerDocument.readyState === 'complete') wait();
  else ownerDocument.defaultView?.addEventListener('load', wait, { once: true });
}
