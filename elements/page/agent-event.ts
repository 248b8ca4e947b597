/** What came of an event that an agent's call has caused. */
export interface Caused {
  /** The `submit` event, when there was one. */
  readonly submit: Event | undefined;
  /** What a listener of the page answered, if any. */
  readonly answer: { readonly value: unknown } | undefined;
}

/**
 * Does something to the page that fires `click` and `submit` events. Listeners of these find what WebMCP gives them:
 * `event.agentInvoked` is `true`, and `event.respondWith(value)` answers the agent, with a value or a promise of one.
 * Of several answers the first counts. As in WebMCP, a `submit` must be prevented first, since it would leave the page.
 */
export function withAgentEvents(target: Element, act: () => void): Caused {
  let submit: Event | undefined;
  let answer: Caused['answer'];
  let open = true;
  const prepare = (event: Event): void => {
    if (event.type === 'submit') submit ??= event;
    const respondWith = (value: unknown): void => {
      if (!open) {
        throw new DOMException('respondWith() came too late: call it while the event is dispatched, with a promise if '
          + 'the work takes time.', 'InvalidStateError');
      }
      if (event.type === 'submit' && !event.defaultPrevented) {
        throw new DOMException('Call event.preventDefault() before event.respondWith(): the form would leave the page.',
          'InvalidStateError');
      }
      // It is awaited a little later; until then a rejection must not count as unhandled.
      if (value instanceof Promise) value.catch(() => {});
      answer ??= { value };
    };
    // The event's own members, before those that the browser may have: to the browser this is no agent's doing.
    Object.defineProperties(event, {
      agentInvoked: { value: true, configurable: true },
      respondWith: { value: respondWith, configurable: true },
    });
  };
  const root = target.getRootNode();
  for (const type of ['click', 'submit']) root.addEventListener(type, prepare, true);
  try {
    act();
  } finally {
    open = false;
    for (const type of ['click', 'submit']) root.removeEventListener(type, prepare, true);
  }
  return { submit, answer };
}
