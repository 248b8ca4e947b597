import { setTimeout as delay } from 'node:timers/promises';
import { createHub } from './create-hub.js';
import type { Hub, HubOptions } from './create-hub.js';
import { DEFAULT_HOST, DEFAULT_PORT, MCP_PATH, hubUrl } from './hub-address.js';
import { PortTakenError } from './port-owner.js';

/** The hub of a port: this process's own, or one that was there before. */
export interface EnsuredHub {
  readonly mcpUrl: string;
  /** Present when this process became the hub. */
  readonly own?: Hub;
}

/** How often a port is tried whose holder is just starting or just ending. */
const TRIES = 5;
const BETWEEN_TRIES_MS = 200;

/**
 * Becomes the hub of a port, or finds the one that is.
 * @throws {PortTakenError} when another program has the port.
 */
export async function ensureHub(options: HubOptions): Promise<EnsuredHub> {
  const { port = DEFAULT_PORT, host = DEFAULT_HOST } = options;
  for (let tries = 1; ; tries += 1) {
    try {
      const own = await createHub(options);
      return { mcpUrl: own.mcpUrl, own };
    } catch (error) {
      if (!(error instanceof PortTakenError)) throw error;
      if (error.owner.kind === 'hub') return { mcpUrl: hubUrl(port, host) + MCP_PATH };
      if (tries === TRIES) throw error;
    }
    await delay(BETWEEN_TRIES_MS);
  }
}
