import { afterEach, describe, expect, it, vi } from 'vitest';
import { createPageWiring } from '../../../src/entries/page-wiring.js';
import type { JSONSchema } from '../../../src/protocol/json.js';
import { resetWarnings } from '../../../src/protocol/warn-once.js';
import { createRuntime } from '../../../src/surface/create-runtime.js';
import { defineSurface } from '../../../src/surface/definition/define-surface.js';
import type { SurfaceRuntimeOptions } from '../../../src/surface/runtime-options.js';
import { compileTest } from '../../../src/validation/compile-test.js';
import { createCompiledValidator } from '../../../src/validation/compiled.js';
import type { SchemaCompiler } from '../../../src/validation/compiled.js';
import { compiledValidator } from './validators.js';
import { until } from '../../until.js';

const schema: JSONSchema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };

afterEach(() => {
  vi.restoreAllMocks();
  resetWarnings();
});

describe('the compiled validator', () => {
  it('interprets until the compiler is there, and compiles from then on', async () => {
    let arrive = (_compiler: SchemaCompiler): void => undefined;
    const loading = new Promise<SchemaCompiler>((resolve) => {
      arrive = resolve;
    });
    const compile = vi.fn(compileTest);
    const check = createCompiledValidator({ load: () => loading }).compile(schema);
    expect(check({ n: 1 })).toEqual([]);
    expect(check({ n: 'x' })).toHaveLength(1);
    expect(compile).not.toHaveBeenCalled();
    arrive({ compileTest: compile });
    await loading;
    expect(check({ n: 1 })).toEqual([]);
    expect(check({ n: 'x' })).toMatchObject([{ path: '/n', message: '/n: expected integer, got the text "x"' }]);
    // Once for the schema, not for each value.
    expect(compile).toHaveBeenCalledTimes(1);
  });

  it('interprets, with one warning, where the compiler cannot be loaded', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const failed = Promise.reject(new Error('404'));
    const check = createCompiledValidator({ load: () => failed }).compile(schema);
    await failed.catch(() => undefined);
    expect(check({ n: 1 })).toEqual([]);
    expect(check({})).toMatchObject([{ path: '/n', keyword: 'required' }]);
    expect(warn.mock.calls).toEqual([['[OUI1102] Schemas are interpreted instead of compiled: 404.']]);
  });

  it('interprets, with one warning and one try, where a policy forbids eval', async () => {
    const warn = vi.fn();
    const forbidden = vi.fn(() => {
      throw new EvalError('unsafe-eval is not allowed');
    });
    const loading = Promise.resolve({ compileTest: forbidden });
    const validator = createCompiledValidator({ load: () => loading, warn });
    await loading;
    for (const one of [schema, { type: 'string' }]) {
      const check = validator.compile(one);
      for (const value of [1, 'x', { n: 1 }, {}]) check(value);
    }
    expect(validator.compile(schema)({})).toMatchObject([{ path: '/n', keyword: 'required' }]);
    expect(forbidden).toHaveBeenCalledTimes(1);
    const message = 'Schemas are interpreted instead of compiled: a content security policy forbids eval.';
    expect(warn.mock.calls).toEqual([['OUI1102', message]]);
  });

  it('forgets a schema with its check: the same $id may come again', async () => {
    const { validator, tally } = await compiledValidator();
    for (const type of ['string', 'number']) {
      const check = validator.compile({ $id: 'https://example.com/a', type, $defs: { b: true } });
      expect(check('x').length).toBe(type === 'string' ? 0 : 1);
    }
    expect(tally).toMatchObject({ yes: 1, no: 1, failures: [] });
  });

  it('leaves to the interpreter what it would get wrong, or never end on', async () => {
    const { validator, tally } = await compiledValidator();
    const twice = { allOf: [{ $ref: '#' }, { $ref: '#' }] };
    const left: [JSONSchema, unknown][] = [
      [{ properties: { a: twice } }, {}],
      [{ prefixItems: [true], contains: { type: 'string' }, unevaluatedItems: false }, [1, 'a']],
      [JSON.parse('{"properties":{"__proto__":{"type":"string"}}}') as JSONSchema, {}],
      [{ $defs: { a: { $id: 'x', type: 'string' } }, $ref: 'x' }, 'a'],
    ];
    for (const [one, value] of left) expect(validator.compile(one)(value)).toEqual([]);
    expect(tally).toMatchObject({ yes: 0, no: 0, failures: [] });
    const node = { properties: { children: { items: { $ref: '#/$defs/node' } } } };
    expect(validator.compile({ $ref: '#/$defs/node', $defs: { node } })({ children: [{ children: [] }] })).toEqual([]);
    expect(tally).toMatchObject({ yes: 1, no: 0 });
  });
});

describe('the option validator', () => {
  const engine = () => import('../../../src/entries/engine.js');
  const surface = defineSurface({
    id: 'todo-app',
    name: 'Todos',
    description: 'A list.',
    actions: [{ id: 'add_todo', description: 'Adds one', effect: 'view', input: schema, handler: () => null }],
  });

  /** Calls one action through a runtime with these options. @returns how often a compiled function was asked */
  async function askedBy(options: SurfaceRuntimeOptions, byDefault: 'compiled' | 'interpreted'): Promise<number> {
    let asked = 0;
    const compiler = Promise.resolve({
      compileTest: (...given: Parameters<typeof compileTest>) => {
        const test = compileTest(...given);
        return (value: unknown) => {
          asked++;
          return test(value);
        };
      },
    });
    const wiring = createPageWiring({
      workerUrl: () => new URL('https://page.example/oui.worker.js'),
      extrasUrl: () => new URL('https://page.example/oui.extras.js'),
      loadEngine: engine,
      loadAttachments: () => Promise.reject(new Error('not asked for')),
      loadAdvice: () => import('../../../src/entries/advice.js'),
      loadCompiler: () => compiler,
      compilerUrl: () => new URL('https://page.example/oui.compiler.js'),
      validator: byDefault,
    });
    const runtime = createRuntime(options, wiring);
    runtime.mount(surface, () => ({}));
    const call = (params: unknown) => runtime.execute({ surfaceId: 'todo-app', actionId: 'add_todo', params });
    expect(await call({ n: 1 })).toMatchObject({ success: true });
    expect(await call({ n: 'x' })).toMatchObject({ error: { details: { errors: [{ path: '/n', keyword: 'type' }] } } });
    runtime.dispose();
    return asked;
  }

  it('is what decides, over the default of the build', async () => {
    expect(await askedBy({ validator: 'compiled' }, 'interpreted')).toBe(2);
    expect(await askedBy({ validator: 'interpreted' }, 'compiled')).toBe(0);
    expect(await askedBy({}, 'compiled')).toBe(2);
    expect(await askedBy({}, 'interpreted')).toBe(0);
  });

  it('is compiled by default in Node', async () => {
    const { packageWiring } = await import('../../../src/entries/package-wiring.js');
    const { Ajv2020 } = await import('ajv/dist/2020.js');
    const compile = vi.spyOn(Ajv2020.prototype, 'compile');
    const runtime = createRuntime({}, packageWiring);
    runtime.mount(surface, () => ({}));
    const call = () => runtime.execute({ surfaceId: 'todo-app', actionId: 'add_todo', params: { n: 1 } });
    // The compiler may still be on its way at the first calls.
    await until(async () => {
      expect(await call()).toMatchObject({ success: true });
      expect(compile).toHaveBeenCalled();
    });
    runtime.dispose();
  });
});
