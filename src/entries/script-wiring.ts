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

/** The other files lie beside the script. */
const beside = (name: string): URL => new URL(`oui.${name}.js`, scriptUrl);
const load = (name: string): Promise<unknown> => import(/* @vite-ignore */ beside(name).href);

/** For the script tag. */
export const scriptWiring: ElementWiring = {
  ...createPageWiring({
    workerUrl: () => beside('worker'),
    extrasUrl: () => beside('extras'),
    loadCompiler: () => load('compiler') as Promise<CompilerModule>,
    compilerUrl: () => beside('compiler'),
    validator: 'interpreted',
    loadEngine: () => load('engine') as Promise<EngineModule>,
    loadAttachments: () => load('attachments') as Promise<AttachmentsModule>,
    loadAdvice: () => load('advice') as Promise<AdviceModule>,
  }),
  loadDialog: () => load('dialog') as Promise<DialogModule>,
  loadPresence: () => load('presence') as Promise<PresenceModule>,
};
