import { PAGE_PATH, hubUrl } from './hub-address.js';

/** Who answers at a port. */
export type PortOwner =
  | { readonly kind: 'hub'; readonly software: string }
  /** Something else answers, or something that does not speak HTTP. */
  | { readonly kind: 'other' }
  | { readonly kind: 'nobody' };

/** A port that could not be had. `owner` says whether another OUI hub has it. */
export class PortTakenError extends Error {
  override readonly name = 'PortTakenError';
  readonly code = 'EADDRINUSE';
  readonly port: number;
  readonly owner: PortOwner;

  constructor(port: number, owner: PortOwner, message: string) {
    super(message);
    this.port = port;
    this.owner = owner;
  }
}

/** Asks who has a port. Never rejects. */
export async function findPortOwner(port: number, host: string): Promise<PortOwner> {
  try {
    const response = await fetch(`${hubUrl(port, host)}${PAGE_PATH}`, {
      signal: AbortSignal.timeout(2000),
      redirect: 'error',
    });
    const text = (await response.text()).slice(0, 10_000);
    const identity: unknown = response.status === 426 ? JSON.parse(text) : undefined;
    if (typeof identity === 'object' && identity !== null && (identity as { oui?: unknown }).oui === 'hub') {
      const { software } = identity as { software?: unknown };
      return { kind: 'hub', software: typeof software === 'string' ? software : 'unknown' };
    }
    return { kind: 'other' };
  } catch (error) {
    return isRefused(error) ? { kind: 'nobody' } : { kind: 'other' };
  }
}

/** The error for a port in use: by whom, and what to do. */
export async function portTakenError(port: number, host: string): Promise<PortTakenError> {
  const owner = await findPortOwner(port, host);
  const message =
    owner.kind === 'hub'
      ? `An OUI hub (${owner.software}) is already running at ${hubUrl(port, host)}. Use that one: pages and agents ` +
        'can connect to it as they are. For a second hub choose another port: --port N'
      : `Port ${port} on ${host} is in use by another program. Choose another port: --port N`;
  return new PortTakenError(port, owner, message);
}

function isRefused(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return (cause as { code?: unknown } | undefined)?.code === 'ECONNREFUSED';
}
