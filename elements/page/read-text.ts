/** What is never read: no text of the page, all that could be chosen or was there before, or not for an agent. */
const UNREAD = 'script,style,template,noscript,select,datalist,textarea,[hidden],[data-oui-private]';

/** Elements whose text stands by itself: `<td>a</td><td>b</td>` is no `ab`. */
const BLOCKS = new Set(('address article aside blockquote br caption dd details dialog div dl dt fieldset figcaption '
  + 'figure footer form h1 h2 h3 h4 h5 h6 header hr legend li main menu nav ol optgroup option p pre section summary '
  + 'table tbody td tfoot th thead tr ul').split(' '));

/** White space as HTML shows it: one space in place of each run, none at the ends. */
export function collapse(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Whether an element, or something around it, through shadow roots too, is not for agents. */
export function isPrivate(element: Element): boolean {
  for (let at: Element | undefined = element; at; at = (at.getRootNode() as Partial<ShadowRoot>).host) {
    if (at.closest('[data-oui-private]')) return true;
  }
  return false;
}

/** Inputs that were seen as passwords. Pages show one by making a text of it: it is a password all the same. */
const passwords = /* @__PURE__ */ new WeakSet<Element>();
/** What `autocomplete` says of a password, in whatever input it is. */
const PASSWORD = /(^|\s)(current|new)-password\s*$/i;

/** Whether a control's value must never leave the page. A custom element says by its `type`, too, that it is a password. */
export function isSecret(element: Element): boolean {
  return (/^input$|-/.test(element.localName) && isSecretInput(element as HTMLInputElement)) || isPrivate(element);
}

function isSecretInput(input: HTMLInputElement): boolean {
  const type = (input as Partial<HTMLInputElement>).type ?? input.getAttribute('type');
  if (type === 'password') passwords.add(input);
  return type === 'hidden' || passwords.has(input) || PASSWORD.test(input.getAttribute('autocomplete') ?? '');
}

/**
 * The text of an element without scripts, styles, and what is `hidden` or `data-oui-private`. White space collapsed.
 * `without`: a selector of further elements to leave out.
 */
export function textOf(element: Element, without = ''): string {
  if (element.matches('[data-oui-private]')) return '';
  if (!element.firstElementChild) return collapse(element.textContent ?? '');
  return collapse(gather(element, without ? `${UNREAD},${without}` : UNREAD));
}

function gather(node: Node, unread: string): string {
  let text = '';
  for (let child = node.firstChild; child; child = child.nextSibling) {
    if (child.nodeType === Node.TEXT_NODE) {
      text += child.nodeValue;
    } else if (child.nodeType === Node.ELEMENT_NODE && !(child as Element).matches(unread)) {
      const inner = gather(child, unread);
      text += BLOCKS.has((child as Element).localName) ? ` ${inner} ` : inner;
    }
  }
  return text;
}
