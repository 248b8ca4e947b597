import type { Release } from '../protocol/ports.js';

/**
 * Tells when an element has been taken out of its document, put back, or moved, which loads a frame anew. Nothing else
 * says so everywhere: a removed frame's port is closed with an event in some browsers and without a word in others.
 *
 * Each tree in which it stands is watched, from its own root to the document: an observer sees no changes inside of
 * shadow roots, nor what happens around them from within. A look costs one property.
 */
export function watchPlace(element: Element, changed: () => void): Release {
  const observer = new MutationObserver(() => {
    if (element.getRootNode() !== root || !element.isConnected) observe();
    changed();
  });
  let root: Node | undefined;
  const observe = (): void => {
    observer.disconnect();
    root = element.getRootNode();
    for (let tree: Node | null = root; tree; tree = hostRoot(tree)) observer.observe(tree, { childList: true, subtree: true });
    // Where it stands alone, its document is where it will be put back.
    observer.observe(element.ownerDocument, { childList: true, subtree: true });
  };
  observe();
  return () => observer.disconnect();
}

/** Told by its kind of node: a shadow root that another document has adopted keeps the class of its first window. */
function hostRoot(tree: Node): Node | null {
  const isFragment = tree.nodeType === Node.DOCUMENT_FRAGMENT_NODE;
  return (isFragment && (tree as Partial<ShadowRoot>).host?.getRootNode()) || null;
}
