import type { ApprovalRequest } from '../src/protocol/approval.js';
import type { Release } from '../src/protocol/ports.js';
import { createRuntime } from '../src/surface/create-runtime.js';
import type { RuntimeEvent, SurfaceRuntime } from '../src/surface/runtime.js';
import type { AttachmentHost } from '../src/surface/runtime-options.js';
import type { SocketLike } from '../src/transports/socket-like.js';
import { askUser } from './ask-user.js';
import { ContainerElement } from './container-element.js';
import { documentParsed } from './document-parsed.js';
import { keptPause } from './kept-pause.js';
import { allowedValue, warnMarkup } from './markup-warning.js';
import type { ApprovalAnswer } from './oui-approval.js';
import { ACCESSOR, RICH, TEXT } from './oui-element.js';
import { OuiCallEvent, OuiConnectionEvent } from './oui-runtime-events.js';
import { addProvider, announceRuntimes, otherProviders, RUNTIME_CONTEXT } from './runtime-context.js';
import type { ContextRequestEvent, RuntimeProvider } from './runtime-context.js';
import { seeToSign } from './stop-signs.js';
import { runtimeWiring } from './wiring.js';

export { OuiCallEvent, OuiConnectionEvent } from './oui-runtime-events.js';

/**
 * The page's runtime: connects its surfaces with an agent. One for a page is usual; it may stand anywhere, or around
 * the surfaces that belong to it.
 *
 * It creates a runtime when it is connected and disposes of it when it is removed, unless `.runtime` was set.
 * Before an action that needs the user's approval it asks with `<oui-approval>`, or with `.approve`.
 *
 * @tag oui-runtime
 * @attr {string} url - WebSocket address of the agent's side; relative to the page when it starts with `/`.
 * @attr {string} namespace - What the names of a `.socket`'s events begin with; `oui` by default.
 * @attr {string} base - Path that the surfaces' `routes` are relative to.
 * @attr {string} worker-src - Address of the worker script. By default the script beside the library; `blob`: that
 * from another origin too, by a `blob:` worker that loads it; `none`: the engine runs in the page.
 * @attr {'full'|'index'} form - How surfaces are offered: whole, or as an index for agents that ask for definitions.
 * @attr {'interpreted'|'compiled'} validator - `compiled`: schemas are compiled, where the page's policies allow `eval`.
 * @attr {'true'|'false'} announce - `false`: nothing is sent but results. By default surfaces and state are announced.
 * @attr {'page'|'grant'|'agent'} confirm-by - Who asks the user before an action that needs approval. Default `page`;
 * `grant`: only what the host records with `runtime.grantApproval` admits it; `agent`: the agent's side is trusted to ask.
 * @fires {OuiCallEvent} oui-call - A call has come a step further.
 * @fires {OuiConnectionEvent} oui-connection - The connection has changed.
 * @slot - The page's own content, when the element stands around it.
 */
export class OuiRuntimeElement extends ContainerElement implements RuntimeProvider {
  static override readonly tag = 'oui-runtime';

  static override properties = {
    url: TEXT,
    namespace: TEXT,
    base: TEXT,
    workerSrc: TEXT,
    form: TEXT,
    announce: TEXT,
    confirmBy: TEXT,
    validator: TEXT,
    approve: RICH,
    socket: RICH,
    token: RICH,
    attachments: RICH,
    runtime: ACCESSOR,
  };

  declare url: string;
  declare namespace: string;
  declare base: string;
  declare workerSrc: string;
  declare form: string;
  declare announce: string;
  declare confirmBy: string;
  declare validator: string;
  /**
   * Asks the user instead of the dialog: `true` runs the action, `false` denies it, `null` is no answer.
   * The signal aborts when the question is moot.
   */
  declare approve: ((request: ApprovalRequest, signal: AbortSignal) => ApprovalAnswer | Promise<ApprovalAnswer>) | null;

  /** A Socket.IO-shaped socket of the page's own, instead of `url`. The page connects and disconnects it. */
  declare socket: SocketLike | null;
  /** Gives the token for each attempt to connect to `url`: a text, or a promise of one. */
  declare token: (() => string | Promise<string>) | null;
  /** Opens attachments, as the runtime's option of this name does. */
  declare attachments: AttachmentHost | null;

  #given: SurfaceRuntime | null = null;
  #own: SurfaceRuntime | null = null;
  #ownFor = '';
  #ownSocket: SocketLike | null = null;
  #followed: SurfaceRuntime | null = null;
  #unsubscribe: Release | null = null;
  #removeProvider: Release | null = null;
  #provideIn: Document | null = null;

