/**
 * What is done instead of a call: `target` is the page's own function, to be called once with what it was given. While
 * nobody listens it does nothing else.
 */
export type Around = (target: Callable, self: unknown, args: unknown[]) => unknown;

export type Callable = (this: unknown, ...args: unknown[]) => unknown;

/**
 * One function of the page that is listened to from `install` to `remove`.
 *
 * A proxy stands in its place: name, length, own properties and `toString` stay the function's. `remove` puts back the
 * property as it was found. Where somebody has put another function on top meanwhile, that one stays, with the proxy
 * beneath it. A property that is missing, not writable, or an accessor is left alone.
 */
export class WatchedFunction {
  readonly #owner: () => object | undefined;
  readonly #name: string;
  readonly #around: Around;
  #found: { readonly owner: object; readonly descriptor: PropertyDescriptor; readonly proxy: unknown } | undefined;

  /** `owner` is looked up at each `install`: pages replace such objects too. */
  constructor(owner: () => object | undefined, name: string, around: Around) {
    this.#owner = owner;
    this.#name = name;
    this.#around = around;
  }

  install(): void {
    const owner = this.#owner();
    const descriptor = owner && Reflect.getOwnPropertyDescriptor(owner, this.#name);
    if (!owner || typeof descriptor?.value !== 'function' || !descriptor.writable) return;
    // The proxy is still there when it could not be taken away.
    if (descriptor.value === this.#found?.proxy) return;
    const proxy: unknown = new Proxy(descriptor.value as Callable, {
      apply: (target, self, args) => this.#around(target, self, args),
    });
    this.#found = { owner, descriptor, proxy };
    Reflect.defineProperty(owner, this.#name, { ...descriptor, value: proxy });
  }

  remove(): void {
    if (!this.#found) return;
    const { owner, descriptor, proxy } = this.#found;
    const now: unknown = Reflect.getOwnPropertyDescriptor(owner, this.#name)?.value;
    if (now === proxy) Reflect.defineProperty(owner, this.#name, descriptor);
  }
}
