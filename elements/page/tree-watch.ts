import type { Release } from '../../src/protocol/ports.js';

type Kind = 'structure' | 'content';

/** What of a tree is followed, each by one observer for all who ask. */
const KINDS: { readonly [kind in Kind]: MutationObserverInit } = {
  /** What comes and goes, and what is known by which id. */
  structure: { childList: true, subtree: true, attributes: true, attributeFilter: ['id', 'form', 'for'] },
  /** Everything. */
  content: { childList: true, subtree: true, attributes: true, characterData: true },
};

type Listener = (records: readonly MutationRecord[]) => void;

interface TreeWatch {
  readonly observer: MutationObserver;
  readonly listeners: Set<Listener>;
}

const watches: { readonly [kind in Kind]: WeakMap<Node, TreeWatch> } = {
  structure: new WeakMap(),
  content: new WeakMap(),
};

/** Follows the changes of a document or shadow root, until released. However many do, the browser is asked once. */
export function watchTree(root: Node, kind: Kind, listener: Listener): Release {
  let watch = watches[kind].get(root);
  if (!watch) {
    const listeners = new Set<Listener>();
    const observer = new MutationObserver((records) => {
      for (const each of [...listeners]) each(records);
    });
    observer.observe(root, KINDS[kind]);
    watch = { observer, listeners };
    watches[kind].set(root, watch);
  }
  const { observer, listeners } = watch;
  const own: Listener = (records) => listener(records);
  listeners.add(own);
  return () => {
    if (!listeners.delete(own) || listeners.size > 0) return;
    observer.disconnect();
    watches[kind].delete(root);
  };
}
