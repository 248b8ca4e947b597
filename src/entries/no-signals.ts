/**
 * In the place of `@preact/signals-core` in the bundles for the script tag. Signals of a page track nothing of a copy
 * that is inside a bundle, and `oui.js` exports none of its own: there was nothing that an effect could follow. A
 * signal itself, a computed one too, is an observation's source by its `subscribe`, whatever copy it is of. Getters are
 * read again after each handler and when somebody looks, here as with signals.
 */
export function effect(run: () => void): () => void {
  run();
  return () => undefined;
}

export function untracked<T>(read: () => T): T {
  return read();
}
