/**
 * Which properties an element has, and by which attributes they are set, is known to its class: `static properties`
 * with the constants of `oui-element.ts`, and the rule that makes an attribute's name of a property's. So the classes
 * are asked; the analyzer, which reads the sources only, would know neither.
 *
 * @typedef {import('./manifest-types.js').Manifest} Manifest
 * @typedef {import('./manifest-types.js').Declaration} Declaration
 * @typedef {import('./manifest-types.js').ElementClass} ElementClass
 */

/**
 * @param {Manifest} manifest
 * @param {(path: string) => Promise<{ readonly [name: string]: unknown }>} load
 * @returns {Promise<string[]>} where the classes and their JSDoc do not agree
 */
export async function askClasses(manifest, load) {
  const problems = [];
  for (const { path, declarations } of manifest.modules) {
    for (const declaration of declarations) {
      if (declaration.tagName === undefined) continue;
      const found = /** @type {ElementClass | undefined} */ ((await load(path))[declaration.name]);
      if (found === undefined) throw new Error(`${path} exports no class ${declaration.name}.`);
      // Asking for them makes Lit read `static properties`.
      void found.observedAttributes;
      if (found.tag !== declaration.tagName) {
        throw new Error(`${path}: @tag says ${declaration.tagName}, and ${declaration.name}.tag is ${found.tag}.`);
      }
      freeStatics(declaration, found);
      problems.push(...linkAttributes(declaration, found));
      markReadOnly(declaration, found);
    }
  }
  return problems;
}

/**
 * The analyzer takes a property for a static member of the same name that is inherited.
 *
 * @param {Declaration} declaration
 * @param {ElementClass} element
 */
function freeStatics({ members = [] }, element) {
  for (const member of members) {
    if (member.static !== true || !element.elementProperties.has(member.name)) continue;
    delete member.static;
    delete member.inheritedFrom;
    delete member.default;
    delete member.description;
  }
}

/** @param {Declaration} declaration @param {ElementClass} element @returns {string[]} problems */
function linkAttributes(declaration, element) {
  const observed = element.observedAttributes;
  const { members = [], attributes = [], tagName } = declaration;
  const names = new Map([...element.elementProperties].map(([name, { attribute }]) => [attribute, String(name)]));
  for (const attribute of attributes) {
    const fieldName = names.get(attribute.name);
    if (fieldName === undefined) continue;
    attribute.fieldName = fieldName;
    const field = members.find(({ name }) => name === fieldName);
    if (field !== undefined) {
      field.attribute = attribute.name;
      field.description ??= attribute.description;
    }
  }
  const documented = attributes.map(({ name }) => name);
  const unknown = documented.filter((name) => !observed.includes(name));
  const missing = observed.filter((name) => !documented.includes(name));
  const silent = members.filter(({ name, description }) => element.elementProperties.has(name) && !description);
  return [
    ...unknown.map((name) => `<${tagName}> does not observe @attr ${name}`),
    ...missing.map((name) => `<${tagName}> has no @attr ${name}`),
    ...silent.map(({ name }) => `<${tagName}> says nothing of its property ${name}`),
  ];
}

/** A property is set by its user, or only read. @param {Declaration} declaration @param {ElementClass} element */
function markReadOnly(declaration, element) {
  for (const member of declaration.members ?? []) {
    if (member.kind !== 'field' || member.static === true) continue;
    if (element.elementProperties.has(member.name)) delete member.readonly;
    else member.readonly = true;
  }
}
