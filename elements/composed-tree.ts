/** The nearest ancestor that passes the test, through slots and shadow roots: the way an event would go. */
export function closestComposed<T extends Node>(start: Node, test: (node: Node) => node is T): T | null {
  let node: Node | null = above(start);
  while (node && !test(node)) node = above(node);
  return node;
}

function above(node: Node): Node | null {
  return (node as Element).assignedSlot ?? node.parentNode ?? (node as ShadowRoot).host ?? null;
}
