/**
 * Plugins in frames and workers, for pages without a build step: `dist/oui.frame.js`, which `<oui-frame>` loads. A page
 * without elements imports it by itself, and a plugin's page the transport.
 */
export { mountFrame, prefixOf } from '../bridges/mount-frame.js';
export { mountPlugin } from '../bridges/mount-plugin.js';
export { createPostMessageTransport } from '../transports/post-message.js';