  constructor() {
    super();
    this.addEventListener('context-request', (event) => this.#provide(event as ContextRequestEvent));
  }

  /** The runtime: the one that was set, else the element's own; `null` before it is connected. */
  get runtime(): SurfaceRuntime | null {
    return this.#given ?? this.#own;
  }

  /** A runtime of the page's own making. It is used instead of one made here, and is not disposed of. */
  set runtime(runtime: SurfaceRuntime | null) {
    this.#given = runtime ?? null;
    this.requestUpdate();
  }

  protected override enter(): void {
    this.#provideIn = this.ownerDocument;
    this.#removeProvider = addProvider(this);
    this.requestUpdate();
    void documentParsed(this.ownerDocument).then(() => this.#warnDouble());
  }

  protected override moved(): void {
    if (this.#provideIn === this.ownerDocument) return announceRuntimes(this.ownerDocument);
    this.#removeProvider?.();
    this.enter();
  }

  protected override leave(): void {
    this.#dropOwn();
    this.#follow(null);
    this.#removeProvider?.();
    this.#removeProvider = null;
  }

  protected override updated(): void {
    if (!this.#removeProvider) return;
    const wanted = JSON.stringify([
      this.url, this.namespace, this.workerSrc, this.form, this.announce, this.confirmBy, this.validator,
      this.token !== null, !!this.attachments,
    ]);
    if (this.#given || this.#ownFor !== wanted || this.#ownSocket !== (this.socket ?? null)) this.#dropOwn();
    if (!this.#given && !this.#own) {
      this.#ownFor = wanted;
      this.#ownSocket = this.socket ?? null;
      this.#own = this.#create();
    }
    this.#follow(this.runtime);
    announceRuntimes(this.ownerDocument);
  }

  #create(): SurfaceRuntime {
    const socket = this.socket ?? undefined;
    if (socket && this.url) warnMarkup(this, 'has a url and a .socket; the socket is used. Leave one of them out.');
    const url = socket ? undefined : this.#address('url', this.url);
    const { workerSrc } = this;
    const worker = workerSrc === 'blob' ? workerSrc : workerSrc !== 'none' && this.#address('worker-src', workerSrc);
    const form = allowedValue(this, 'form', this.form, ['full', 'index']);
    const announce = allowedValue(this, 'announce', this.announce, ['true', 'false']);
    const confirmBy = allowedValue(this, 'confirm-by', this.confirmBy, ['page', 'grant', 'agent']);
    const validator = allowedValue(this, 'validator', this.validator, ['interpreted', 'compiled']);
    return createRuntime({
      ...(form && { form }),
      ...(validator && { validator }),
      ...(announce && { announce: announce === 'true' }),
      ...(url && { url: url.href }),
      // The function of the moment: another one is no reason for another runtime.
      ...(url && this.token && { token: () => this.token?.() ?? '' }),
      ...(socket && { socket, ...(this.namespace && { transport: { namespace: this.namespace } }) }),
      ...(worker !== undefined && { worker }),
      ...(confirmBy && { confirmBy }),
      ...(this.attachments && { attachments: { resolve: (...call) => this.attachments?.resolve(...call) } }),
      approve: (request, signal) => this.approve ? this.approve(request, signal) : askUser(request, signal, this),
    }, runtimeWiring());
  }

  #dropOwn(): void {
    const own = this.#own;
    this.#own = null;
    this.#ownFor = '';
    if (!own) return;
    // The runtime itself says so when its last results are out: too late for those who follow the next one by then.
    const connected = own.connection !== 'disconnected';
    this.#follow(null);
    own.dispose();
    if (connected) this.dispatchEvent(new OuiConnectionEvent('disconnected', 'its runtime has ended'));
  }

  #address(attribute: string, text: string): URL | undefined {
    if (!text) return undefined;
    try {
      return new URL(text, this.ownerDocument.baseURI);
    } catch {
      warnMarkup(this, `has ${attribute}="${text}", which is no address and is ignored. It looks like `
        + 'url="wss://agent.example/oui/v1" or worker-src="/oui.worker.js".');
      return undefined;
    }
  }

  #follow(runtime: SurfaceRuntime | null): void {
    if (runtime === this.#followed) return;
    this.#unsubscribe?.();
    this.#followed = runtime;
    // Before anything can come from an agent, and whether the sign is there yet or not.
    if (runtime && keptPause()) {
      runtime.pause();
      void documentParsed(this.ownerDocument).then(() => seeToSign(this.ownerDocument));
    }
    this.#unsubscribe = runtime?.subscribe((event) => this.#report(event)) ?? null;
  }

  #report(event: RuntimeEvent): void {
    if (event.type === 'call') this.dispatchEvent(new OuiCallEvent(event.report));
    if (event.type === 'connection') this.dispatchEvent(new OuiConnectionEvent(event.state, event.reason));
  }

  #provide(event: ContextRequestEvent): void {
    const { runtime } = this;
    if (event.context !== RUNTIME_CONTEXT || event.contextTarget === this || !runtime) return;
    event.stopImmediatePropagation();
    event.callback(runtime);
  }

  #warnDouble(): void {
    if (!this.isConnected || this.childElementCount > 0 || otherProviders(this).length === 0) return;
    warnMarkup(this, 'is not the only <oui-runtime> of its document. Surfaces belong to the first one, unless another '
      + 'stands around them: remove one, or put its surfaces inside it.');
  }
}
