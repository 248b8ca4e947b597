import type { ApprovalRequest } from '../protocol/approval.js';
import type { EngineConfig, ObservationSchemas, OfferedForm } from '../protocol/engine-config.js';
import type { EnginePolicy } from '../protocol/engine-policy.js';
import type { OUIActionRequest, OUIConfirmBy } from '../protocol/events.js';
import * as LIMITS from '../protocol/limits.js';
import type { Transport } from '../protocol/ports.js';
import type { SocketLike } from '../transports/socket-like.js';
import type { TokenProvider } from '../transports/token-provider.js';
import type { SocketSettings } from '../transports/socket-settings.js';
import { Fnv1a64 } from '../rules/fnv.js';

/** How a page opens the attachments whose ids agents send (PROTOCOL.md §6). */
export interface AttachmentHost {
  /**
   * Opens one attachment: `as: 'file'` wants a File, `as: 'text'` a File, `{name, mediaType, text}`, or a bare text
   * where the input takes any media type. Nothing (`undefined`, `null`), or a throw, says that it is not there: the
   * agent is asked for it then, if it gives attachments, and otherwise told so. The signal fires when the request has
   * ended meanwhile.
   */
  resolve(id: string, as: 'file' | 'text', call: { readonly signal: AbortSignal }): unknown;
}

/** Options of a surface runtime. Times in ms. */
export interface SurfaceRuntimeOptions {
  /**
   * WebSocket address of the agent's side, on a page also relative to it (`/oui/v1`). The runtime connects at the first
   * mount or execute.
   */
  readonly url?: string;
  /** Allows `ws:` to other machines. Default false. */
  readonly insecureUrl?: boolean;
  /**
   * Authenticates the page to `url`: asked at each attempt to connect, on the page also where a worker connects. The
   * token goes as a subprotocol, never in the URL.
   */
  readonly token?: TokenProvider;
  /**
   * A Socket.IO-shaped socket of the application's own instead of `url`; the same as `attach(socket)`. The application
   * connects and disconnects it; the runtime only listens and emits.
   */
  readonly socket?: SocketLike;
  /**
   * For sockets: `namespace`, what the names of their events begin with (default `oui`), and `extensions`, names of the
   * application's own events that reach `onExtension`. Or a transport of your own, instead of `url` and `socket`; the
   * same as `attach(transport)`.
   */
  readonly transport?: Transport | SocketSettings;
  /** Gate for requests that arrive on a transport: `false` refuses. A throw refuses. */
  readonly accept?: (request: OUIActionRequest) => boolean | Promise<boolean>;
  /**
   * Asks the user before an action that needs approval (PROTOCOL.md §5). `true` runs it, `false` denies it, `null` is
   * no answer. The signal fires when no answer is needed any more. A throw is no answer.
   */
  readonly approve?: (request: ApprovalRequest, signal: AbortSignal) => boolean | null | Promise<boolean | null>;
  /** Who asks the user. Default `page`. */
  readonly confirmBy?: OUIConfirmBy;
  /** How long the user may take. Default 5 minutes, at most 30. */
  readonly approvalMs?: number;
  /** From receipt to result: queue, handler and settling. Default 30,000. */
  readonly timeoutMs?: number;
  readonly settle?: {
    /** Quiet that counts as settled. Default 250. */
    readonly quietMs?: number;
    /** The longest a result waits for quiet: default 5,000, and never more than half of the action's time. */
    readonly timeoutMs?: number;
    /**
     * Listens to the page's requests, short timers, navigations and view transitions while an action runs: the result
     * waits for those that begun since, and goes as soon as the page is still after what the action has shown.
     * Work that nobody can see from outside then needs a hold where something was shown before it: workers, sockets,
     * storage, `import()`, animations. Default false.
     */
    readonly track?: boolean;
  };
  /** Requests of one surface. Default 50 a second, 100 at once. */
  readonly rateLimit?: { readonly perSecond: number; readonly burst: number };
  /**
   * How long an agent's side may take to answer a registration with its hello; one that has not by then is taken for v1
   * (specification §7.5). Default 10,000.
   */
  readonly helloTimeoutMs?: number;
  /** How many request ids are remembered, so that a repeat never runs twice. Default 500. */
  readonly dedupeWindow?: number;
  /** An answer that was not acknowledged goes again on a repeat of its request after this. Default 8,000. */
  readonly reanswerAfterMs?: number;
  /**
   * How surfaces are offered (PROTOCOL.md §4). `full`: whole manifests. `index`: an index, for agents that ask for a
   * definition with `oui.describe`; announcements then wait for the agent's hello, and are full ones where it does not
   * read an index. Default `full`.
   */
  readonly form?: OfferedForm;
  /** `false`: nothing is sent but results; the host takes `snapshot()` with its own requests. Default true. */
  readonly announce?: boolean;
  /** UTF-8 bytes of what is sent whole; longer values are cut, and what was cut is reported. Each at least 32 KiB. */
  readonly budgets?: {
    /** A result. Default 480 KiB, and never more than the connection takes. */
    readonly resultBytes?: number;
    /** A snapshot. Default 256 KiB. */
    readonly snapshotBytes?: number;
    /** One observation update. Default 256 KiB, and never more than the connection takes. */
    readonly updateBytes?: number;
  };
  /**
   * What happens to a value that does not fit its observation's `schema`. `warn`: it is sent, and a warning says where;
   * the first value and small samples are checked, without the patterns of the schema. `enforce`: every value is
   * checked, `null` is sent in its place, and `snapshot()` shows a value once it was checked. `off`. Default `warn`.
   */
  readonly observationSchemas?: ObservationSchemas;
  /**
   * `false`: the engine runs in the page. A string or URL: the worker script; `true`: that beside the library; `'blob'`:
   * the same from another origin too, by a `blob:` worker that loads it (the page's policies must allow `worker-src
   * blob:`, and that origin as `script-src`). Default: `true`, and `false` with a `socket` or a transport of your own, since their frames go through the page's thread
   * anyway.
   */
  readonly worker?: boolean | string | URL;
  /**
   * What checks params and results against their schemas. `interpreted` needs no `eval`, which most strict sites
   * forbid. `compiled` makes a function of each schema, many times faster once it is made; its code is loaded for
   * itself. Where it cannot be loaded, or a policy forbids `eval`, schemas are interpreted, with one warning. Both say
   * the same. Default `interpreted`; in Node `compiled`.
   */
  readonly validator?: 'compiled' | 'interpreted';
  /**
   * Who is signed in, as any text that differs from one user to the next. What is kept for the next document of the tab
   * is bound to it: a document with another one drops it all. Default: one session for all.
   */
  readonly session?: string;
  /**
   * Opens what inputs with `format: "oui-attachment"` name. Without it an agent that gives attachments itself, as ours
   * and the hub do, is asked for them, and any other is answered `ATTACHMENTS_UNSUPPORTED`.
   */
  readonly attachments?: AttachmentHost;
  /** Receives `x-…` events that are not this project's own. */
  readonly onExtension?: (type: string, payload: unknown) => void;
  /**
   * Warns in the console of what could be better in the surfaces that are mounted: what the specification advises,
   * schemas that model providers refuse, patterns that may take the page's time away. What finds that is loaded after
   * the first mount. Default: in Node, and on pages of this machine (`localhost`, `127.0.0.1`, files), where authors are.
   */
  readonly advice?: boolean;
  /** Name and version for the hello. Default: this library's. */
  readonly software?: string;
}

