import type { MessageTarget } from '../../../src/transports/message-target.js';

type Listener = (event: MessageEvent) => void;

/** A window as its own script has it. Others hold its `proxy`, which tells who posts. */
export class FakeWindow {
  readonly origin: string;
  /** What was posted to it, and for which origin, whether or not that was its own. */
  readonly posted: { readonly message: Record<string, unknown>; readonly targetOrigin: string }[] = [];
  readonly listeners = new Set<Listener>();

  constructor(origin: string) {
    this.origin = origin;
  }

  addEventListener(_type: 'message', listener: Listener): void {
    this.listeners.add(listener);
  }

  removeEventListener(_type: 'message', listener: Listener): void {
    this.listeners.delete(listener);
  }

  /** As `source` has it. Messages arrive in a later task, and as copies. */
  as(source: FakeWindow): MessageTarget {
    const proxy = proxies.get(this)?.get(source) ?? this.#makeProxy(source);
    return proxy as unknown as MessageTarget;
  }

  #makeProxy(source: FakeWindow): object {
    const proxy: { window?: unknown; postMessage: unknown } = {
      postMessage: (message: Record<string, unknown>, targetOrigin: string, transfer: readonly MessagePort[] = []) => {
        this.posted.push({ message, targetOrigin });
        if (targetOrigin !== '*' && targetOrigin !== this.origin) return;
        const data: unknown = structuredClone(message, { transfer: [...transfer] });
        setImmediate(() => {
          const event = { data, origin: source.origin, source: source.as(this), ports: [] } as unknown as MessageEvent;
          for (const listener of [...this.listeners]) listener(event);
        });
      },
    };
    proxy.window = proxy;
    const known = proxies.get(this) ?? new Map<FakeWindow, object>();
    proxies.set(this, known.set(source, proxy));
    return proxy;
  }
}

const proxies = new Map<FakeWindow, Map<FakeWindow, object>>();
