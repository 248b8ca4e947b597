import type { DialogModule, ElementWiring, PresenceModule } from '../../elements/wiring.js';
import type { AdviceModule } from '../surface/definition/advice.js';
import type { AttachmentsModule } from '../surface/requests/attachments.js';
import { createPageWiring } from './page-wiring.js';
import type { CompilerModule, EngineModule } from './page-wiring.js';

/**
 * Address of the script that the page loaded. The build for classic scripts puts its own in here; one that was pasted
 * into the page has none, and finds its files beside the page. A variable keeps bundlers from taking the expressions
 * below for assets of theirs.
 */
const scriptUrl: string = import.meta.url || document.baseURI;

const compilerUrl = (): URL => new URL('oui.compiler.js', scriptUrl);

/** For the script tag: the other files lie beside the script. */
export const scriptWiring: ElementWiring = {
  ...createPageWiring({
    workerUrl: () => new URL('oui.worker.js', scriptUrl),
    loadCompiler: () => import(/* @vite-ignore */ compilerUrl().href) as Promise<CompilerModule>,
    compilerUrl,
    validator: 'interpreted',
    loadEngine: () => import(/* @vite-ignore */ new URL('oui.engine.js', scriptUrl).href) as Promise<EngineModule>,
    loadAttachments: () =>
      import(/* @vite-ignore */ new URL('oui.attachments.js', scriptUrl).href) as Promise<AttachmentsModule>,
    loadAdvice: () => import(/* @vite-ignore */ new URL('oui.advice.js', scriptUrl).href) as Promise<AdviceModule>,
  }),
  loadDialog: () => import(/* @vite-ignore */ new URL('oui.dialog.js', scriptUrl).href) as Promise<DialogModule>,
  loadPresence: () => import(/* @vite-ignore */ new URL('oui.presence.js', scriptUrl).href) as Promise<PresenceModule>,
};
