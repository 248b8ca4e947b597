import { EXTENSION, FEATURES, PROTOCOL_VERSION } from '../protocol/events.js';
import type { OUIEvent, OUIFeature, OUIHello } from '../protocol/events.js';
import type { AgentPage } from './agent-types.js';

/** Our answer to a page's hello (PROTOCOL.md §1). */
export function ownHello(software: string, wall: number): OUIEvent {
  const hello: OUIHello = { protocol: PROTOCOL_VERSION, software, features: FEATURES, now: wall };
  return { type: EXTENSION.hello, payload: hello };
}

/** Not yet; by a hello; or by registering without one, as v1 pages do. */
export type Introduction = 'none' | 'hello' | 'plain';

/** What is known of the page: who it is, and what it speaks on this connection. */
export class PageState {
  #connected = false;
  #hello: OUIHello | undefined;
  #features: readonly OUIFeature[] = [];
  #mayBeFrozen = false;
  #introduction: Introduction = 'none';
  /** The binding itself carries receipts and acknowledgments. */
  #byBinding = false;
  #clockOffset = 0;

  /** A new object each time; it does not change. */
  snapshot(): AgentPage {
    const { clientId, url, title, software, confirmBy } = this.#hello ?? {};
    return {
      connected: this.#connected,
      ...(clientId === undefined ? {} : { clientId }),
      ...(url === undefined ? {} : { url }),
      ...(title === undefined ? {} : { title }),
      ...(software === undefined ? {} : { software }),
      ...(confirmBy === undefined ? {} : { confirmBy }),
      features: this.#features,
      mayBeFrozen: this.#mayBeFrozen,
    };
  }

  get connected(): boolean {
    return this.#connected;
  }

  /** How it has introduced itself on this connection. */
  get introduction(): Introduction {
    return this.#introduction;
  }

  get clientId(): string | undefined {
    return this.#hello?.clientId;
  }

  /** The page itself asks its user before an action that needs approval (PROTOCOL.md §5). */
  get asksItsUser(): boolean {
    return this.#hello?.confirmBy === 'page';
  }

  /** Whether both ends named this extension, or the binding brings it along. */
  speaks(feature: OUIFeature): boolean {
    if (this.#byBinding && (feature === 'receipt' || feature === 'ack')) return this.#connected;
    return this.#features.includes(feature);
  }

  /** The page's clock less ours, ms, as far as its hello told. */
  get clockOffset(): number {
    return this.#clockOffset;
  }

  /** `acknowledges`: the binding carries receipts and acknowledgments itself. */
  onConnected(acknowledges: boolean): void {
    this.#connected = true;
    this.#byBinding = acknowledges;
    this.#introduction = 'none';
    this.#features = [];
    this.#mayBeFrozen = false;
  }

  /** Who it was stays known: it may come back. */
  onDisconnected(): void {
    this.#connected = false;
    this.#features = [];
    this.#mayBeFrozen = false;
  }

  onHello(hello: OUIHello, wall: number): void {
    this.#hello = hello;
    this.#introduction = 'hello';
    this.#features = FEATURES.filter((feature) => hello.features.includes(feature));
    this.#clockOffset = hello.now - wall;
  }

  /** It registered before any hello: it speaks v1, and whoever was here before is somebody else. */
  onPlainPage(): void {
    this.#hello = undefined;
    this.#introduction = 'plain';
    this.#features = [];
    this.#clockOffset = 0;
  }

  /** @returns whether that is news. */
  setFrozen(mayBeFrozen: boolean): boolean {
    if (this.#mayBeFrozen === mayBeFrozen) return false;
    this.#mayBeFrozen = mayBeFrozen;
    return true;
  }
}