/** What the hello says by default. */
export const SOFTWARE = 'oui-elements/0.1.0';

/** How long a result waits for quiet, and how much quiet that is. */
export interface SettleTimes {
  readonly quietMs: number;
  readonly timeoutMs: number;
}

function positive(name: string, value: number | undefined, fallback: number, most?: number): number {
  if (value === undefined) return fallback;
  if (Number.isFinite(value) && value > 0 && value <= (most ?? value)) return value;
  const limit = most === undefined ? '' : `, at most ${most}`;
  throw new RangeError(`Option ${name} is ${String(value)}; it must be a finite number above 0${limit}.`);
}

const actionMs = ({ timeoutMs }: SurfaceRuntimeOptions): number => positive('timeoutMs', timeoutMs, LIMITS.actionMs);

/**
 * The same times as the engine's: the page gives up waiting for quiet before the engine gives up the request.
 *
 * @throws {RangeError} naming the option that is no finite number above 0.
 */
export function settleTimes(options: SurfaceRuntimeOptions): SettleTimes {
  const { settle } = options;
  const longest = positive('settle.timeoutMs', settle?.timeoutMs, LIMITS.settleTimeoutMs);
  return {
    quietMs: positive('settle.quietMs', settle?.quietMs, LIMITS.quietMs),
    timeoutMs: Math.min(longest, actionMs(options) / 2),
  };
}

