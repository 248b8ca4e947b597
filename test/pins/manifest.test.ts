import { describe, expect, it } from 'vitest';
import { analyze, elementsOf } from '../../elements/manifest/analyze.mjs';
import { askClasses } from '../../elements/manifest/ask-classes.mjs';
import type { ElementClass } from '../../elements/manifest/manifest-types.js';
import { cssData, htmlData } from '../../elements/manifest/editor-data.mjs';
import { typeFiles } from '../../elements/manifest/type-files.mjs';
import { filesUnder, ROOT } from './project-sources.js';

const load = (path: string): Promise<Record<string, unknown>> => import(/* @vite-ignore */ `${ROOT}/${path}`);
const { manifest, problems } = await analyze(ROOT, load);
const elements = elementsOf(manifest);

describe('custom-elements.json', () => {
  it('has every element, where it is and where it is defined', async () => {
    const defined = filesUnder(['elements'], ['.define.ts']).map((path) => path.replace('.define.ts', '.js'));
    const tags = defined.map((path) => path.replace(/.*\/|\.js$/g, '')).sort();
    expect(elements.map(({ tagName }) => tagName)).toEqual(tags);
    for (const { tagName, name } of elements) {
      const module = manifest.modules.find(({ declarations }) => declarations.some((each) => each.name === name))!;
      expect(defined.map((path) => `dist/${path}`)).toContain(module.path);
      const declaration = { name, module: module.path };
      const definition = { kind: 'custom-element-definition', name: tagName, declaration };
      const definedIn = manifest.modules.find(({ path }) => path === module.path.replace('.js', '.define.js'));
      expect(definedIn?.exports).toContainEqual(definition);
    }
  });

  it('documents every attribute and property that a class has, and none that it has not', async () => {
    expect(problems).toEqual([]);
    for (const { path, declarations } of manifest.modules) {
      for (const { name, tagName, attributes = [], members = [] } of declarations) {
        if (tagName === undefined) continue;
        const element = (await load(path.replace(/^dist\/(.*)\.js$/, '$1.ts')))[name] as ElementClass;
        expect([tagName, ...attributes.map((each) => each.name).sort()])
          .toEqual([tagName, ...[...element.observedAttributes].sort()]);
        expect(attributes.filter(({ description }) => !description)).toEqual([]);
        const settable = members
          .filter(({ kind, readonly, static: isStatic }) => kind === 'field' && !readonly && !isStatic);
        expect([tagName, ...settable.map((each) => each.name).sort()])
          .toEqual([tagName, ...[...element.elementProperties.keys()].map(String).sort()]);
      }
    }
  });

  it('says which property an attribute sets, and of what kind it is', () => {
    const action = elements.find(({ tagName }) => tagName === 'oui-action')!;
    expect(action.attributes).toContainEqual({
      name: 'single-flight', fieldName: 'singleFlight', type: { text: 'boolean' },
      description: 'A new job of it ends the older one.',
    });
    expect(action.members?.find(({ name }) => name === 'handler')).not.toHaveProperty('attribute');
    expect(action.members?.map(({ name }) => name).filter((name) => /^[#[]/.test(name))).toEqual([]);
  });

  it('notices what is wrong with a class and its JSDoc', async () => {
    const attributes = [{ name: 'while' }, { name: 'on' }];
    const declaration = { kind: 'class', name: 'Hold', tagName: 'oui-hold', attributes };
    const modules = [{ kind: 'javascript-module', path: 'elements/hold.ts', declarations: [declaration], exports: [] }];
    const elementProperties = new Map([['until', { attribute: 'until' }], ['on', { attribute: 'on' }]]);
    const Hold = { tag: 'oui-hold', observedAttributes: ['until', 'on'], elementProperties };
    const ask = (module: object): Promise<string[]> => (
      askClasses({ schemaVersion: '1.0.0', modules }, async () => ({ ...module })));
    expect(await ask({ Hold })).toEqual(['<oui-hold> does not observe @attr while', '<oui-hold> has no @attr until']);
    await expect(ask({})).rejects.toThrow('elements/hold.ts exports no class Hold.');
    const renamed = { ...Hold, tag: 'oui-on' };
    await expect(ask({ Hold: renamed })).rejects.toThrow('@tag says oui-hold, and Hold.tag is oui-on.');
  });
});

describe('what is made of it', () => {
  it('tells editors the values that an attribute may have, and which are there or not', () => {
    const { tags } = htmlData(manifest);
    const [hold, param] = ['oui-hold', 'oui-param'].map((tag) => tags.find(({ name }) => name === tag)!);
    expect(hold!.attributes[0]).toMatchObject({ name: 'active', valueSet: 'v' });
    const types = ['string', 'number', 'integer', 'boolean', 'object', 'array'].map((name) => ({ name }));
    expect(param!.attributes.find(({ name }) => name === 'type')).toMatchObject({ values: types });
    expect(cssData(manifest).properties.map(({ name }) => name)).toContain('--oui-accent');
  });

  it('gives types to each framework, with every element', () => {
    const files = typeFiles(manifest);
    expect(Object.keys(files).filter((name) => name.endsWith('.d.ts')))
      .toEqual(['index.d.ts', 'react.d.ts', 'vue.d.ts', 'svelte.d.ts']);
    for (const { tagName, name } of elements) expect(files['index.d.ts']).toContain(`'${tagName}': ${name};`);
  });
});
