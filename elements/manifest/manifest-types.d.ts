/** The parts of `custom-elements.json` (schema 1.0.0) that are read and written here. */

export interface Manifest {
  readonly schemaVersion: string;
  modules: ModuleDoc[];
}

export interface ModuleDoc {
  readonly kind: string;
  readonly path: string;
  declarations: Declaration[];
  exports: { readonly kind: string; readonly name: string; readonly declaration: Reference }[];
}

export interface Reference {
  readonly name: string;
  readonly module?: string;
}

interface Described {
  readonly name: string;
  description?: string | undefined;
}

export interface Declaration extends Described {
  readonly kind: string;
  readonly tagName?: string;
  readonly superclass?: Reference;
  members?: Member[];
  attributes?: Attribute[];
  events?: readonly (Described & { readonly type: { readonly text: string } })[];
  readonly slots?: readonly Described[];
  readonly cssParts?: readonly Described[];
  readonly cssProperties?: readonly Described[];
}

export interface Attribute extends Described {
  readonly type?: { readonly text: string };
  fieldName?: string;
}

export interface Member extends Described {
  readonly kind: 'field' | 'method';
  readonly privacy?: string;
  readonly type?: { readonly text: string };
  static?: boolean;
  inheritedFrom?: Reference;
  default?: string;
  attribute?: string;
  readonly?: boolean;
}

/** What an element's class says of itself. */
export interface ElementClass {
  readonly tag: string;
  readonly observedAttributes: readonly string[];
  readonly elementProperties: ReadonlyMap<PropertyKey, { readonly attribute?: string | boolean }>;
}