function oneOf<T>(name: string, value: T | undefined, fallback: T, choices: readonly T[]): T {
  if (value === undefined) return fallback;
  if (choices.includes(value)) return value;
  throw new RangeError(`Option ${name} is ${JSON.stringify(value)}; it must be ${choices.join(' or ')}.`);
}

type Budgets = NonNullable<SurfaceRuntimeOptions['budgets']>;

function budget({ budgets }: SurfaceRuntimeOptions, name: keyof Budgets, fallback: number): number {
  const value = budgets?.[name] ?? fallback;
  if (Number.isFinite(value) && value >= LIMITS.budgetMinBytes) return value;
  const least = `at least ${LIMITS.budgetMinBytes}, so that the outcome of an action always fits`;
  throw new RangeError(`Option budgets.${name} is ${String(value)}; it must be a finite number of bytes, ${least}.`);
}

/** @throws {RangeError} naming the option that is neither of the two. */
export function offeredForm({ form }: SurfaceRuntimeOptions): OfferedForm {
  return oneOf<OfferedForm>('form', form, 'full', ['full', 'index']);
}

/** @throws {RangeError} naming the option that is too small. */
export function snapshotBytes(options: SurfaceRuntimeOptions): number {
  return budget(options, 'snapshotBytes', LIMITS.snapshotBytes);
}

/** @throws {TypeError} when it has no `resolve`. */
function attachmentHost({ attachments }: SurfaceRuntimeOptions): AttachmentHost | undefined {
  if (attachments === undefined || typeof attachments.resolve === 'function') return attachments;
  throw new TypeError('Option attachments has no function resolve(id, as) to open attachments with.');
}

/**
 * The engine's settings, as they follow from the options. Checks those that are no setting of the engine's, too.
 *
 * @throws {RangeError} naming the option that is out of its range.
 */
export function engineConfig(options: SurfaceRuntimeOptions, policy?: Partial<EnginePolicy>): EngineConfig {
  oneOf('validator', options.validator, 'interpreted', ['interpreted', 'compiled']);
  oneOf('settle.track', options.settle?.track, false, [true, false]);
  return {
    ...(policy && { policy }),
    software: options.software ?? SOFTWARE,
    confirmBy: oneOf<OUIConfirmBy>('confirmBy', options.confirmBy, 'page', ['page', 'grant', 'agent']),
    canAsk: options.approve !== undefined,
    hasGate: options.accept !== undefined,
    opensAttachments: attachmentHost(options) !== undefined,
    actionMs: actionMs(options),
    approvalMs: positive('approvalMs', options.approvalMs, LIMITS.approvalMs, LIMITS.approvalMaxMs),
    settleTimeoutMs: settleTimes(options).timeoutMs,
    helloMs: positive('helloTimeoutMs', options.helloTimeoutMs, LIMITS.helloMs),
    reanswerAfterMs: positive('reanswerAfterMs', options.reanswerAfterMs, LIMITS.reanswerAfterMs),
    ratePerSecond: positive('rateLimit.perSecond', options.rateLimit?.perSecond, LIMITS.ratePerSecond),
    rateBurst: positive('rateLimit.burst', options.rateLimit?.burst, LIMITS.rateBurst),
    dedupeWindow: positive('dedupeWindow', options.dedupeWindow, LIMITS.dedupeWindow),
    form: offeredForm(options),
    announce: oneOf('announce', options.announce, true, [true, false]),
    observationSchemas: oneOf('observationSchemas', options.observationSchemas, 'warn', ['warn', 'enforce', 'off']),
    budgets: {
      resultBytes: budget(options, 'resultBytes', LIMITS.resultBytes),
      updateBytes: budget(options, 'updateBytes', LIMITS.updateBytes),
    },
  };
}

/**
 * The session in short, to tell it from others. A hash of this kind hides nothing: a session is no place for a secret.
 *
 * @throws {TypeError} when it is no text.
 */
export function sessionKey({ session }: SurfaceRuntimeOptions): string {
  if (session === undefined) return '';
  if (typeof session !== 'string') {
    throw new TypeError(`Option session is of type ${typeof session}; it must be a text, such as the user's id.`);
  }
  const hash = new Fnv1a64();
  hash.add(session);
  return hash.hex();
}

/** Where the page is, for the hello. Without query and hash: they may hold secrets. */
export function pageAddress(): Pick<EngineConfig, 'url' | 'title'> {
  if (typeof location === 'undefined' || typeof document === 'undefined') return {};
  const url = location.origin === 'null' ? {} : { url: location.origin + location.pathname };
  return document.title ? { ...url, title: document.title } : url;
}
