/** What makes texts fit for the places that `require-trusted-types-for 'script'` guards. */
export interface TrustedPolicy {
  /** For the address of a worker. */
  createScriptURL(url: string): unknown;
  /** For the templates that the elements are drawn from. They are constants of this library. */
  createHTML(html: string): unknown;
}

interface PolicyFactory {
  createPolicy(name: string, rules: { [rule in keyof TrustedPolicy]: (text: string) => string }): TrustedPolicy;
}

/** The one name that a page's `trusted-types` policy has to list. */
const POLICY_NAME = 'oui';
/** Where it is found by the other files of this library, and by other copies of it. */
const SHARED = Symbol.for('oui-elements.trusted-policy');

/**
 * The Trusted Types policy `oui`. There is one in a page, whoever asks first: a page that lists its policies refuses a
 * second one of the same name, and reports the attempt.
 *
 * @returns `undefined` where there are no Trusted Types.
 * @throws {TypeError} where the page lists its policies and `oui` is none of them.
 */
export function trustedPolicy(): TrustedPolicy | undefined {
  const page = globalThis as { readonly trustedTypes?: PolicyFactory; [SHARED]?: TrustedPolicy };
  if (!page.trustedTypes || page[SHARED]) return page[SHARED];
  const same = (text: string): string => text;
  const value = page.trustedTypes.createPolicy(POLICY_NAME, { createScriptURL: same, createHTML: same });
  // Fixed: nobody puts another policy in its place.
  Object.defineProperty(page, SHARED, { value });
  return value;
}
