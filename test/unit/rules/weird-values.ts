import * as fc from 'fast-check';

/** Makes a value anew each time: what looks at one may change it. */
export interface Weird {
  readonly make: () => unknown;
}

const thrown = (): never => {
  throw new Error('not now');
};

class Model {
  readonly id = 7;
  readonly list: unknown;
  readonly #hidden = 1;
  constructor(list: unknown) {
    this.list = list;
  }
  get hidden(): number {
    return this.#hidden;
  }
}

/** What wraps a value: each is something that pages have. */
const WRAPPERS: readonly ((value: unknown) => unknown)[] = [
  (value) => [value, value],
  (value) => ({ a: value, 'x/~': undefined }),
  (value) => new Model(value),
  (value) => new Map([['k', value]]),
  (value) => new Map([[value, 1]]),
  (value) => new Set([value]),
  (value) => new Proxy({ value }, {}),
  (value) => new Proxy([value], {}),
  (value) => new Proxy({ value }, { get: (target, key, self) => (key === 'value' ? thrown() : Reflect.get(target, key, self) as unknown) }),
  (value) => new Proxy({ value }, { ownKeys: thrown }),
  (value) => new Proxy({ value }, { getPrototypeOf: thrown }),
  (value) => new Proxy(new Map([['k', value]]), {}),
  (value) => {
    const { proxy, revoke } = Proxy.revocable({ value }, {});
    revoke();
    return [proxy];
  },
  (value) => ({ get broken() { return thrown(); }, value }),
  (value) => ({ toJSON: () => value }),
  (value) => ({ toJSON: thrown, value }),
  (value) => Object.assign(new Error('Broke.'), { value }),
  (value) => {
    const around: { [key: string]: unknown } = { value };
    around['self'] = around;
    around['list'] = [around];
    return around;
  },
  (value) => Object.defineProperty({ value }, '__proto__', { value, enumerable: true }),
  (value) => {
    let deep = value;
    for (let level = 0; level < 40; level++) deep = [deep];
    return deep;
  },
  (value) => Object.assign(new Array(3), { value, 1: value }),
];

const LEAVES: readonly (() => unknown)[] = [
  () => undefined, () => NaN, () => -0, () => 5n, () => 2n ** 80n, () => Symbol('s'), () => thrown, () => new Date(NaN),
  () => new Date(5), () => /x/g, () => new URL('https://a.example'), () => new Uint8Array([1]), () => new BigUint64Array([2n ** 64n - 1n]),
  () => new ArrayBuffer(2), () => Promise.resolve(1), () => new WeakMap(), () => '\ud800', () => ({ '\udc00': 1 }),
  () => Object(1n) as unknown, () => Object(Symbol('x')) as unknown, () => ({ [Symbol.toStringTag]: 'Map' }), () => new Array(3),
  () => Object.create(null) as unknown, () => new FormData(), () => new File(['a'], 'b', { lastModified: 1 }), () => globalThis.crypto, () => Math,
  () => ({}), () => [], () => function* () { yield 1; }(),
];

const anything = fc.anything({
  withBigInt: true, withBoxedValues: true, withDate: true, withMap: true, withSet: true, withNullPrototype: true,
  withObjectString: true, withSparseArray: true, withTypedArray: true, withUnicodeString: true,
});

/** Anything that a page could push, and some things that none would. */
export const weirdValue: fc.Arbitrary<Weird> = fc
  .tuple(
    fc.oneof(anything.map((value) => () => value), fc.constantFrom(...LEAVES)),
    fc.array(fc.constantFrom(...WRAPPERS), { maxLength: 5 }),
  )
  .map(([leaf, wrappers]) => ({ make: () => wrappers.reduce((value, wrap) => wrap(value), leaf()) }));
