import type { AgentRuntime } from '../agent/agent-types.js';
import * as ERROR_CODES from '../protocol/error-codes.js';
import * as LIMITS from '../protocol/limits.js';
import { callSafely } from '../protocol/listener-set.js';
import type { Release, Transport } from '../protocol/ports.js';
import { meteredTransport } from './metered-transport.js';
import type { PluginOptions } from './mount-plugin.js';

/** Params of a request that any runtime answers, whatever it makes of it. */
const SIGN_OF_LIFE = { surfaceId: 'oui', actionId: 'describe' };

export interface PluginLinkPorts {
  /** It gives a sign of life again, or none any more. */
  silenceChanged(): void;
  /** It sent more than a page can bear. */
  flooded(): void;
  readonly onConnection: PluginOptions['onConnection'];
}

/** The connection to a plugin: whether its end is there, and whether it is still who was there before. */
export class PluginLink {
  readonly #agent: AgentRuntime;
  readonly #ports: PluginLinkPorts;
  #connections = 0;
  /** The connection that stood when the last document was there. */
  #checked = 0;
  #transport: Transport | null = null;
  #release: Release = () => {};
  /** The transport is connected. */
  #linked = false;
  /** What it was connected with may be gone. */
  #silent = false;
  #connected = false;
  #ended = false;

  constructor(agent: AgentRuntime, ports: PluginLinkPorts) {
    this.#agent = agent;
    this.#ports = ports;
  }

  get connected(): boolean {
    return this.#connected;
  }

  /** While it is, nothing of the plugin counts as there. */
  get silent(): boolean {
    return this.#silent;
  }

  attach(given: Transport): void {
    if (this.#ended) return;
    this.#release();
    this.#transport = given;
    this.#agent.attach(meteredTransport(given, () => this.#ports.flooded()));
    // What came at once may have been too much.
    if (this.#ended) return;
    const releases = [
      given.onState((state, reason) => this.#onLink(state === 'connected', reason)),
      given.onEvent(() => this.#setSilent(false)),
    ];
    this.#release = () => releases.forEach((release) => release());
    this.#onLink(given.state === 'connected', 'it has another connection');
  }

  /** What held the plugin's end is gone: nothing of it is there, until another transport is attached. */
  detach(reason: string): void {
    if (this.#ended) return;
    const transport = this.#transport;
    this.#release();
    this.#release = () => {};
    this.#transport = null;
    transport?.disconnect();
    this.#onLink(false, reason);
  }

  /**
   * A document has been loaded where the plugin is. The plugin may be gone with the one before it, without a word where
   * it speaks v1: it is asked for a sign of life, and while there is none its surfaces are away. They are away at once
   * when the connection is older than the last document. Whatever the plugin says brings them back.
   */
  documentLoaded(): void {
    if (this.#ended || !this.#linked) return;
    const asked = this.#connections;
    if (asked === this.#checked) this.#setSilent(true);
    this.#checked = asked;
    void this.#agent.call(SIGN_OF_LIFE, { actions: [] }, { timeoutMs: LIMITS.frameCheckMs }).then(({ result }) => {
      if (asked === this.#connections && result.error?.code === ERROR_CODES.TIMEOUT) this.#setSilent(true);
    });
  }

  /** Idempotent. */
  end(reason?: string): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#release();
    this.#agent.dispose();
    this.#linked = false;
    this.#tell(reason);
  }

  #onLink(linked: boolean, reason?: string): void {
    if (linked && !this.#linked) this.#connections += 1;
    this.#linked = linked;
    this.#silent = false;
    this.#tell(reason);
  }

  #setSilent(silent: boolean): void {
    if (this.#ended || silent === this.#silent) return;
    this.#silent = silent;
    this.#ports.silenceChanged();
    this.#tell('it gives no sign of life');
  }

  #tell(reason?: string): void {
    const connected = this.#linked && !this.#silent;
    if (connected === this.#connected) return;
    this.#connected = connected;
    const why = connected ? undefined : reason;
    callSafely('The option onConnection of a plugin', () => this.#ports.onConnection?.(connected, why));
  }
}
