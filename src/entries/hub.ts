/** `oui-elements/hub`: a hub in your own Node process. */
export { createHub } from '../hub/create-hub.js';
export type { Hub, HubOptions } from '../hub/create-hub.js';
export type { AuthenticatePage, ConnectingPage } from '../hub/page-authentication.js';
export { PortTakenError } from '../hub/port-owner.js';
export type { PortOwner } from '../hub/port-owner.js';
export type { AttachmentLimits } from '../hub/attachment-store.js';
export type { HubLog, HubLogEntry } from '../hub/hub-log.js';
export type { HubPage, PageDirectory, PageDirectoryEvent } from '../hub/page-directory.js';
export type { StaticFolder } from '../hub/static-files.js';
