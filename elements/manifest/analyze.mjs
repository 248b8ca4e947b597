import { readdirSync, readFileSync } from 'node:fs';
// @ts-expect-error -- its types know plugins only
import { create, ts } from '@custom-elements-manifest/analyzer/index.js';
import { askClasses } from './ask-classes.mjs';

/**
 * `custom-elements.json`: what the JSDoc of the element classes says, and what the classes themselves know better.
 *
 * @typedef {import('./manifest-types.js').Manifest} Manifest
 * @typedef {import('./manifest-types.js').Declaration} Declaration
 * @typedef {import('./manifest-types.js').ModuleDoc} ModuleDoc
 * @typedef {import('./manifest-types.js').ElementClass} ElementClass
 */

/** Members of the classes themselves, and what is named by symbols or private: nobody's outside. */
const STATIC = /^(properties|styles|tag|version|finalize|shadowRootOptions)$/;
const SYMBOL = /^\[.*\]$|^#/;

/**
 * @param {string} root the project's folder
 * @param {(path: string) => Promise<{ readonly [name: string]: unknown }>} load imports a module of the elements, by
 *   its source's path (`elements/oui-hold.ts`)
 * @returns {Promise<{ manifest: Manifest, problems: string[] }>} the problems are attributes that the classes and
 *   their JSDoc do not agree about
 */
export async function analyze(root, load) {
  const paths = readdirSync(`${root}/elements`, { recursive: true, encoding: 'utf8' })
    .map((name) => `elements/${name.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
    .sort();
  const modules = paths.map((path) => (
    ts.createSourceFile(path, readFileSync(`${root}/${path}`, 'utf8'), ts.ScriptTarget.ES2022, true)));
  /** @type {Manifest} */
  const manifest = JSON.parse(JSON.stringify(create({ modules, plugins: [], context: { dev: false } })));
  const problems = await askClasses(manifest, load);
  keepPublic(manifest);
  addDefinitions(manifest, paths);
  publish(manifest);
  return { manifest, problems };
}

/** The elements of a manifest, by their tags. @param {Manifest} manifest @returns {Declaration[]} */
export function elementsOf(manifest) {
  return manifest.modules
    .flatMap(({ declarations }) => declarations)
    .filter(({ tagName }) => tagName !== undefined)
    .sort((a, b) => (String(a.tagName) < String(b.tagName) ? -1 : 1));
}

/** The module that declares a class. @param {Manifest} manifest @param {string} name @returns {string | undefined} */
export function moduleOf(manifest, name) {
  return manifest.modules.find(({ declarations }) => declarations.some((each) => each.name === name))?.path;
}

/**
 * Leaves the elements, what they extend and their events, and of these what others may use.
 *
 * @param {Manifest} manifest
 */
function keepPublic(manifest) {
  const all = manifest.modules.flatMap(({ declarations }) => declarations);
  const kept = new Set(all.filter(({ tagName, superclass }) => tagName !== undefined || superclass?.name === 'Event'));
  // A set grows while it is gone through.
  for (const { superclass } of kept) for (const each of all) if (each.name === superclass?.name) kept.add(each);
  for (const module of manifest.modules) {
    module.declarations = module.declarations.filter((each) => kept.has(each));
    for (const declaration of module.declarations) {
      declaration.members = (declaration.members ?? []).filter((member) => (
        (member.privacy ?? 'public') === 'public'
        && !SYMBOL.test(member.name)
        && (member.static !== true || !STATIC.test(member.name))));
      // What the analyzer makes of `dispatchEvent(new OuiCallEvent(…))` are no names of events; @fires says it all.
      const { events } = declaration;
      if (events !== undefined) declaration.events = events.filter(({ description }) => description !== undefined);
    }
    const names = new Set(module.declarations.map(({ name }) => name));
    module.exports = module.exports.filter(({ declaration }) => (
      names.has(declaration.name) && declaration.module === module.path));
  }
}

/**
 * The `….define` modules register the elements, which no analyzer can see in them.
 *
 * @param {Manifest} manifest @param {readonly string[]} paths
 */
function addDefinitions(manifest, paths) {
  for (const module of manifest.modules) {
    for (const { tagName, name } of module.declarations) {
      if (tagName === undefined) continue;
      const path = module.path.replace(/\.ts$/, '.define.ts');
      if (!paths.includes(path)) throw new Error(`${module.path}: <${tagName}> has no define module ${path}.`);
      const definition = manifest.modules.find((each) => each.path === path);
      definition?.exports.push({
        kind: 'custom-element-definition', name: tagName, declaration: { name, module: module.path },
      });
    }
  }
}

/** Names modules as they are published, and drops those that declare nothing. @param {Manifest} manifest */
function publish(manifest) {
  manifest.modules = manifest.modules.filter((module) => module.declarations.length > 0 || module.exports.length > 0);
  const text = JSON.stringify(manifest).replace(/"\/?(elements\/[^"]+)\.(ts|js)"/g, '"dist/$1.js"');
  Object.assign(manifest, JSON.parse(text));
}
