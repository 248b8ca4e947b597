/** A value that JSON can carry. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** The text of one JSON value, ready to be put into a frame. Branded by name only: it is a plain string. */
export type JsonText = string;

/** A JSON Schema (draft 2020-12). `true` and `{}` accept everything. */
export type JSONSchema = boolean | { readonly [keyword: string]: unknown };

/** A plain object as it comes from `JSON.parse`. */
export type JsonObject = { readonly [key: string]: unknown };
