import { elementsOf } from './analyze.mjs';

/** @typedef {import('./manifest-types.js').Manifest} Manifest */

/**
 * VS Code's data about HTML: the elements and their attributes, with the values they may have.
 *
 * @param {Manifest} manifest
 */
export function htmlData(manifest) {
  const tags = elementsOf(manifest).map(({ tagName: name, description, attributes = [] }) => ({
    name,
    description: markdown(description),
    attributes: attributes.map((attribute) => {
      const values = [...(attribute.type?.text ?? '').matchAll(/'([^']+)'/g)].map(([, value]) => ({ name: value }));
      const isFlag = attribute.type?.text === 'boolean';
      return {
        name: attribute.name,
        description: markdown(attribute.description),
        // `v`: an attribute that is there or not.
        ...(isFlag ? { valueSet: 'v' } : values.length > 0 ? { values } : {}),
      };
    }),
  }));
  return { version: 1.1, tags };
}

/** The same about CSS: the elements' custom properties. @param {Manifest} manifest */
export function cssData(manifest) {
  const properties = new Map(elementsOf(manifest).flatMap(({ cssProperties = [], tagName }) => (
    cssProperties.map(({ name, description }) => /** @type {const} */ ([name, { description, tagName }])))));
  return {
    version: 1.1,
    properties: [...properties].map(([name, { description, tagName }]) => ({
      name, description: `Of <${tagName}>: ${description}`,
    })),
  };
}

/** @param {string | undefined} value */
function markdown(value) {
  return { kind: 'markdown', value: value ?? '' };
}
