/** What a configuration may not be, said where it is written (the README of `oui-spec`, "Requirements enforced"). */

/** Stands in the place of a configuration that breaks a rule, with the rule. */
export type OUIConfigError<Message extends string> = { readonly __ouiError: Message };

type Twice<Ids extends readonly string[], Seen extends string = never> =
  Ids extends readonly [infer First extends string, ...infer Rest extends readonly string[]]
    ? (First extends Seen ? First : never) | Twice<Rest, Seen | First>
    : never;

/** The ids that are in the list twice; `never` when there are none. */
export type DuplicateIds<Ids extends readonly string[]> = Twice<Ids>;

/** `unknown` for surface ids that are all right, else the error. */
export type ValidateSurfaceIds<Ids extends readonly string[]> = Ids extends readonly []
  ? OUIConfigError<'createOUI requires at least one surface: without any, nothing is registered and nothing answered.'>
  : [DuplicateIds<Ids>] extends [never]
    ? unknown
    : OUIConfigError<`Duplicate surface id: "${DuplicateIds<Ids>}". Surfaces are registered by id: the second would take the place of the first.`>;
