/** What is left of a type when it has been given. */
type Given<T> = Exclude<T, '' | false | null | undefined>;

/** The members that an author has given: without those that are `''`, `false`, `null` or `undefined`. */
export function given<T extends object>(members: T): { [Name in keyof T]?: Given<T[Name]> } {
  const entries = Object.entries(members).filter(([, value]) => value !== false && (value ?? '') !== '');
  return Object.fromEntries(entries) as { [Name in keyof T]?: Given<T[Name]> };
}
