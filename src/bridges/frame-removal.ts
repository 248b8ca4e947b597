import type { Release } from '../protocol/ports.js';

/**
 * Tells when an element has been taken out of its document, put back, or moved, which loads a frame anew. Nothing else
 * says so everywhere: a removed frame's port is closed with an event in some browsers and without a word in others.
 *
 * Each tree in which it stands is watched, from its own root to the document: an observer sees no changes inside of
 * shadow roots, nor what happens around them from within.
 */
export function watchPlace(element: Element, changed: () => void): Release {
  const observer = new MutationObserver(() => {
    const trees = treesOf(element);
    // A host around it may have been moved, and it with it.
    if (trees.length !== watched.length || trees.some((tree, index) => tree !== watched[index])) observe();
    changed();
  });
  let watched: readonly Node[] = [];
  const observe = (): void => {
    observer.disconnect();
    watched = treesOf(element);
    for (const tree of watched) observer.observe(tree, { childList: true, subtree: true });
  };
  observe();
  return () => observer.disconnect();
}

/** Every tree around an element; its document too where it stands alone: there it will be put back. */
function treesOf(element: Element): Node[] {
  const trees: Node[] = [];
  for (let tree: Node | null = element.getRootNode(); tree; tree = hostRoot(tree)) trees.push(tree);
  const { ownerDocument } = element;
  return trees.includes(ownerDocument) ? trees : [...trees, ownerDocument];
}

/** Told by its kind of node: a shadow root that another document has adopted keeps the class of its first window. */
function hostRoot(tree: Node): Node | null {
  const isFragment = tree.nodeType === Node.DOCUMENT_FRAGMENT_NODE;
  return (isFragment && (tree as Partial<ShadowRoot>).host?.getRootNode()) || null;
}
